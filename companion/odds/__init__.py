"""Chances to win, computed from the public view. A game without a kernel is played out through its rules.

May use games and NumPy. Hidden values are never passed to it.
"""
