"""View models of the public match on the table."""
