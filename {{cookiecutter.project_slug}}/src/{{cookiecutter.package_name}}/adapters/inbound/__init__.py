"""Who asks us."""
