"""Chances to win, computed from the public view. A game without a kernel of its own is played out through its
rules.

May use games and NumPy. Hidden values are never passed to it.
"""
