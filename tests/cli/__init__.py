"""Tests of `companion/cli`."""
