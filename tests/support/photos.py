"""Photos of nobody, as a page or somebody else may send them."""

from __future__ import annotations

import base64
import io
from typing import Any

from PIL import Image


def photo_bytes(kind: str = "JPEG", size: tuple[int, int] = (192, 192), **how: Any) -> bytes:
    """A picture of this kind and size, another colour left than right."""
    made = io.BytesIO()
    picture = Image.new("RGB", size, "teal")
    picture.paste("orange", (0, 0, size[0] // 2, size[1]))
    picture.save(made, kind, **how)
    return made.getvalue()


def a_photo() -> str:
    """As a page sends one."""
    return base64.b64encode(photo_bytes()).decode()
