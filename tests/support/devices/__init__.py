"""Helpers of `tests/devices`."""
