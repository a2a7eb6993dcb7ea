"""Decisions of the match on the table: review, undo, change."""
