"""Tests of `companion/bots`."""
