"""What the documents of external systems mean to us."""
