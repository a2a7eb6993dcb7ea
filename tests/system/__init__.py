"""Tests of the whole companion: evenings from tag to screen."""
