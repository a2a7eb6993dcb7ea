"""A template: each file holds the object of one entry point in pyproject.toml."""
