"""Helpers of `tests/hub`."""
