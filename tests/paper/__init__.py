"""Tests of `companion/paper`."""
