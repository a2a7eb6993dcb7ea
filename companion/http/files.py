"""The static files of the pages: scripts, styles, fonts, images.

A page needs two dozen of them before it can be drawn, most of them tiny. Each is read and compressed once and
answered from memory in the event loop. Through Flask, with a thread for each, the first load of a page took
twice as long (bench/page.py).
"""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
import posixpath
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping, MutableMapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from werkzeug.http import parse_range_header

from companion.http.roles import known_host

Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Scope = MutableMapping[str, Any]
Headers = list[tuple[bytes, bytes]]

POLICY: Final = (
    "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; "
    "frame-ancestors 'self'; base-uri 'self'; form-action 'self'"
)
"""Content security policy of pages: nothing from another host, no frame in another site's page."""
FOLDER: Final = Path(__file__).parents[1] / "web"
"""The folder of a table's pages, and of the styles, fonts and drawings that other pages share."""
KINDS: Final = frozenset(
    {".js", ".css", ".svg", ".png", ".ico", ".webmanifest", ".woff2", ".txt", ".mp4", ".webm"}
)
"""Kinds of files that are sent; the programs and templates in the same folders are not."""
PREFIX: Final = "/static/"
OPENAPI: Final = "/api/openapi.yaml"
"""The description of the HTTP API: `openapi.yaml` of the folder, which links to docs/."""
_TYPES: Final = {".yaml": "application/yaml", ".webmanifest": "application/manifest+json"}
"""Types that not every Python's own table has: RFC 9512, and the W3C's web app manifest."""
_MAX_RATIO = 0.9  # a file that shrinks less is sent uncompressed: fonts
_COMMENT = re.compile(r"^[ \t]*(?://.*|/\*\*(?:[^*]|\*(?!/))*\*/[ \t]*$)", re.MULTILINE)
"""Comments of a script that have lines of their own, types for tsc among them: a third of it."""
_STYLE_COMMENT = re.compile(rb"/\*.*?\*/", re.DOTALL)
_INDENT = re.compile(rb"(?m)^[ ]+")
_STYLES = re.compile(r"\{% set styles = \[(.*?)\] %\}")
_IMPORT = re.compile(r'^import\b[^"]*"(\.[\w./-]+\.js)";', re.MULTILINE)


@cache
def modules(*scripts: str, folders: tuple[Path, ...] = (FOLDER,)) -> tuple[str, ...]:
    """Return the modules that the scripts of a page import, in the order in which a browser finds them.

    A page names them, so that the browser asks for all at once instead of layer by layer. Each script is in
    one of the folders.

    >>> modules("host/wifi.js")
    ('common/draw.js', 'common/send.js', 'common/patch.js', 'common/sentence.js')
    """
    found: dict[str, None] = {}
    layer = list(scripts)
    while layer:
        layer = [name for script in layer for name in _imported(script, folders)]
        layer = [name for name in dict.fromkeys(layer) if name not in found and name not in scripts]
        found |= dict.fromkeys(layer)
    return tuple(found)


def _imported(script: str, folders: Iterable[Path]) -> list[str]:
    """Return the modules that this script imports, named relative to a folder like the script itself."""
    there = posixpath.dirname(script)
    path = next(path for folder in folders if (path := folder / script).is_file())
    named = _IMPORT.findall(path.read_text("utf-8"))
    return [posixpath.normpath(posixpath.join(there, name)) for name in named]


def joined_styles(folder: Path) -> frozenset[str]:
    """Return the joined style names that the pages in this folder ask for, as base.html joins them."""
    named = [
        re.findall(r'"(.*?)"', styles)
        for page in folder.rglob("*.html")
        for styles in _STYLES.findall(page.read_text("utf-8"))
    ]
    return frozenset("+".join(["common/look.css", *names]) for names in named)


class File(NamedTuple):
    """An answer: its headers, the body, and the body compressed by gzip if that is much smaller."""

    headers: list[tuple[bytes, bytes]]
    plain: bytes
    packed: bytes | None


@cache
def _names(folders: tuple[Path, ...]) -> tuple[Mapping[str, Path], frozenset[str]]:
    """Return the files of some folders by name, and the styles that their pages join."""
    paths = {
        path.relative_to(folder).as_posix(): path
        for folder in folders
        for path in folder.rglob("*.*")
        if path.suffix in KINDS
    }
    return paths, frozenset().union(*map(joined_styles, folders))


