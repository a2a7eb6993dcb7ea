"""What tags mean, and how a box gets its tags."""
