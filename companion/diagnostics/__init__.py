"""How the parts are, what is wrong with them, and what to try."""
