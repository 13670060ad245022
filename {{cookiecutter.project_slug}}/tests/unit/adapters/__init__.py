"""Mappers and the HTTP edge."""
