"""Tests of `companion/table`."""
