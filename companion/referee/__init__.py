"""What is seen on the table against what should be: the pad, the track, and what to do about it."""
