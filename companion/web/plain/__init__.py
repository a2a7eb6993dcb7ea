"""Pages without scripts, for browsers that are too old for the others."""
