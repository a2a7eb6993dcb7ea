"""The match as one seat may see it."""
