"""Tests of the process around the service."""
