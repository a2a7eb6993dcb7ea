"""A process for long computations: odds, choices of bots, luck.

May use odds, bots and the messages of `table/`. It knows no hardware.
"""
