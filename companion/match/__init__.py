"""A match: the fold of its decisions, changes of earlier decisions, and the race record."""
