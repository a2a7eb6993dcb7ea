"""Tests of `companion/history`."""
