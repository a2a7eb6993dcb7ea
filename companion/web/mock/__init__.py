"""The page of the virtual table."""
