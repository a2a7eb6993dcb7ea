"""A disk that can be cut off at any instant, and one that fails."""
