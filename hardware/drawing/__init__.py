"""Schematics and wiring drawings, generated from the circuits: sheets as values, written as SVG, read back as
nets.

Own code, since schemdraw (tested: 0.23) draws symbols well, and the rest is needed here: a page in
millimetres, boards in the position in the hand, nets that can be read back, and a check that no text overlaps
a line. Of symbols there are nine.
"""
