"""The state of the parts, their faults, and advice."""
