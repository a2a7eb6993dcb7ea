"""The companion at the table for racing board games."""

__version__ = "0.2.0"
