"""Everything that goes wrong on an evening, at once: the people, what troubles them, and who looks on."""
