"""Players that the companion plays."""
