"""The course as it is drawn."""
