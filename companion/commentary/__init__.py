"""Comments on a race: the leader, overtaking, close finishes."""
