"""The committed screenshots and accessibility snapshots: where they are, and how a page is compared with them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import unified_diff
from pathlib import Path

from playwright.sync_api import Page

from tests.support.browser.gallery import Moment, Screen, Shot
from tests.support.browser.likeness import Block, beside, differing, reduced

HERE = Path(__file__).parents[2] / "browser"
SCREENSHOTS, SNAPSHOTS = HERE / "screenshots", HERE / "snapshots"
FOUND = Path("build/screenshots")
"""Where a page that differs is written, for the person who judges whether the change is meant."""
NAMED = 6  # blocks that a message names


def compare(moment: Moment, pages: Sequence[tuple[Screen, Page]]) -> None:
    """Compare the open pages of this moment with what is committed; AssertionError says how to accept a change."""
    unlike = [fault for shot in moment.taken(pages) for fault in faults(shot)]
    accept = f"if the change is meant: make screenshots MOMENTS={moment.name}, look at it, and commit it"
    assert not unlike, "\n".join([*unlike, accept])


def faults(shot: Shot) -> Iterator[str]:
    """Compare one page with what is committed; write it into FOUND where it differs."""
    if shot.png is not None:
        yield from drawn_otherwise(shot.name, reduced(shot.png, shot.scale), shot.scale)
    yield from worded_otherwise(shot.name, shot.text)


def drawn_otherwise(name: str, png: bytes, scale: int = 1, committed: Path = SCREENSHOTS) -> Iterator[str]:
    """Say which blocks of a screenshot differ, and where the new one and the difference image are."""
    path, new = committed / f"{name}.png", FOUND / f"{name}.png"
    if not path.exists():
        yield f"{name}: there is no such screenshot yet; {kept(new, png)} is the new one"
        return
    blocks = differing(path.read_bytes(), png, scale)
    if blocks:
        difference = FOUND / f"{name}-difference.png"
        kept(difference, beside(path.read_bytes(), png, scale))
        yield (
            f"{name}: {said(blocks)}; {kept(new, png)} is the new one, "
            f"{difference} has the committed one, the new one and what differs side by side"
        )


def said(blocks: list[Block]) -> str:
    """Name the blocks that differ most, by the pixels of the page."""
    most = sorted(blocks, key=lambda block: -block.share)[:NAMED]
    named = ", ".join(f"({block.x}, {block.y}) by {block.share:.0%}" for block in most)
    return f"{len(blocks)} blocks differ, most at {named}"


def worded_otherwise(name: str, text: str, committed: Path = SNAPSHOTS) -> Iterator[str]:
    """Give the difference of an accessibility snapshot, line by line, and where the new one is."""
    path, new = committed / f"{name}.yaml", FOUND / f"{name}.yaml"
    before = path.read_text(encoding="utf-8") if path.exists() else ""
    if before != text:
        lines = unified_diff(before.splitlines(), text.splitlines(), str(path), str(new), n=1, lineterm="")
        kept(new, text.encode())
        yield "\n".join([f"{name}: the accessibility snapshot differs", *lines])


def kept(path: Path, content: bytes) -> Path:
    """Write a file into FOUND; return its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path
