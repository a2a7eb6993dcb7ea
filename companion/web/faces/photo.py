"""A person's photo: checked, small, square, and without metadata."""

from __future__ import annotations

import io
from typing import Final

from companion.errors import validation_error
from companion.message import N_

SIDE: Final = 192  # px
MOST_BYTES: Final = 40_000  # of an upload; a page sends a third of it
MOST_PIXELS: Final = 1024  # of a side


def small(sent: bytes) -> bytes:
    """Return the photo as a new square JPEG: without its time and place.

    ValidationError if it is too large, or no JPEG, PNG or WebP.
    """
    if len(sent) > MOST_BYTES:
        raise validation_error(N_("the photo is too large: send at most {high} bytes"), high=MOST_BYTES)
    from PIL import Image, ImageOps  # it takes a while, and few evenings need it

    try:
        with Image.open(io.BytesIO(sent), formats=("JPEG", "PNG", "WEBP")) as photo:
            if max(photo.size) > MOST_PIXELS:
                raise validation_error(
                    N_("the photo is too large: send at most {high} pixels a side"), high=MOST_PIXELS
                )
            square = ImageOps.fit(photo.convert("RGB"), (SIDE, SIDE))
    except (OSError, SyntaxError, EOFError, Image.DecompressionBombError):  # Pillow's errors for no image
        raise validation_error(N_("this is no photo that can be shown: take a JPEG, PNG or WebP")) from None
    made = io.BytesIO()
    square.save(made, "JPEG", quality=84)
    return made.getvalue()
