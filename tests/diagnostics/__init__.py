"""Tests of `companion/diagnostics`."""
