"""Tests of `companion/bench`."""
