"""Tests of the process around the service, with its database taken away."""
