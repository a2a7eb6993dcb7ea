"""The odds of Galloping Pigs and Galloping Horse."""
