"""What people look like: chosen, drawn, shown."""
