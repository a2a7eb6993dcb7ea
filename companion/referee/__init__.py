"""Compares what the sensors see on the table with what should be there, and says what to do about a
difference.

May use readings of `devices/`, tags and matches. Time comes in as an argument; it reads no file.

Presence is a value with `step(state, event)` in `occupancy.py`; `pad.py` watches the card pad.
"""
