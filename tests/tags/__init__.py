"""Tests of `companion/tags`."""
