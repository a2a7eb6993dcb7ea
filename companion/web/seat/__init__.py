"""The page of a player's phone."""
