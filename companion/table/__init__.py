"""The table: the one thread with the one inbox, and what it shows."""
