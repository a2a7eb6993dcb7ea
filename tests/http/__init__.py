"""Tests of `companion/http`."""