class Files:
    """The ASGI app of some folders under `/static/`; `common/look.css+table/table.css` is both in one answer.

    It answers `/api/openapi.yaml` in the same way.

    Only styles that pages ask for together are joined, so that the cache is bounded by the folders' contents.
    """

    def __init__(self, folders: Iterable[Path] = (FOLDER,), hosts: Sequence[str] = ()) -> None:
        self._hosts = hosts
        self._paths, self._joined = _names(tuple(folders))

    async def __call__(self, scope: Scope, send: Send) -> None:
        """Answer one request."""
        asked = dict(scope["headers"])
        if not known_host(asked.get(b"host", b"").decode("latin1"), self._hosts):
            await _answer(send, 400, [], b"")
        elif scope["method"] not in ("GET", "HEAD"):
            await _answer(send, 405, [(b"allow", b"GET, HEAD")], b"")
        elif (file := self._file_at(scope["path"])) is None:
            await _answer(send, 404, [], b"")
        else:
            headers, body = file.headers, file.plain
            if file.packed is not None and b"gzip" in asked.get(b"accept-encoding", b""):
                headers, body = [*headers, (b"content-encoding", b"gzip")], file.packed
            if dict(headers)[b"etag"] in asked.get(b"if-none-match", b""):
                await _answer(send, 304, headers, b"")
            else:
                status, more, body = _wanted(asked, dict(headers)[b"etag"], body)
                headers = [*headers, *more, (b"content-length", str(len(body)).encode())]
                await _answer(send, status, headers, body if scope["method"] == "GET" else b"")

    def _file_at(self, path: str) -> File | None:
        return _api_description() if path == OPENAPI else self.find(path.removeprefix(PREFIX))

    def find(self, name: str) -> File | None:
        """Return the file of this name, or the files joined by a plus in the name; None if there is none."""
        if "+" in name and name not in self._joined:
            return None
        paths = [self._paths.get(part) for part in name.split("+")]
        known = [path for path in paths if path is not None and path.is_file()]
        if len(known) < len(paths):
            return None
        return _read(tuple(known), max(path.stat().st_mtime_ns for path in known), name.count("/"))


def _api_description() -> File:
    """Return the description of the HTTP API."""
    paper = FOLDER / Path(OPENAPI).name
    return _read((paper,), paper.stat().st_mtime_ns, 0)


@lru_cache(maxsize=128)
def _read(paths: tuple[Path, ...], changed: int, depth: int) -> File:
    """Return the answer with these files, cached.

    `changed`: modification time in nanoseconds, so that an edited file is read again at the next reload.
    `depth`: number of folders in the name that was asked for.
    """
    up = "../" * depth
    plain = b"\n".join(_sent_bytes(path, up) for path in paths)
    packed = gzip.compress(plain, 9, mtime=0)
    kind = _TYPES.get(paths[0].suffix) or mimetypes.guess_type(paths[0].name)[0] or "application/octet-stream"
    if kind.startswith("text/") or kind.endswith("+xml"):
        kind += "; charset=utf-8"
    headers = [
        (b"content-type", kind.encode()),
        (b"etag", f'"{hashlib.sha256(plain).hexdigest()[:16]}"'.encode()),
        (b"cache-control", b"no-cache"),
        (b"vary", b"accept-encoding"),
        (b"x-content-type-options", b"nosniff"),
        (b"referrer-policy", b"no-referrer"),
    ]
    if paths[0].suffix == ".svg":  # which a browser shows as a page
        headers.append((b"content-security-policy", POLICY.encode()))
    return File(headers, plain, packed if len(packed) < _MAX_RATIO * len(plain) else None)


def _sent_bytes(path: Path, up: str) -> bytes:
    """Return the bytes to send of a file: scripts and styles without comments, with unchanged line numbers.

    Their lines go without indents, which are 2 kB of the table page, compressed. No script has a
    text over several lines: a test compares what is sent with the source, token by token.

    A style's links to fonts are relative to its folder; `up` leads from a joined style's name to that folder.
    """
    if path.suffix == ".css":
        style = path.read_bytes().replace(b'url("../', f'url("{up}'.encode())
        style = _STYLE_COMMENT.sub(lambda comment: b"\n" * comment[0].count(b"\n"), style)
        return _INDENT.sub(b"", style)
    if path.suffix != ".js":
        return path.read_bytes()
    script = path.read_text("utf-8")
    bare = _COMMENT.sub(lambda comment: "\n" * comment[0].count("\n"), script).encode()
    return _INDENT.sub(b"", bare)


def _wanted(asked: Mapping[bytes, bytes], etag: bytes, body: bytes) -> tuple[int, Headers, bytes]:
    """Return status, headers and body: the one range of bytes that was asked for, else all (RFC 9110, 14).

    Safari plays a video only from a server that answers ranges.
    """
    given = asked.get(b"range", b"").decode("latin1")
    wanted = parse_range_header(given) if given and asked.get(b"if-range", etag) == etag else None
    if wanted is None or wanted.units != "bytes" or len(wanted.ranges) > 1:
        return 200, [(b"accept-ranges", b"bytes")], body
    if (part := wanted.range_for_length(len(body))) is None:
        return 416, [(b"content-range", f"bytes */{len(body)}".encode())], b""
    first, end = part
    return 206, [(b"content-range", f"bytes {first}-{end - 1}/{len(body)}".encode())], body[first:end]


async def _answer(send: Send, status: int, headers: Headers, body: bytes) -> None:
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
