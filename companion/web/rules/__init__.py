"""The rules of each game, as pages."""
