"""Make companion/paper/fonts: Rubik for PDFs, from the variable web fonts of the pages, at two weights.

pip install fonttools brotli && python tools/paper_fonts.py

Run it again only if the web fonts change. They come in three parts: each is fixed at a weight, then they are
put together. Rubik is under the SIL Open Font License, OFL.txt next to the web fonts.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from fontTools.merge import Merger, Options
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

COMPANION = Path(__file__).parent.parent / "companion"
WEB, PAPER = COMPANION / "web" / "fonts", COMPANION / "paper" / "fonts"
WEIGHTS = {"regular": 500, "bold": 700}  # as the pages have them


def main() -> None:
    """Write one TrueType file for each weight."""
    PAPER.mkdir(parents=True, exist_ok=True)
    for name, weight in WEIGHTS.items():
        with tempfile.TemporaryDirectory() as scratch:
            parts = [str(fixed(part, weight, Path(scratch))) for part in ("basic", "latin", "latin-ext")]
            font = Merger(options=Options(drop_tables=["GSUB", "GPOS", "GDEF", "STAT"])).merge(parts)
        font.save(PAPER / f"rubik-{name}.ttf")
        print(f"rubik-{name}.ttf  {(PAPER / f'rubik-{name}.ttf').stat().st_size // 1024} KiB")


def fixed(part: str, weight: int, scratch: Path) -> Path:
    """Write one of the web fonts at one weight as a TrueType file; return its path."""
    font = instantiateVariableFont(TTFont(WEB / f"rubik-{part}.woff2"), {"wght": weight})
    font.flavor = None
    path = scratch / f"{part}.ttf"
    font.save(path)
    return path


if __name__ == "__main__":
    main()
