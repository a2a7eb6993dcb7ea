"""Plug-ins: the template is built, installed and played; a broken one is named and stops nothing."""

from __future__ import annotations

import http.client
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.support.client import PATIENCE_S, Client, Companion, companion

ROOT = Path(__file__).parents[1]
FOUR = ("galloping-pigs", "galloping-horse", "giro-galoppo", "greyhounds")
TEMPLATE = ROOT / "examples" / "companion-example"


def found_in(*folders: Path) -> dict[str, str]:
    """Return an environment in which Python finds the packages in these folders, and this checkout."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (*folders, ROOT))), "LC_ALL": "C.UTF-8"}


def ran(*arguments: str, env: Mapping[str, str], cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", *arguments]
    return subprocess.run(command, env=env, cwd=cwd, capture_output=True, text=True, check=False)


def listed(env: Mapping[str, str]) -> tuple[int, list[dict[str, Any]]]:
    """Return the exit status of `companion plugins --json`, and its output."""
    done = ran("companion", "plugins", "--json", env=env)
    assert "Traceback" not in done.stderr, done.stderr
    plugins: list[dict[str, Any]] = json.loads(done.stdout)["plugins"]
    return done.returncode, plugins


# --- the template --------------------------------------------------------------------------------


class Installed(NamedTuple):
    """The template as a copy of it, and where its wheel was installed."""

    source: Path
    folder: Path


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """Return its wheel, built by what the tests have anyway and installed into a separate folder."""
    home = tmp_path_factory.mktemp("template")
    source, wheels, folder = home / "source", home / "wheels", home / "installed"
    shutil.copytree(TEMPLATE, source, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info", "build"))
    alone = ["--quiet", "--disable-pip-version-check", "--no-deps", "--no-index"]
    env = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    built = ran(
        "pip", "wheel", *alone, "--no-build-isolation", "--wheel-dir", str(wheels), str(source), env=env
    )
    assert built.returncode == 0, built.stderr
    [wheel] = wheels.glob("*.whl")
    installed = ran("pip", "install", *alone, "--target", str(folder), str(wheel), env=env)
    assert installed.returncode == 0, installed.stderr
    return Installed(source, folder)


@pytest.fixture
def with_template(template: Installed, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Return an environment with it, which a companion that is started here has too."""
    env = found_in(template.folder)
    monkeypatch.setenv("PYTHONPATH", env["PYTHONPATH"])
    return env


@pytest.mark.long
def test_each_group_of_the_template_is_listed(with_template: dict[str, str]) -> None:
    """Each group of the template is listed.

    Only here: a plug-in that the command does not list.
    """
    status, plugins = listed(with_template)
    assert status == 0
    assert [(p["group"], p["name"], p["package"], p["version"], p["brings"], p["why"]) for p in plugins] == [
        (group, name, "companion-example", "0.1.0", [name], None)
        for group, name in (
            ("companion.games", "beaver-creek"),
            ("companion.robots", "stubborn"),
            ("companion.readers", "lines"),
            ("companion.languages", "eo"),
        )
    ]


@pytest.mark.long
def test_the_list_is_a_table_for_people(with_template: dict[str, str]) -> None:
    """The list is a table for people.

    Only here: a column that a plug-in's name breaks.
    """
    done = ran("companion", "plugins", env=with_template)
    assert (done.returncode, done.stderr) == (0, "")
    for said in ("companion.languages", "beaver-creek", "companion-example", "works"):
        assert said in done.stdout


def test_its_game_is_simulated_between_its_robot_and_another(
    with_template: dict[str, str], tmp_path: Path
) -> None:
    """The records of it are replayed."""
    game = (
        "beaver-creek",
        "--seats",
        "2",
        "--games",
        "2",
        "--bots",
        "stubborn,easy",
        "--records",
        str(tmp_path),
    )
    done = ran("companion", "simulate", *game, env=with_template)
    assert (done.returncode, done.stderr) == (0, "")
    for record in tmp_path.iterdir():
        replay = ran("companion", "replay", str(record), env=with_template)
        assert (replay.returncode, "Beaver Creek" in replay.stdout) == (0, True), replay.stderr


def test_it_passes_its_own_tests(template: Installed, with_template: dict[str, str]) -> None:
    done = ran("pytest", "-q", "-p", "no:cacheprovider", "tests", env=with_template, cwd=template.source)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.long
