"""A person's photo: checked, small, square, and without metadata."""

from __future__ import annotations

import io
import logging
from typing import Final

from companion.errors import validation_error
from companion.message import N_

SIDE: Final = 192  # px
MOST_BYTES: Final = 40_000  # of an upload; a page sends a third of it
MOST_PIXELS: Final = 1024  # of a side

log = logging.getLogger(__name__)


def small(sent: bytes) -> bytes:
    """Return the photo as a new square JPEG: without its time and place.

    ValidationError if it is too large, or no JPEG, PNG or WebP.
    """
    if len(sent) > MOST_BYTES:
        raise validation_error(N_("the photo is too large: send at most {high} bytes"), high=MOST_BYTES)
    from PIL import Image, ImageOps  # it takes a while, and few evenings need it

    try:
        with Image.open(io.BytesIO(sent), formats=("JPEG", "PNG", "WEBP")) as photo:
            is_small = max(photo.size) <= MOST_PIXELS  # read from its head, before anything is decoded
            square = ImageOps.fit(photo.convert("RGB"), (SIDE, SIDE)) if is_small else None
    except (
        Exception
    ) as error:  # Pillow has no common one: OSError, ValueError, SyntaxError, struct.error, ...
        log.info("a photo cannot be read: %s: %s", type(error).__name__, error)
        raise validation_error(N_("this is no photo that can be shown: take a JPEG, PNG or WebP")) from None
    if square is None:
        raise validation_error(
            N_("the photo is too large: send at most {high} pixels a side"), high=MOST_PIXELS
        )
    made = io.BytesIO()
    square.save(made, "JPEG", quality=84)
    return made.getvalue()
