"""The printed circuit board of one group of eight readers.

`footprints` and `placement` say where holes and outlines are, `router` finds the tracks, `pcb` writes all
that as KiCad's file `group.kicad_pcb`; `kicad` has KiCad check it and make what a maker of boards asks for.
"""
