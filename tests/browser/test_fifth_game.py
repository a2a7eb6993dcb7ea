"""A fifth game is one file: copied into a fresh checkout it is listed, drawn, played and held to the laws."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PIN, Guests
from tests.support.client import Companion, companion

pytestmark = pytest.mark.browser

HERE = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the project with the game that CONTRIBUTING.md shows in a new file, and nothing else changed."""
    fresh = tmp_path_factory.mktemp("checkout")
    for part in ("companion", "firmware", "tests"):
        shutil.copytree(HERE / part, fresh / part, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(HERE / "pyproject.toml", fresh)
    [game] = re.findall(r"```python\n(.*?)```", (HERE / "CONTRIBUTING.md").read_text("utf-8"), re.DOTALL)
    (fresh / "companion" / "games" / "pond_hop.py").write_text(game, encoding="utf-8")
    return fresh


@pytest.fixture
def pond(checkout: Path, tmp_path: Path) -> Iterator[Companion]:
    with companion(tmp_path, checkout=checkout) as running:
        yield running


@pytest.mark.long
def test_it_keeps_the_laws_of_every_game_and_bots_play_it(checkout: Path) -> None:
    """The laws of every game hold for the fifth one, and bots play it.

    Only here: a law or a bot that holds for the four games alone, because it knows them by name.
    """
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "tests/games/test_laws.py",
        "tests/bots/test_bots.py",
        "-k",
        "pond-hop",
    ]
    ran = subprocess.run(command, cwd=checkout, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.mark.long
def test_make_words_is_all_that_its_words_need(checkout: Path, tmp_path: Path) -> None:
    """After `make words` the tests of all sentences pass, while none of its own is translated.

    Only here: a test of words that demands French and German of a maker's own game.
    """
    fresh = tmp_path / "checkout"
    shutil.copytree(checkout, fresh)
    for name in ("Makefile", "babel.cfg"):
        shutil.copy(HERE / name, fresh)
    recipe = (HERE / "Makefile").read_text("utf-8")
    python = [sys.executable, "-c", "from babel.messages.frontend import main; main()"]
    for line in re.findall(r"^\t\$\(BIN\)/pybabel (.*)$", recipe, re.MULTILINE):
        subprocess.run([*python, *shlex.split(line)], cwd=fresh, check=True)
    command = [sys.executable, "-m", "pytest", "-q", "-m", "not long", "-p", "no:cacheprovider"]
    ran = subprocess.run([*command, "tests/test_translate.py"], cwd=fresh, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.mark.long
def test_it_is_listed_and_played_with_tags_on_the_virtual_table(pond: Companion, guests: Guests) -> None:
    """The fifth game is in the host's form and is played with tags on the virtual table.

    Only here: a page, a tag or a sensed move that works for the four games alone.
    """
    home, host = f"http://127.0.0.1:{pond.client.port}", pond.client.host(PIN)
    page = guests.open(f"{home}/host")
    page.locator("[name=pin]").fill(PIN)
    page.locator("[name=pin]").press("Enter")
    expect(page.locator("#form").get_by_text("Pond Hop", exact=True)).to_be_visible()
    host.begin("pond-hop")
    table, mock = guests.open(f"{home}/"), guests.open(f"{home}/mock")
    uids = host.uids("pond-hop")
    expect(mock.locator("[data-tag][data-piece=green]")).to_be_visible()
    expect(table.locator("#big")).to_have_text("Put the green frog on start")
    host.space(0, uids["piece/green"], uids["piece/blue"])
    expect(table.locator("#big")).to_have_text("Ada, hop")
    stands = {"green": 0, "blue": 0}
    while host.table["next"] is not None:
        colour = ("green", "blue")[host.table["next"]["seats"][0]]
        stands[colour] += 3
        host.pad(uids[f"card/{colour}/3"])
        host.until(lambda t: t["todo"] and t["layout"][colour]["space"] == stands[colour])  # noqa: B023
        host.space(stands[colour], *(uids[f"piece/{c}"] for c in stands if stands[c] == stands[colour]))
        host.pad()
        host.until(lambda t: t["todo"] == [])
        expect(table.locator(f"#track [data-piece={colour}]")).to_have_attribute(
            "data-space", str(stands[colour])
        )
    assert [(row["name"], row["place"]) for row in host.table["standings"]] == [("Ada", 1), ("Ben", 2)]
    expect(table.locator("#big")).to_contain_text("Ada is across")
