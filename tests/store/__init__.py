"""Tests of `companion/store`."""
