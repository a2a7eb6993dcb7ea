"""Pages of the rules of each game."""
