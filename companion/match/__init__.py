"""A match: the fold of its journal entries, its record, its secrets, and the effects of a change.

May use games.
"""
