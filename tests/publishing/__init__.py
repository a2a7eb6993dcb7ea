"""Tests of `companion/publishing`."""
