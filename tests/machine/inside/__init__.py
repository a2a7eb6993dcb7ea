"""A companion in the modelled machine, with the settings of a real table."""
