"""Tests of the rule checker."""
