"""What a page of packages shows of this one, and how long the README is."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from tests.project.test_papers import links

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
README = (ROOT / "README.md").read_text("utf-8")


def test_its_description_has_no_dead_link() -> None:
    """Neither pictures nor links into the repository, which nothing follows there."""
    description = PROJECT["readme"]["text"]
    assert [to for to in re.findall(r"\]\(([^)]*)\)", description) if not to.startswith("https://")] == []
    assert "companion run --mock --demo" in description


def test_it_names_its_authors() -> None:
    licence = (ROOT / "LICENSE").read_text("utf-8")
    assert all(author["name"] in licence for author in PROJECT["authors"])


def test_the_readme_says_how_to_get_it_and_what_it_costs() -> None:
    """Where from, and for each of the two commands the time, the download and the disk; a phone is shown."""
    assert "git clone" in README
    for command in ("make demo", "make test"):
        [costs] = re.findall(rf"^{command} +# (.*)", README, re.MULTILINE)
        assert re.search(r"minutes?, \d+ MB from .*, \d+ MB of disk", costs)
    assert "docs/watch.png" in links(ROOT / "README.md")


def test_the_readme_is_one_screen_of_reading() -> None:
    assert len(README.split()) <= 900
