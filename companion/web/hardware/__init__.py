"""The page of the hardware's state."""
