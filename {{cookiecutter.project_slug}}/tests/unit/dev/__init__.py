"""Tests of the development folder's parts that need no process."""
