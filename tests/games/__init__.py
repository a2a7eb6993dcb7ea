"""Tests of `companion/games`."""
