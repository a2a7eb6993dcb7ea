"""How much is tried: asked while tests are collected, where no fixture is."""

soaking = False
"""Whether `--soak` was given: set by conftest.py before anything is collected."""
