"""A whole club on this machine: Debian's programs, the hub, and tables at which robots play."""
