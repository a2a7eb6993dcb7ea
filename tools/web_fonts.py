"""Make companion/web/fonts: Rubik for the pages, in three parts that a page loads as it needs them.

    pip install fonttools brotli
    npm pack @fontsource-variable/rubik && tar xzf fontsource-variable-rubik-*.tgz
    python tools/web_fonts.py package/files

The first part has the letters of English, the second the rest of Latin-1, the third what is beyond. The
weights are those that the pages use. Rubik is under the SIL Open Font License, OFL.txt next to the fonts.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Collection
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

FONTS = Path(__file__).parent.parent / "companion" / "web" / "fonts"
WEIGHTS = (500, 900)
FEATURES = ["kern", "liga", "tnum", "locl", "ccmp", "mark"]
ENGLISH = {
    *range(0x20, 0x7F),
    0xA0,
    0xB7,
    0xD7,
    *range(0x2013, 0x2015),
    *range(0x2018, 0x201E),
    0x2026,
    0x2212,
}


def main(package: Path) -> None:
    """Write the three parts, and say the unicode-range of each."""
    latin, beyond = package / "rubik-latin-wght-normal.woff2", package / "rubik-latin-ext-wght-normal.woff2"
    letters = TTFont(latin).getBestCmap()
    write("basic", latin, [u for u in letters if u in ENGLISH])
    write("latin", latin, [u for u in letters if u not in ENGLISH])
    write("latin-ext", beyond, [u for u in TTFont(beyond).getBestCmap() if u not in letters])


def write(name: str, source: Path, letters: Collection[int]) -> None:
    """Write one part of the font, with these letters only."""
    font = saved(instantiateVariableFont(TTFont(source, recalcTimestamp=False), {"wght": WEIGHTS}))
    options = Options(hinting=False, notdef_outline=True, glyph_names=False)
    options.layout_features = FEATURES
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=letters)
    subsetter.subset(font)
    font.flavor = "woff2"
    font.save(FONTS / f"rubik-{name}.woff2")
    print(f"rubik-{name}.woff2 {ranges(sorted(letters))}")


def saved(font: TTFont) -> TTFont:
    """Return the font as it is read from a file: this lays the changes in memory out."""
    scratch = io.BytesIO()
    font.flavor = None
    font.save(scratch)
    return TTFont(io.BytesIO(scratch.getvalue()), recalcTimestamp=False)


def ranges(letters: list[int]) -> str:
    """Return the letters as CSS ranges."""
    found: list[list[int]] = []
    for letter in letters:
        if found and letter == found[-1][1] + 1:
            found[-1][1] = letter
        else:
            found.append([letter, letter])
    return ",".join(f"U+{low:04X}" if low == high else f"U+{low:04X}-{high:04X}" for low, high in found)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
