"""The companion at the table for racing board games."""

__version__ = "0.2.0"

NEW_AT_THE_TABLE = (
    "Galloping Pigs for up to five, a rule for children in it, and pages for old tablets and readers"
)
"""What the host sees after an update, in one line; CHANGELOG.md has it too."""
