"""Tests of `companion/match`."""
