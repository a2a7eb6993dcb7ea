"""Helpers of `tests/hardware`."""
