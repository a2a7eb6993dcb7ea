"""A match: the fold of its journal entries, its record, what is still secret, and what a change would lead
to.

May use games.
"""