def test_its_game_keeps_the_laws_of_every_game_and_bots_play_it(with_template: dict[str, str]) -> None:
    """The laws of every game hold for the template's game, and bots play it.

    Only here: a law of games that the template breaks, so that each new plug-in breaks it too.
    """
    laws = ("tests/games/test_laws.py", "tests/bots/test_bots.py", "-k", "beaver-creek")
    done = ran("pytest", "-q", "-p", "no:cacheprovider", *laws, env=with_template, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


def page(client: Client, path: str, language: str) -> str:
    """Return a page for a browser that asks for this language."""
    connection = http.client.HTTPConnection("127.0.0.1", client.port, timeout=PATIENCE_S)
    connection.request("GET", path, headers={"Accept-Language": language})
    said = connection.getresponse().read().decode()
    connection.close()
    return said


def stand(host: Client, uids: Mapping[str, str]) -> None:
    """Put every beaver where it belongs, several on one space too, and wait until the table sees it."""
    on: dict[int, list[str]] = {}
    for piece, place in host.table["layout"].items():
        on.setdefault(place["space"], []).append(uids[f"piece/{piece}"])
    for space, lying in on.items():
        host.space(space, *lying)
    host.until(lambda table: not table["todo"])


@pytest.mark.long
def test_its_game_is_played_at_a_table_against_its_robot_in_its_language(
    with_template: dict[str, str], tmp_path: Path
) -> None:
    """The template's game is listed, played with cards on the virtual pad, and stored in the history.

    Only here: a plug-in's game, robot or language that a running table does not use to the end of a game.
    """
    with companion(tmp_path) as running:
        client = running.client
        host = client.host()
        assert "Esperanto" in page(client, "/", "en")
        assert "Kastora rojo" in page(client, "/rules", "eo")
        assert "Beaver Creek" in host.get("/host")
        assert '"stubborn"' in host.get("/host")
        host.begin("beaver-creek", bots=["", "stubborn"], deal="people")
        uids, far = host.uids("beaver-creek"), {"brown": 0, "blue": 0}
        while True:
            table = host.until(lambda t: t["next"] is None or (t["next"]["seats"] == [0] and t))
            if table is True:
                break
            stand(host, uids)
            host.pad(uids["card/brown/3"])
            host.until(lambda t: t["next"] is None or t["next"]["seats"] == [1])
            host.pad()
            if host.table["next"] is None:
                break
            stand(host, uids)
            far = {piece: at["space"] for piece, at in host.table["layout"].items()}
        assert far["brown"] > far["blue"] > 0, "the robot has moved as well"
        [match] = host.get("/api/matches")["matches"]
        assert (match["title"], match["state"]) == ("Beaver Creek", "finished")
        assert [row["name"] for row in host.table["standings"]] == ["Ada", "Ben"]
        assert host.get("/api/hardware")["findings"] == []
        assert (tmp_path / "console.txt").read_text() == ""


def test_its_reader_lays_cards(with_template: dict[str, str], tmp_path: Path) -> None:
    """Its reader is named in companion.toml; a line into its pipe is a card on the pad."""
    pipe = tmp_path / "cards"
    (tmp_path / "companion.toml").write_text(
        f'pad = "lines"\nusb_reader = "{pipe}"\n[track]\nkind = "none"\n'
    )
    with companion(tmp_path) as running:
        client = running.client
        host = client.host()
        host.until(lambda table: table["parts"]["pad"] == "ok")
        host.begin("beaver-creek")
        uid = host.uids("beaver-creek")["card/brown/2"]
        pipe.write_text(f"{uid}\n")
        host.until(lambda table: table["state"]["progress"] == [2, 0])
        pad = host.get("/api/hardware")["pad"]
        assert (pad["kind"], pad["device"], pad["state"]) == ("other", str(pipe), "ok")


# --- broken ones ---------------------------------------------------------------------------------


def package(folder: Path, name: str, entries: str, module: str = "", version: str = "1.0") -> None:
    """Write a package as pip leaves it: its declarations, and one module of its name."""
    info = folder / f"{name}-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    (info / "entry_points.txt").write_text(entries)
    (folder / f"{name}.py").write_text(module)


FROG = """
from dataclasses import dataclass
from companion.games.galloping import GallopingPigs
@dataclass(frozen=True)
class Frogs(GallopingPigs):
    name = {name!r}
"""
ROBOT = "from companion.bots.players import Robot\nROBOT = Robot('b', 'Does as it likes.', lambda view, seat, rng: 1 / 0)\n"
BROKEN = [
    # its name, its entry points, its module, words of the reason
    ("raises", "[companion.games]\nraises = raises", "raise OSError('no\\nfrogs')", "it ends with OSError: no frogs"),
    ("absent", "[companion.games]\nabsent = nowhere:Game", "", "ModuleNotFoundError: No module named 'nowhere'"),
    ("leaves", "[companion.games]\nleaves = leaves", "raise SystemExit(3)", "it ends with SystemExit: 3"),
    ("nothing", "[companion.games]\nnothing = nothing:G", "G = 3", "3 is no game: a subclass of companion.games.race.Race"),
    ("empty", "[companion.games]\nempty = empty", "", "the module empty holds no game"),
    ("half", "[companion.games]\nhalf = half", "from companion.games.race import Race\nclass H(Race):\n    name = 'half'", "H lacks what every game has: after, awaits"),
    ("slash", "[companion.games]\nslash = slash", FROG.format(name="a/b"), """Frogs.name must be something like "pond-hop", not 'a/b'"""),
    ("pigs", "[companion.games]\npigs = pigs", FROG.format(name="galloping-pigs"), "the companion itself has something called galloping-pigs"),
    ("second", "[companion.games]\nsecond = second", FROG.format(name="frogs"), "the package first has something called frogs already"),
    ("easily", "[companion.robots]\neasy = easily:ROBOT", ROBOT, "the companion itself has something called easy"),
    ("wordless", "[companion.robots]\nwordless = wordless:ROBOT", "from companion.bots.players import Robot\nROBOT = Robot('', '', print)", "its robot has no title"),
    ("reader", "[companion.readers]\nreader = reader:PAD", "PAD = 'a pad'", "'a pad' is no reader"),
    ("english", "[companion.languages]\nen = english:L", "from pathlib import Path\nfrom companion.translate import Language\nL = Language('Anglish', Path('x.po'))", "No such file"),
    ("braces", "[companion.languages]\nit = braces:L", "from pathlib import Path\nfrom companion.translate import Language\nL = Language('Italiano', Path(__file__).with_name('it.po'))", "speak of place, which that message does not have"),
    ("typo", "[companion.game]\ntypo = typo", "", "there is no group companion.game: there are companion.games"),
    ("torn", "[companion.games]\nno equals sign", "", "its entry points cannot be read"),
]  # fmt: skip


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with all of these, one that works among them, and a robot that fails to play."""
    folder = tmp_path_factory.mktemp("broken")
    for name, entries, module, _ in BROKEN:
        package(folder, name, entries, module)
    (folder / "it.po").write_text('msgid "{piece} to {space}"\nmsgstr "{piece} a {place}"\n')
    package(
        folder, "first", "[companion.games]\nfirst = first", FROG.format(name="frogs") + "print('hello')\n"
    )
    package(folder, "breaks", "[companion.robots]\nbreaks = breaks:ROBOT", ROBOT)
    return folder


def test_each_broken_one_is_named_with_its_reason_and_breaks_nothing_else(broken: Path) -> None:
    status, plugins = listed(found_in(broken))
    assert status == 1
    by_package = {plugin["package"]: plugin for plugin in plugins}
    for name, _, _, why in BROKEN:
        assert why in by_package[name]["why"], name
        assert by_package[name]["brings"] == [], name
    assert {plugin["package"]: plugin["brings"] for plugin in plugins if plugin["why"] is None} == {
        "breaks": ["breaks"],
        "first": ["frogs"],
    }


def test_the_table_of_people_has_the_reason_and_ends_with_1(broken: Path) -> None:
    done = ran("companion", "plugins", env=found_in(broken) | {"COLUMNS": "200", "LC_ALL": "de_DE.UTF-8"})
    assert done.returncode == 1
    assert "No module named 'nowhere'" in done.stdout
    assert "Traceback" not in done.stderr


def test_without_any_it_says_what_one_is(tmp_path: Path) -> None:
    done = ran("companion", "plugins", env=found_in(tmp_path))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("no plug-ins are installed: ")
    assert listed(found_in(tmp_path)) == (0, [])


@pytest.fixture
def among_broken(broken: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Companion]:
    """Yield a companion that finds them all at its start."""
    monkeypatch.setenv("PYTHONPATH", found_in(broken)["PYTHONPATH"])
    with companion(tmp_path / "data") as running:
        running.client.host()
        yield running


@pytest.mark.long
def test_the_page_of_the_hardware_names_them_and_the_four_games_are_begun(
    among_broken: Companion, tmp_path: Path
) -> None:
    """A robot that breaks as it is to play is replaced by a careful one.

    Only here: a broken plug-in that keeps a game of ours from being played.
    """
    client = among_broken.client
    found = [one for one in client.get("/api/hardware")["findings"] if one["part"] == "plug-in"]
    assert len(found) == len(BROKEN)
    said = {one["what"]: one["cause"].lower() for one in found}
    for name, _, _, why in BROKEN:
        [cause] = [cause for what, cause in said.items() if f"the package {name} 1.0" in what]
        assert why.lower() in cause, name
    german = client.request("GET", "/api/hardware", headers={"Accept-Language": "de"})["findings"]
    assert not {one["what"] for one in german} & set(said)
    for game in (*FOUR, "frogs"):
        client.begin(game, ("Ada", "Ben", "Cleo"), deal="companion")
        assert client.table["next"]
        client.now("/api/end")
    client.begin("galloping-pigs", bots=["breaks", ""], deal="companion")
    client.until(lambda table: table["next"]["seats"] != [0] or table["next"]["do"] != "line-up")
    console = (tmp_path / "data" / "console.txt").read_text()
    assert (
        "the plug-in raises of the package raises 1.0 is broken and left out: it ends with OSError" in console
    )
    assert "the robot breaks cannot decide, a careful one does: it ends with ZeroDivisionError" in console


@pytest.mark.parametrize("game", [*FOUR, "frogs"])
def test_every_game_is_played_to_its_end_among_broken_ones(broken: Path, game: str) -> None:
    """They include a robot that breaks whenever it is to decide."""
    done = ran(
        "companion",
        "simulate",
        game,
        "--seats",
        "3",
        "--games",
        "1",
        "--bots",
        "breaks",
        env=found_in(broken),
    )
    assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr
    assert done.stdout.count("breaks") == 3


def test_a_reader_that_is_broken_is_a_tap(
    broken: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Asked for by name, a message says why, and the game goes on by taps. An unknown name is a typo."""
    monkeypatch.setenv("PYTHONPATH", found_in(broken)["PYTHONPATH"])
    (tmp_path / "companion.toml").write_text('pad = "reader"\n')
    with companion(tmp_path) as running:
        client = running.client
        table = client.until(lambda table: table["alerts"] and table)
        assert table["parts"]["pad"] == "tap"
        assert any("the reader reader cannot be used, so tap the cards" in a["text"] for a in table["alerts"])
    (tmp_path / "companion.toml").write_text('pad = "raeder"\n')
    done = ran("companion", "run", "--data", str(tmp_path), env=found_in(broken))
    assert done.returncode == 1
    assert (
        'pad must be true or false, or which: "spi", "usb", "pcsc", "reader", not \'raeder\'' in done.stderr
    )


@pytest.mark.long
def test_a_match_of_a_game_that_is_gone_waits_for_it(
    template: Installed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the plug-in everything else goes on; with it the match is where it was.

    Only here: a companion that fails over a stored match whose plug-in was removed.
    """
    monkeypatch.setenv("PYTHONPATH", found_in(template.folder)["PYTHONPATH"])
    with companion(tmp_path) as running:
        running.client.host().begin("beaver-creek")
        running.client.decide(do="swim", seat=0, far=3)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    with companion(tmp_path) as running:
        assert running.client.host().table["match"] is None
        assert running.client.get("/api/matches") == {"matches": []}
        assert "the match of beaver-creek waits" in (tmp_path / "console.txt").read_text()
        for path in ("/", "/host", "/history", "/tags", "/hardware", "/rules"):
            assert running.client.get(path)
    monkeypatch.setenv("PYTHONPATH", found_in(template.folder)["PYTHONPATH"])
    with companion(tmp_path) as running:
        assert running.client.table["state"]["progress"] == [3, 0]


def test_the_command_line_loads_nothing_of_plugins_before_it_is_asked() -> None:
    code = "import sys, companion.cli; print('companion.plugins' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], env=found_in(), capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\n"
