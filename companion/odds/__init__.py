"""Win chances, from the public view only: whoever works them out never sees the truth."""
