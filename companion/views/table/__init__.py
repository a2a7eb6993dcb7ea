"""The match on the table as everyone may see it."""
