"""Tests of `companion/web`."""
