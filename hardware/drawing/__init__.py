"""Schematics and wiring drawings, made of the circuits: sheets as values, written as SVG, read back as nets.

Own code, since schemdraw (looked at: 0.23) draws symbols well, and what is needed here is the rest: a page in
millimetres, boards as they lie in the hand, nets that can be read back, and to know that no text lies on a
line. Of symbols there are nine.
"""
