"""A whole club on this machine: programs that Debian has, the hub, and tables at which robots play."""
