"""Photos without people, as a page or another client may send them."""

from __future__ import annotations

import base64
import io
import struct
import zlib
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


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def a_png(*extra: tuple[bytes, bytes], head: bytes = struct.pack(">IIBBBBB", 8, 8, 8, 2, 0, 0, 0)) -> bytes:
    """Return a PNG of 8 x 8 pixels with these chunks before its pixels, or with another head."""
    pixels = zlib.compress((b"\0" + b"\x55" * 24) * 8)
    chunks = ((b"IHDR", head), *extra, (b"IDAT", pixels), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*chunk) for chunk in chunks)


_BOMB = zlib.compress(bytes(2_000_000))
DAMAGED_PNGS = {
    "short head": a_png(head=b"\0\0\0\x08"),
    "no pixels": a_png(head=struct.pack(">IIBBBBB", 0, 0, 8, 2, 0, 0, 0)),
    "text that swells": a_png((b"zTXt", b"a\0\0" + _BOMB)),
    "translated text that swells": a_png((b"iTXt", b"a\0\1\0\0\0" + _BOMB)),
    "profile that swells": a_png((b"iCCP", b"a\0\0" + _BOMB)),
    "short gamma": a_png((b"gAMA", b"\0")),
    "short colours": a_png((b"cHRM", b"\0\0\0")),
    "short size": a_png((b"pHYs", b"\0")),
    "short transparency": a_png((b"tRNS", b"\0")),
    "empty intent": a_png((b"sRGB", b"")),
    "short animation": a_png((b"acTL", b"\0")),
    "short frame": a_png((b"acTL", struct.pack(">II", 2, 0)), (b"fcTL", b"\0")),
}
"""PNG files that Pillow refuses with errors of many kinds."""
