"""How a box gets its tags, as a page."""
