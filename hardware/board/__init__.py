"""The printed circuit boards: of a group of eight readers, of the Pico, and the carrier of a reader.

`placement` says what a board is, `group`, `pico` and `reader` are these boards; `footprints` defines holes
and outlines, `router` finds the tracks, `pcb` writes all that as KiCad's file; `kicad` has KiCad check it and
make the files for a maker of boards.
"""
