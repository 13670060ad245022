"""What the service is about: entities, events and the errors of its rules. Standard library only, no I/O."""
