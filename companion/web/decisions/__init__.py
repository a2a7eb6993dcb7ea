"""What was decided in the match on the table: looked back on, taken back, changed."""
