"""`make docs`: check that each link of a site leads to a file in its folder, and nothing comes from other
hosts.

python tools/site_links.py build/site
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

LOADED: Final = {"script": "src", "img": "src", "iframe": "src", "source": "src", "link": "href"}
_FETCHED: Final = re.compile(r"(?:@import\s+|url\()\s*[\"']?([^\"')]+)")


class Page(HTMLParser):
    """The links of a page, its resources, and its anchors."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the references of this element."""
        has = dict(attrs)
        self.anchors |= {name for key in ("id", "name") if (name := has.get(key))}
        if tag == "a" and (to := has.get("href")):
            self.links.append(to)
        if (to := has.get(LOADED.get(tag, ""))) and has.get("rel") not in ("canonical", "search"):
            self.loads.append(to)


def faults(site: Path) -> Iterator[str]:
    """Yield broken links and resources of other hosts, page by page."""
    pages = {at.resolve(): Page(at.read_text(encoding="utf-8")) for at in sorted(site.rglob("*.html"))}
    for at, page in pages.items():
        name = at.relative_to(site.resolve())
        for to in page.loads:
            if urlsplit(to).netloc:
                yield f"{name} loads {to}"
        for to in (*page.links, *page.loads):
            if not _leads(to, at, pages):
                yield f"{name}: {to} leads nowhere"
    for at in sorted(site.rglob("*.css")):
        for to in _FETCHED.findall(at.read_text(encoding="utf-8")):
            if urlsplit(to).netloc:
                yield f"{at.relative_to(site)} loads {to}"


def _leads(to: str, at: Path, pages: dict[Path, Page]) -> bool:
    url = urlsplit(to)
    if url.scheme or url.netloc:
        return True
    there = (at.parent / unquote(url.path)).resolve() if url.path else at
    if not url.fragment or there not in pages:
        return there.is_file()
    return unquote(url.fragment) in pages[there].anchors


def main(site: str) -> None:
    """Print the faults; end with status 1 if there are any."""
    found = list(faults(Path(site)))
    print("\n".join(found) or f"every link of {site} leads somewhere, and nothing is loaded from elsewhere")
    sys.exit(bool(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
