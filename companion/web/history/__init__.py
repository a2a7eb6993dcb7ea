"""Pages of games that are over."""
