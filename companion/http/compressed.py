"""Text of pages and of the API, compressed by gzip for clients that accept it.

The files of the pages come compressed from files.py. Larger libraries bring Brotli and Zstandard too: 7 MB on
the disk and one in memory, for text that goes to a phone in the same room.
"""

from __future__ import annotations

import gzip
from typing import Final

from flask import Response, request

_LEAST: Final = 500
"""Bytes below which an answer fits into one packet with its headers."""
_LEVEL: Final = 4
_TEXT: Final = ("text/", "application/json", "image/svg+xml")


def compressed(response: Response) -> Response:
    """Return an answer, compressed if it is text that is worth it and the client accepts gzip.

    An entity tag becomes weak: it stands for the text, not for these bytes [RFC 9110, 8.8.1].
    """
    if response.is_streamed or not (response.mimetype or "").startswith(_TEXT):
        return response
    response.vary.add("Accept-Encoding")
    if response.status_code != 200 or "Content-Encoding" in response.headers:
        return response
    plain = response.get_data()
    if len(plain) < _LEAST or not request.accept_encodings["gzip"]:
        return response
    tag, _ = response.get_etag()
    if tag is not None:
        response.set_etag(tag, weak=True)
    response.set_data(gzip.compress(plain, _LEVEL, mtime=0))
    response.headers["Content-Encoding"] = "gzip"
    return response
