"""Helpers of `tests/browser`."""
