"""The kit around one call to an external system."""
