"""The table without hardware: models of chip, cards, pins and cable under the very same drivers.

Only the command line and the tests may import from here. The models are a reading of the data sheets:
they prove logic, not radio.
"""
