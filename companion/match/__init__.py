"""A match: the fold of its decisions, how they may be changed, and how they are written down."""
