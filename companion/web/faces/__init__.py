"""Faces of people: chosen, drawn, shown."""
