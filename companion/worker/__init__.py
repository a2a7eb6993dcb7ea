"""What takes thought, in a process of its own: odds, bots, luck."""
