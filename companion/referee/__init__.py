"""Comparison of the sensed table with the expected one: the pad, the track, and what people should do."""
