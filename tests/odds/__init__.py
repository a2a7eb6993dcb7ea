"""Tests of `companion/odds`."""
