"""All boards, by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from hardware.board import group, pico, reader
from hardware.board.placement import Design

DESIGNS: Final[Mapping[str, Design]] = {
    design.name: design for design in (group.DESIGN, pico.DESIGN, reader.DESIGN, reader.MIRRORED)
}
