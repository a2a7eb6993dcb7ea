"""A language: a few of the companion's messages, and this package's own; the others stay English."""

from __future__ import annotations

from pathlib import Path

from companion.translate import Language

LANGUAGE = Language("Esperanto", Path(__file__).with_name("eo.po"))
