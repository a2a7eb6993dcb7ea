"""Photos without people, as a page or another client may send them."""

from __future__ import annotations

import base64
import io
from typing import Any

from PIL import Image


def photo_bytes(kind: str = "JPEG", size: tuple[int, int] = (192, 192), **how: Any) -> bytes:
    """Return an image of this kind and size, with another colour on the left than on the right."""
    made = io.BytesIO()
    picture = Image.new("RGB", size, "teal")
    picture.paste("orange", (0, 0, size[0] // 2, size[1]))
    picture.save(made, kind, **how)
    return made.getvalue()


def a_photo() -> str:
    """Return a photo as a page sends one."""
    return base64.b64encode(photo_bytes()).decode()
