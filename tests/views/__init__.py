"""Tests of `companion/views`."""
