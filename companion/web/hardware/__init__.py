"""How the parts are, as a page."""
