"""Players that the companion plays. `heuristics.py` plays every game.

May use odds and games. Each bot gets its own seat's view and nothing else.
"""
