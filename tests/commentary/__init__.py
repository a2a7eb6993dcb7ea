"""Tests of `companion/commentary`."""
