"""What is done with a claimed row."""
