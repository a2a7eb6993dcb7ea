"""What outlives the evening: one SQLite file."""
