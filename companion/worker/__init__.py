"""Slow computations in a separate process: odds, bots, luck."""
