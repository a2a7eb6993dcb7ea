"""The page of an evening, over all its games."""
