"""Tests of `companion/referee`."""
