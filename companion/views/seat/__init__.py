"""View models of the match from one seat."""
