"""What follows when a task has ended."""
