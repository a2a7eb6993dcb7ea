"""The documentation holds together: each link leads somewhere, and generated parts are as generated."""

from __future__ import annotations

import re
import subprocess
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote

import pytest
import yaml
from babel.messages.pofile import read_po
from markdown_it import MarkdownIt
from markdown_it.token import Token

from tools import operations, site_links

ROOT = Path(__file__).parents[2]


def papers() -> list[Path]:
    """Return all Markdown files of the checkout."""
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"]
    names = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    return [ROOT / name for name in names]


def tokens(paper: Path) -> list[Token]:
    return MarkdownIt("commonmark").enable("table").parse(paper.read_text("utf-8"))


def links(paper: Path) -> list[str]:
    """Return its links, apart from those to other sites."""
    inner = [child for token in tokens(paper) for child in token.children or ()]
    found = [
        str(child.attrGet("href") or child.attrGet("src"))
        for child in inner
        if child.type in ("link_open", "image")
    ]
    return [to for to in found if not re.match(r"[a-z]+:", to)]


def anchors(paper: Path) -> set[str]:
    """Return its headings, as GitHub and the site name them."""
    found, all_of_it = set[str](), tokens(paper)
    for before, token in pairwise(all_of_it):
        if before.type == "heading_open":
            plain = "".join(c.content for c in token.children or () if c.type in ("text", "code_inline"))
            found.add(re.sub(r"[^\w -]", "", plain.lower()).replace(" ", "-"))
    return found


def test_every_link_leads_somewhere() -> None:
    """It leads to a file that is there, and to a heading that is in it."""
    lost = []
    for paper in papers():
        for to in links(paper):
            path, _, anchor = unquote(to).partition("#")
            there = (paper.parent / path).resolve() if path else paper
            if not there.exists() or (anchor and anchor not in anchors(there)):
                lost.append(f"{paper.relative_to(ROOT)}: {to}")
    assert lost == []


def test_every_page_is_found_from_the_first_one() -> None:
    """docs/index.md links to each page in docs/, in its text too: GitHub shows no tree of them."""
    linked = set(links(ROOT / "docs" / "index.md"))
    pages = {page.name for page in (ROOT / "docs").glob("*.md")}
    assert pages - linked == {"index.md", "results.md"}
    assert "docs/results.md" in links(ROOT / "README.md")


QUOTING = (
    "first-evening",
    "galloping-pigs",
    "galloping-horse",
    "giro-galoppo",
    "greyhounds",
    "host",
    "trouble",
)


def words(text: str) -> list[str]:
    return re.findall(r"\{\w+(?::\w+)?\}|[\w'-]+", text.lower().replace("’", "'"))


def sentences() -> list[list[str]]:
    """Return all that screens can say, word by word."""
    with (ROOT / "companion/locale/companion.pot").open("rb") as file:
        found = read_po(file)
    return [words(form) for m in found if m.id for form in ([m.id] if isinstance(m.id, str) else m.id)]


def agree(quoted: list[str], sentence: list[str]) -> int | None:
    """Return how many words are the sentence's own; None if one is another. A gap stands for up to three."""
    if not quoted or not sentence:
        return None if quoted else 0
    if sentence[0].startswith("{"):
        found = [agree(quoted[n:], sentence[1:]) for n in range(min(3, len(quoted)) + 1)]
        return max((own for own in found if own is not None), default=None)
    rest = agree(quoted[1:], sentence[1:]) if quoted[0] == sentence[0] else None
    return None if rest is None else rest + 1


def stands(quoted: list[str], sentence: list[str]) -> bool:
    """Return whether words are some of a sentence, and not of its gaps alone."""
    own = [agree(quoted, sentence[n:]) or 0 for n in range(len(sentence))]
    return max(own, default=0) * 3 >= len(quoted)


@pytest.mark.parametrize("name", QUOTING)
def test_what_a_page_quotes_is_what_the_screens_say(name: str) -> None:
    """All in italics stands in the catalogue, with a name or a number where that has a gap."""
    text = (ROOT / "docs" / f"{name}.md").read_text("utf-8")
    quoted = [" ".join(q.split()) for q in re.findall(r"(?<![*\w])\*([^*|]+)\*(?!\*)", text)]
    said = sentences()
    lost = [q for q in quoted if not any(stands(words(q), sentence) for sentence in said)]
    assert quoted
    assert lost == []


def test_the_table_of_operations_is_made_of_the_description() -> None:
    api = yaml.safe_load(operations.API.read_text("utf-8"))
    page = operations.PAGE.read_text("utf-8")
    assert page == operations.page(api), "run make schema"
    asked = {
        f"`{method.upper()} {path}`"
        for path, item in api["paths"].items()
        for method in item
        if method in operations.METHODS
    }
    assert asked == set(re.findall(r"^\| (`[^|]*`)", page, re.MULTILINE))


@pytest.mark.parametrize(
    ("page", "fault"),
    [
        ('<a href="b.html">', "a.html: b.html leads nowhere"),
        ('<a href="#there">', "a.html: #there leads nowhere"),
        ('<img src="picture.png">', "a.html: picture.png leads nowhere"),
        ('<script src="https://example.org/a.js"></script>', "a.html loads https://example.org/a.js"),
        ('<link rel="stylesheet" href="//example.org/a.css">', "a.html loads //example.org/a.css"),
    ],
)
def test_what_is_wrong_in_a_site_is_found(page: str, fault: str, tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(f'<h1 id="here"></h1><a href="#here"><a href="a.html#here">{page}')
    assert list(site_links.faults(tmp_path)) == [fault]


def test_a_font_of_another_host_is_found(tmp_path: Path) -> None:
    """It is found also where only a style asks for it."""
    (tmp_path / "a.css").write_text('@import "here.css"; src: url(https://example.org/font.woff2)')
    assert list(site_links.faults(tmp_path)) == ["a.css loads https://example.org/font.woff2"]
