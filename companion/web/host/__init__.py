"""The page of whoever runs the evening."""
