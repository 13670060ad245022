"""What every route has in common."""
