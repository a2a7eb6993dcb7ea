"""The page in the middle of the table, and the API of the game on it."""
