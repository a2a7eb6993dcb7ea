"""Helpers of the tests: real companions to talk to, people and hardware to play with."""
