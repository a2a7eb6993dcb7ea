"""Drawings of the course."""
