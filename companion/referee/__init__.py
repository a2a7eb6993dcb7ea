"""Compares what the sensors see on the table with what should be there, and says what to do about a
difference.

May use readings of `devices/`, tags and matches. Time comes in as an argument; it reads no file.

All state is a value: `sensors.py` has the state of pad and track, `evaluation.py` everything that the referee
says of it at one moment. Presence has `step(state, event)` in `steps.py`.
"""
