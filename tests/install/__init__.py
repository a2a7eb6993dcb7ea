"""Tests of `companion/install`."""
