"""Tests of `companion/telling`."""
