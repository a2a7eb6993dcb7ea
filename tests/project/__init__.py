"""Tests of the repository itself: its commands, documents, locks and structure."""
