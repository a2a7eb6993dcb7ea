"""The printed circuit board of one group of eight readers.

`footprints` and `placement` define holes and outlines, `router` finds the tracks, `pcb` writes all that as
KiCad's file `group.kicad_pcb`; `kicad` has KiCad check it and make the files for a maker of boards.
"""
