"""A template: each file is what one entry point in pyproject.toml leads to."""
