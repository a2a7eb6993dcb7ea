"""The page to give a box its tags."""
