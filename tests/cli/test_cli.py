"""The command line as people use it: games played at random, odds, tags, the PIN, and `companion run`."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import signal
import socket
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

import click
import msgspec
import pytest
from click.testing import CliRunner, Result

from companion.bots.contest import Played, contest
from companion.cli import main, simulate
from companion.cli.common import words
from companion.devices.mock.tags import DEMO_SET
from companion.games.giro.rules import GiroGaloppo
from companion.http.roles import PIN, SIGNING_KEY, Forbidden, PinLock
from companion.http.sockets import listen
from companion.match.record import replayed
from companion.store.journal import Journal
from companion.table.table import Table
from tests.support.client import PATIENCE_S, Client, Companion, HttpError, children, companion


def run(*arguments: str | Path, stdin: str = "") -> Result:
    return CliRunner().invoke(main, [str(a) for a in arguments], input=stdin, catch_exceptions=False)


# --- simulate ------------------------------------------------------------------------------------


def records(directory: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(directory.iterdir())}


def simulated(directory: Path, *more: str, game: str = "galloping-pigs", games: int = 3) -> dict[str, bytes]:
    ran = run("simulate", game, "--games", str(games), "--records", directory, *more)
    assert (ran.exit_code, ran.stderr) == (0, "")
    return records(directory)


def test_the_same_seed_plays_the_same_games(tmp_path: Path) -> None:
    """Records equal byte for byte; another seed plays other games."""
    one, again, other = (
        simulated(tmp_path / name, "--seed", seed) for name, seed in (("a", "7"), ("b", "7"), ("c", "8"))
    )
    assert one == again
    assert not set(one.values()) & set(other.values())
    assert len(set(one.values())) == 3, "the games of a seed differ"


def test_a_game_does_not_depend_on_how_many_are_played(tmp_path: Path) -> None:
    """Game 2 of 3 is game 2 of 12, so that a number found once can be found again."""
    few, many = simulated(tmp_path / "few"), simulated(tmp_path / "many", games=12)
    assert list(few.values()) == list(many.values())[:3]


@pytest.mark.parametrize("game", ["galloping-pigs", "galloping-horse"])
def test_every_record_replays_to_its_end(game: str, tmp_path: Path) -> None:
    for text in simulated(tmp_path, game=game).values():
        replay = replayed(text)
        assert replay.error is None
        assert replay.answer()["finished"]


def test_options_and_seats_are_those_of_the_record(tmp_path: Path) -> None:
    given = ("--seats", "2", "--option", "rounds=1", "--option", "spaces=9", "--option", "food_on_track")
    for text in simulated(tmp_path, *given).values():
        header = json.loads(text.partition(b"\n")[0])
        assert header["seats"] == ["Ada", "Ben"]
        assert header["options"] == {"rounds": 1, "spaces": 9, "food_on_track": True}


def test_the_wins_add_up() -> None:
    """A row a seat; shared victories are shared, so that all wins are 100 %."""
    ran = run("simulate", "galloping-pigs", "--games", "8", "--seats", "3", "--option", "rounds=1")
    wins = [float(row.split("│")[2].strip(" %")) for row in ran.stdout.splitlines() if "%" in row]
    assert len(wins) == 3
    assert sum(wins) == pytest.approx(100, abs=0.2)


def rows(stdout: str) -> list[list[str]]:
    """Return the rows of a printed table, its head first, a text a cell."""
    return [
        [cell.strip() for cell in line.strip("┃│").replace("┃", "│").split("│")]
        for line in stdout.splitlines()
        if line[:1] in "┃│"
    ]


def test_bots_sit_as_named(tmp_path: Path) -> None:
    """Each seat's bot is shown in its row; one name is for all; the same seed plays the same games."""
    ran = run("simulate", "galloping-pigs", "--seats", "2", "--games", "2", "--bots", "greedy, easy")
    head, *seats = rows(ran.stdout)
    assert head == ["seat", "bot", "wins", "score"]
    assert [row[:2] for row in seats] == [["Ada", "greedy"], ["Ben", "easy"]]
    one, again = (simulated(tmp_path / name, "--bots", "careful") for name in "ab")
    assert one == again != simulated(tmp_path / "c")
    assert all(replayed(text).answer()["finished"] for text in one.values())


def test_bots_that_rotate_are_counted_by_bot() -> None:
    """A bot that plays well wins from every seat, and is counted in one row."""
    given = ("--seats", "3", "--games", "30", "--bots", "random,careful,random")
    head, *bots = rows(run("simulate", "giro-galoppo", "--rotate", *given).stdout)
    assert head == ["bot", "wins", "score"]
    assert [row[0] for row in bots] == ["random", "careful", "random"]
    wins = [float(row[1].strip("%")) for row in bots]
    assert wins[1] > 60
    assert sum(wins) == pytest.approx(100, abs=0.2)


@pytest.mark.parametrize(("most", "seats"), [(3, 3), (4, 4), (6, 4)])
def test_as_many_seats_as_the_game_allows(
    most: int, seats: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Four where nothing is said, or fewer if the game has no more: its first command works."""
    monkeypatch.setattr(GiroGaloppo, "seat_counts", (2, most))
    [text] = simulated(tmp_path, game="giro-galoppo", games=1).values()
    assert len(json.loads(text.partition(b"\n")[0])["seats"]) == seats


def test_a_long_simulation_says_how_long_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a log a line now and then, on a terminal a bar; a short one says nothing."""
    quick = ("simulate", "giro-galoppo", "--games", "3")
    assert run(*quick).stderr == ""
    monkeypatch.setattr(simulate, "_EVERY_S", 0.0)
    lines = run(*quick).stderr.splitlines()
    assert [line.partition(" are")[0] for line in lines] == ["1 of 3 games", "2 of 3 games"]
    assert all(re.search(r"about \d+ s to go$", line) for line in lines)


def test_no_games_are_no_error(tmp_path: Path) -> None:
    assert simulated(tmp_path, games=0) == {}


MISUSE = [
    # what is wrong, the arguments, what is said
    (
        "a game that there is not",
        ["pigz"],
        "no game called 'pigz': there are galloping-horse, galloping-pigs",
    ),
    ("a game nearly named", ["galoping-pigs"], "do you mean galloping-pigs?"),
    ("no game", [], "Missing argument 'GAME'"),
    ("too many seats", ["galloping-pigs", "--seats", "6"], "galloping-pigs has 2 to 5 seats, not 6"),
    (
        "too few cards",
        ["galloping-pigs", "--seats", "5"],
        "5 players need cards_per_colour of 8 or more, not 7",
    ),
    ("too few", ["galloping-pigs", "--seats", "1"], "galloping-pigs has 2 to 5 seats, not 1"),
    ("less than none", ["galloping-pigs", "--seats", "-1"], "-1 is not in the range"),
    ("less than no games", ["galloping-pigs", "--games", "-1"], "-1 is not in the range"),
    ("an option nearly named", ["galloping-pigs", "--option", "space=9"], "unknown key 'space'"),
    ("an option out of range", ["galloping-pigs", "--option", "spaces=5"], "spaces must be 6 to 1000, not 5"),
    ("an option without a value", ["galloping-pigs", "--option", "spaces"], "spaces must be a whole number"),
    (
        "an option that is a word",
        ["galloping-pigs", "--option", "food=much"],
        'food must be a whole number, not "much"',
    ),
    (
        "a bot that there is not",
        ["giro-galoppo", "--bots", "clever"],
        "no bot called 'clever': there are random, playful",
    ),
    (
        "a bot too few",
        ["giro-galoppo", "--bots", "easy,strong"],
        "--bots names 2, but there are 4 seats: name one for",
    ),
    (
        "nobody to change seats",
        ["giro-galoppo", "--rotate"],
        "--rotate moves bots from seat to seat: name them",
    ),
    ("an option called start", ["galloping-pigs", "--option", "start=1"], "options: unknown key 'start'"),
]


@pytest.mark.parametrize(("arguments", "said"), [row[1:] for row in MISUSE], ids=[row[0] for row in MISUSE])
def test_a_simulation_that_cannot_be_ends_with_2(arguments: list[str], said: str) -> None:
    ran = (
        run("simulate", *arguments, "--games", "1")
        if "--games" not in arguments
        else run("simulate", *arguments)
    )
    assert (ran.exit_code, ran.stdout) == (2, "")
    assert said in " ".join(ran.stderr.split())


def test_records_that_cannot_be_written_are_reported_before_play(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    ran = run("simulate", "galloping-pigs", "--records", tmp_path / "file" / "records")
    assert (ran.exit_code, ran.stdout) == (1, "")
    assert "cannot be used: Not a directory" in ran.stderr


def test_what_ctrl_c_leaves_unplayed_takes_nothing_from_the_games_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are counted, their records stored; status 130, and their number stands above the table."""

    def interrupted(*given: Any) -> Iterator[Played]:
        yield from islice(contest(*given), 2)
        raise KeyboardInterrupt

    whole = simulated(tmp_path / "whole")
    monkeypatch.setattr("companion.bots.contest.contest", interrupted)
    ran = run("simulate", "galloping-pigs", "--games", "3", "--records", tmp_path / "cut")
    said = f"stopped: 2 of 3 games are counted, and their records are in {tmp_path / 'cut'}\n"
    assert (ran.exit_code, ran.stderr) == (130, said)
    assert records(tmp_path / "cut") == dict(list(whole.items())[:2])
    wins = [float(row[1].strip("%")) for row in rows(ran.stdout)[1:]]
    assert sum(wins) == pytest.approx(100, abs=0.3)


def test_a_disk_that_is_full_takes_nothing_from_the_games_before(tmp_path: Path) -> None:
    """The record that did not fit is not there in part."""
    (tmp_path / "galloping-pigs-0-1.jsonl").symlink_to("/dev/full")
    ran = run("simulate", "galloping-pigs", "--games", "3", "--records", tmp_path)
    assert ran.exit_code == 1
    assert ran.stderr.startswith(
        f"{tmp_path / 'galloping-pigs-0-1.jsonl'} cannot be written: No space left on"
    )
    assert "1 of 3 games are counted" in ran.stderr
    assert list(records(tmp_path)) == ["galloping-pigs-0-0.jsonl"]
    assert len(rows(ran.stdout)) == 5


# --- odds ----------------------------------------------------------------------------------------

OPEN = b'{"record": 1, "game": "galloping-pigs", "seats": ["Ada", "Ben"], "options": {"rounds": 1}}\n'


def test_the_odds_of_a_finished_game_are_exact(tmp_path: Path) -> None:
    """A victory is 1 and 0, or the shares of a shared one."""
    for name, text in simulated(tmp_path).items():
        ran = run("odds", tmp_path / name, "--json")
        answer = json.loads(ran.stdout)
        assert ran.exit_code == 0
        assert answer["exact"] is True
        first = [s["seat"] for s in replayed(text).answer()["standings"] if s["place"] == 1]
        assert answer["chances"] == [
            {"what": f"win/{seat}", "p": (seat in first) / len(first), "error": 0.0} for seat in range(4)
        ]


def test_the_odds_of_an_open_game_add_up_and_repeat() -> None:
    """The same seed gives the same odds; they add up to 1 and say how sure they are."""
    one, again, other = (
        run("odds", "-", "--json", *seed, stdin=OPEN.decode()).stdout for seed in ([], [], ["--seed", "1"])
    )
    assert one == again != other
    answer = json.loads(one)
    assert answer["exact"] is False
    assert sum(chance["p"] for chance in answer["chances"]) == pytest.approx(1)
    assert all(0 < chance["error"] < 0.5 for chance in answer["chances"])


def test_plain_odds_name_the_seats() -> None:
    lines = run("odds", "-", stdin=OPEN.decode()).stdout.splitlines()
    assert [line.split()[:2] for line in lines] == [["win", "Ada"], ["win", "Ben"]]
    assert all("± " in line for line in lines)


def test_odds_of_a_bad_record_end_like_its_replay(tmp_path: Path) -> None:
    """After a bad line the odds before it and exit 1, after a bad header nothing, without a file exit 2."""
    ran = run("odds", "-", "--json", stdin=OPEN.decode() + "{}\n")
    assert (ran.exit_code, ran.stderr) == (1, "-:2: the key 'do' is missing\n")
    assert len(json.loads(ran.stdout)["chances"]) == 2
    ran = run("odds", "-", "--json", stdin="{}\n")
    assert (ran.exit_code, ran.stdout) == (1, "")
    assert ran.stderr == "-:1: header: the key 'record' is missing\n"
    assert run("odds", tmp_path / "missing.jsonl").exit_code == 2


@pytest.mark.parametrize("command", [["odds", "-"], ["luck", "-"], ["odds-chart"]])
def test_no_seed_is_below_nought(command: list[str]) -> None:
    ran = run(*command, "--seed", "-1", stdin=OPEN.decode())
    assert (ran.exit_code, "-1 is not in the range x>=0" in ran.stderr) == (2, True)


# --- tags ----------------------------------------------------------------------------------------

RED_3 = "galloping-pigs/card/red/3"
BAD_TAGS = [
    # what is wrong, the file, the line and how the reason begins
    ("a UID alone", "04A1B2C3D4E5F6", "1: a line has a UID and its meaning"),
    (
        "a UID that is no hex",
        f"04A1B2C3D4E5FG {RED_3}",
        "1: '04A1B2C3D4E5FG' is no UID: it has 4, 7 or 10 bytes",
    ),
    ("a UID of five bytes", f"04A1B2C3D4 {RED_3}", "1: '04A1B2C3D4' is no UID"),
    ("half a byte", f"04A1B2C3D4E5F {RED_3}", "1: '04A1B2C3D4E5F' is no UID"),
    ("a random UID of a phone", f"08A1B2C3 {RED_3}", "1: '08A1B2C3' changes at every read"),
    ("a random UID, written otherwise", f"08:a1:b2:c3 {RED_3}", "1: '08:a1:b2:c3' changes at every read"),
    ("a meaning that is none", "04A1B2C3D4E5F6 red", "1: a tag means GAME/card/COLOUR/NUMBER or GAME/piece"),
    ("a card without a number", "04A1B2C3D4E5F6 galloping-pigs/card/red", "1: a tag means"),
    ("a card with a word for a number", "04A1B2C3D4E5F6 galloping-pigs/card/red/three", "1: a tag means"),
    ("a piece with a number", "04A1B2C3D4E5F6 galloping-pigs/piece/red/1", "1: a tag means"),
    (
        "a tag twice",
        f"04A1B2C3D4E5F6 {RED_3}\n04a1b2c3d4e5f6 {RED_3[:-1]}4",
        "2: the tag 04A1B2C3D4E5F6 stands here",
    ),
    ("two tags for one card", f"04A1B2C3D4E5F6 {RED_3}\n04A1B2C3D4E5F7 {RED_3}", f"2: two tags for {RED_3}"),
    ("remarks and blank lines count", f"# my set\n\n04A1B2C3D4E5F6 {RED_3}\nnonsense", "4: a line has a UID"),
    (
        "a game that there is not",
        "04A1B2C3D4E5F6 galloping-pigz/piece/red",
        "1: no game called 'galloping-pigz'",
    ),
    ("a colour it has not", "04A1B2C3D4E5F6 galloping-horse/piece/pink", "1: galloping-horse has red, blue,"),
    ("a card it has not", "04A1B2C3D4E5F6 giro-galoppo/card/red/7", "1: giro-galoppo has cards 1 to 6"),
]


@pytest.mark.parametrize(("text", "said"), [row[1:] for row in BAD_TAGS], ids=[row[0] for row in BAD_TAGS])
def test_bad_tags_are_named_with_their_line_and_nothing_is_learnt(
    text: str, said: str, tmp_path: Path
) -> None:
    """Lines before the bad one are not learnt either: mend the file and import it again."""
    file = tmp_path / "tags.txt"
    file.write_text(f"{text}\n04FFFFFFFFFFFF galloping-pigs/piece/red\n", encoding="utf-8")
    ran = run("tags", "import", file, "--data", tmp_path / "data")
    assert (ran.exit_code, ran.stdout) == (1, "")
    assert ran.stderr.startswith(f"Error: {file}:{said}")
    assert run("tags", "list", "--data", tmp_path / "data").stdout == ""


def test_tags_are_learnt_listed_and_learnt_from_the_list(tmp_path: Path) -> None:
    """The output of `tags list` is what `tags import` reads, UIDs as the companion writes them."""
    text = f"# mine\n\n04:a1:b2:c3:d4:e5:f6 {RED_3}  # a bit torn\n 11 22 33 44\tgalloping-pigs/piece/red\n"
    ran = run("tags", "import", "-", "--data", tmp_path, stdin=text)
    assert (ran.exit_code, ran.stdout) == (0, "2 tags learnt\n")
    listed = run("tags", "list", "--data", tmp_path).stdout
    assert listed == f"04A1B2C3D4E5F6 {RED_3}\n11223344 galloping-pigs/piece/red\n"
    assert run("tags", "import", "-", "--data", tmp_path / "other", stdin=listed).exit_code == 0
    assert run("tags", "list", "--data", tmp_path / "other").stdout == listed


def test_tags_saved_in_notepad_are_learnt(tmp_path: Path) -> None:
    """The file has a byte-order mark, and lines that end as Windows ends them."""
    (tmp_path / "tags.txt").write_bytes(b"\xef\xbb\xbf04A1B2C3D4E5F6 galloping-pigs/card/red/3\r\n\r\n")
    ran = run("tags", "import", tmp_path / "tags.txt", "--data", tmp_path)
    assert (ran.exit_code, ran.stdout) == (0, "1 tag learnt\n")


@pytest.mark.parametrize("settings", ["", 'usb_format = "decimal"', 'usb_format = "hex-reversed"'])
def test_tags_go_into_a_spreadsheet_and_come_back(settings: str, tmp_path: Path) -> None:
    """`tags export` is what `tags import` reads, also where the readers have another format; so is `tags list`."""
    (tmp_path / "companion.toml").write_text(settings, encoding="utf-8")
    tags = f"UID (hex);meaning\n04A1B2C3D4E5F6;{RED_3}\n30 40 70 30;galloping-pigs/piece/red\n"
    assert run("tags", "import", "-", "--data", tmp_path, stdin=tags).exit_code == 0
    assert run("tags", "export", "--data", tmp_path).stdout == tags
    assert run("tags", "export", tmp_path / "tags.csv", "--data", tmp_path).exit_code == 0
    assert (tmp_path / "tags.csv").read_text("utf-8") == tags
    listed = run("tags", "list", "--data", tmp_path).stdout
    for text in (tags, listed):
        assert run("tags", "import", "-", "--data", tmp_path, stdin=text).stdout == "2 tags learnt\n"
        assert run("tags", "export", "--data", tmp_path).stdout == tags
    gone = run("tags", "export", tmp_path / "no" / "tags.csv", "--data", tmp_path)
    assert (gone.exit_code, "No such file" in gone.stderr) == (2, True)


def test_a_list_has_the_format_of_the_readers(tmp_path: Path) -> None:
    """A decimal number was learnt as hex, and the card was never found."""
    (tmp_path / "companion.toml").write_text('usb_format = "decimal"', encoding="utf-8")
    line = "30407030 galloping-pigs/card/red/1\n"
    assert run("tags", "import", "-", "--data", tmp_path, stdin=line).exit_code == 0
    assert "01CFF976;galloping-pigs/card/red/1" in run("tags", "export", "--data", tmp_path).stdout
    other = tmp_path / "other.toml"
    other.write_text('usb_format = "hex"', encoding="utf-8")
    assert run("tags", "import", "-", "--data", tmp_path, "--settings", other, stdin=line).exit_code == 0
    assert "30 40 70 30" in run("tags", "export", "--data", tmp_path).stdout


def test_a_tag_that_cannot_be_is_refused_with_its_line(tmp_path: Path) -> None:
    ran = run("tags", "import", "-", "--data", tmp_path, stdin=f"\n88046E51 {RED_3}\n")
    assert ran.exit_code == 1
    assert "-:2: '88046E51' is only a part of a longer UID" in ran.stderr


def test_a_card_with_a_new_tag_forgets_the_old_one(tmp_path: Path) -> None:
    for uid in ("04A1B2C3D4E5F6", "04A1B2C3D4E5F7"):
        run("tags", "import", "-", "--data", tmp_path, stdin=f"{uid} {RED_3}\n")
    assert run("tags", "list", "--data", tmp_path).stdout == f"04A1B2C3D4E5F7 {RED_3}\n"


def test_a_whole_set_is_learnt_and_listed(tmp_path: Path) -> None:
    text = "".join(f"{uid} {means}\n" for uid, means in DEMO_SET.items())
    assert (
        run("tags", "import", "-", "--data", tmp_path, stdin=text).stdout == f"{len(DEMO_SET)} tags learnt\n"
    )
    assert sorted(run("tags", "list", "--data", tmp_path).stdout.splitlines()) == sorted(text.splitlines())


def test_tags_of_a_file_that_is_not_there_end_with_2(tmp_path: Path) -> None:
    ran = run("tags", "import", tmp_path / "none", "--data", tmp_path / "data")
    assert (ran.exit_code, ran.stderr) == (2, f"{tmp_path / 'none'}: No such file or directory\n")
    assert not (tmp_path / "data").exists()


# --- the PIN -------------------------------------------------------------------------------------


def lets_in(data: Path, pin: str) -> bool:
    """Return whether a companion with this data accepts this PIN."""
    with closing(Journal(data / "journal.sqlite")) as journal:
        try:
            PinLock(Table(journal).open()).check(pin, "a device")
        except Forbidden:
            return False
        return True


def test_a_new_pin_replaces_the_old_one_and_is_never_shown(tmp_path: Path) -> None:
    for new in ("2468", "a long and winding PIN"):
        ran = run("pin", "--data", tmp_path, stdin=f"{new}\n{new}\n")
        assert ran.exit_code == 0
        assert new not in ran.output
    assert not lets_in(tmp_path, "2468")
    assert lets_in(tmp_path, "a long and winding PIN")
    assert b"winding" not in (tmp_path / "journal.sqlite").read_bytes(), "only its hash is stored"


def test_a_pin_typed_differently_twice_is_asked_for_again(tmp_path: Path) -> None:
    ran = run("pin", "--data", tmp_path, stdin="2468\n2469\n1357\n1357\n")
    assert ran.exit_code == 0
    assert lets_in(tmp_path, "1357")


def test_a_pin_that_is_too_short_changes_nothing(tmp_path: Path) -> None:
    run("pin", "--data", tmp_path, stdin="2468\n2468\n")
    ran = run("pin", "--data", tmp_path, stdin="123\n123\n")
    assert ran.exit_code == 1
    assert "a PIN has 4 to 64 characters" in ran.output
    assert lets_in(tmp_path, "2468")


# --- run: what keeps it from starting ------------------------------------------------------------


def assert_does_not_start(data: Path, said: str, *more: str | Path, status: int = 1) -> None:
    """Assert that it ends at once with one sentence, and that the address was never shown."""
    ran = run("run", "--mock", "--port", "0", "--data", data, *more)
    assert (ran.exit_code, ran.stdout) == (status, "")
    assert said in " ".join(ran.stderr.split())


def test_a_port_that_is_taken_is_named(tmp_path: Path) -> None:
    with closing(listen(0)) as other:
        port = other.getsockname()[1]
        assert_does_not_start(
            tmp_path, f"port {port}: Address already in use; choose another", "--port", str(port)
        )
    assert list(tmp_path.glob("*.sqlite-wal")) == [], "the journal was closed"


def test_a_port_that_cannot_be_is_misuse(tmp_path: Path) -> None:
    assert_does_not_start(tmp_path, "99999 is not in the range", "--port", "99999", status=2)


BAD_SETTINGS = [
    ("an unknown key", "pda = true", "companion.toml: unknown key 'pda'; do you mean 'pad'?"),
    ("no TOML", "pad: true", "companion.toml: line 1: write an equals sign here: ="),
    ("no text", "\udcff", "companion.toml: the text is not in UTF-8"),
]


@pytest.mark.parametrize(
    ("text", "said"), [row[1:] for row in BAD_SETTINGS], ids=[row[0] for row in BAD_SETTINGS]
)
def test_settings_that_cannot_be_meant_are_named(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "companion.toml").write_bytes(text.encode("utf-8", "surrogateescape"))
    assert_does_not_start(tmp_path, said)


def test_settings_that_are_named_must_be_there(tmp_path: Path) -> None:
    """A file named by hand must exist; the default one need not."""
    assert_does_not_start(tmp_path, "there are no settings at", "--settings", tmp_path / "typo.toml")


@pytest.mark.parametrize("command", [["run", "--mock", "--port", "0"], ["tags", "export"], ["pin"]])
def test_a_home_that_cannot_be_used(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Read-only, missing or none at all: the message says that --data names another directory."""
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    (tmp_path / "home").touch()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    said = run(*command)
    assert (said.exit_code, said.stdout) == (1, "")
    assert f"{tmp_path}/home/.local/share/race-companion cannot be used" in said.stderr
    assert "with --data DIRECTORY" in said.stderr
    monkeypatch.setattr(Path, "home", lambda: Path("~nobody-at-all").expanduser())
    assert "you have no home directory: name one that you may write to, with --data" in run(*command).stderr


def test_a_directory_in_the_place_of_the_settings_is_named(tmp_path: Path) -> None:
    (tmp_path / "companion.toml").mkdir()
    assert_does_not_start(tmp_path, "companion.toml: cannot be read: Is a directory")


def test_a_data_directory_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    settings = tmp_path / "companion.toml"
    settings.touch()
    said = "cannot be used: Not a directory; name one that you may write to"
    assert_does_not_start(tmp_path / "file" / "data", said, "--settings", settings)


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
def test_a_data_directory_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    assert_does_not_start(tmp_path, "cannot be used: Permission denied; name one that you may write to")
    tmp_path.chmod(0o700)


def test_a_journal_that_is_a_directory_is_named_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "journal.sqlite").mkdir()
    assert_does_not_start(
        tmp_path, "journal.sqlite cannot be used: unable to open database file; name another"
    )


def test_an_unreadable_journal_is_saved_next_to_the_new_one(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """An unreadable file is reported on the console, and stays where people find it."""
    content = b"my diary, long enough to be no empty file\n" * 20
    (tmp_path / "journal.sqlite").write_bytes(content)
    assert run("pin", "--data", tmp_path, stdin="2468\n2468\n").exit_code == 0
    assert lets_in(tmp_path, "2468")
    [damaged] = tmp_path.glob("journal.damaged-*.sqlite")
    assert damaged.read_bytes() == content
    assert f"the damaged file is kept as {damaged.name}" in caplog.text


# --- run: running --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Companion]:
    """Yield a demo that runs for several tests, none of which plays."""
    with companion(tmp_path_factory.mktemp("demo"), "--demo") as running:
        yield running


def pin_of(running: Companion) -> str:
    return next(line.split()[-1] for line in running.greeting if line.startswith("PIN"))


def data_of(running: Companion) -> Path:
    return running.data


def test_the_demo_starts_with_a_game_and_a_pin(demo: Companion) -> None:
    """A line-up that needs one press, a PIN that lets a host in, and the mock shown loudly."""
    table = demo.client.until(lambda table: table["seq"] and table)
    assert table["match"]["game"] == "galloping-pigs"
    assert len(table["match"]["seats"]) == 4
    assert table["match"]["options"] == {"food_on_track": True}
    assert table["next"] == {"do": "line-up", "seats": [0]}
    assert any(line.startswith("MOCK hardware") for line in demo.greeting)
    host = Client(demo.client.port)
    assert host.post("/api/unlock", pin=pin_of(demo), role="host")["roles"] == ["host"]


def test_a_second_companion_on_the_same_data_is_refused_and_the_first_plays_on(demo: Companion) -> None:
    assert "/piece/red" in run("tags", "list", "--data", data_of(demo)).stdout, "reading disturbs no one"
    for command in (["run", "--mock", "--port", "0"], ["tags", "import", "-"], ["pin"]):
        ran = run(*command, "--data", data_of(demo))
        assert (ran.exit_code, ran.stdout) == (1, "")
        assert "another companion runs with the data in" in ran.stderr
        assert "stop it first" in ran.stderr
    assert demo.client.get("/healthz")["ok"] is True


def test_the_console_keeps_secrets(demo: Companion) -> None:
    """The PIN stands in the greeting once and nowhere else; no key, no hash, no cookie is ever written."""
    client = Client(demo.client.port)
    client.post("/api/unlock", pin=pin_of(demo), role="host")
    with pytest.raises(HttpError):
        client.post("/api/unlock", pin="wrong", role="host")
    with pytest.raises(HttpError):
        client.request("POST", "/api/unlock", {"pin": pin_of(demo), "role": "king"})
    with closing(Journal(data_of(demo) / "journal.sqlite")) as journal:
        pin = journal.recall(PIN)
        assert pin is not None
        secrets = [journal.recall(SIGNING_KEY), *msgspec.structs.astuple(pin)]
    log = (data_of(demo) / "console.txt").read_text(encoding="utf-8")
    greeting = "".join(demo.greeting)
    assert greeting.count(pin_of(demo)) == 1 or pin_of(demo) in str(demo.client.port)
    for secret in (*secrets, client._cookie.partition("=")[2]):
        assert secret
        assert secret not in log + greeting
    assert f"PIN {pin_of(demo)}" not in log
    assert "Traceback" not in log


def test_sigterm_ends_it_with_0_at_once_also_with_open_streams(tmp_path: Path) -> None:
    """Every stream is ended, not cut; the journal is closed; no process is left."""
    with companion(tmp_path, "--demo") as running:
        streams = [opened(running.client.port, path) for path in ("/events", "/events?as=page&calm")]
        idle = socket.create_connection(("127.0.0.1", running.client.port))
        started = children(running.process.pid)
        assert len(started) >= 2, "odds and the virtual track have a process each"
        assert running.stop() == 0
        for stream in streams:
            assert stream.makefile("rb").read().endswith(b"0\r\n\r\n"), "the last chunk says that it ends"
            stream.close()
        idle.close()
    assert not [pid for pid in started if Path(f"/proc/{pid}").exists()]
    assert not (tmp_path / "journal.sqlite-wal").exists()
    assert (tmp_path / "console.txt").read_text(encoding="utf-8") == ""


def test_a_terminal_that_closes_does_not_end_the_evening(tmp_path: Path) -> None:
    """SIGHUP, and a console that takes nothing any more: it is served on, and ended by SIGTERM with 0."""
    terminal, ours = pty.openpty()
    (tmp_path / "companion.toml").write_text('log = "info"\n', encoding="utf-8")
    with subprocess.Popen(
        [sys.executable, "-m", "companion", "run", "--mock", "--port", "0", "--data", str(tmp_path)],
        stdin=ours,
        stdout=ours,
        stderr=ours,
        start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
    ) as process:
        try:
            os.close(ours)
            said = b""
            while b"Ctrl+C ends it" not in said:
                said += os.read(terminal, 4096)
            os.close(terminal)
            client = Client(int(said.split(b"localhost:")[1].split(b"/")[0]))
            with pytest.raises(HttpError):  # a line of the log, which cannot be written
                client.post("/api/unlock", pin="1", role="host")
            assert client.get("/healthz")["ok"] is True
            process.terminate()
            assert process.wait(PATIENCE_S) == 0
        finally:
            process.kill()


def test_a_closed_terminal_is_one_line_of_the_log(tmp_path: Path) -> None:
    with companion(tmp_path) as running:
        running.process.send_signal(signal.SIGHUP)
        assert running.stop() == 0
    console = (tmp_path / "console.txt").read_text(encoding="utf-8").splitlines()
    [line] = (line for line in console if "terminal" in line)  # a starved machine may lose the modelled track
    assert f"the terminal has closed: the companion goes on; end it with kill {running.process.pid}" in line


def opened(port: int, path: str) -> socket.socket:
    """Return an open stream of which the first event has begun to come."""
    stream = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S)
    stream.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    assert stream.recv(100).startswith(b"HTTP/1.1 200")
    return stream


def test_ctrl_c_ends_the_demo_quietly_and_it_keeps_nothing(tmp_path: Path) -> None:
    """Ctrl+C reaches the whole group of processes: no traceback, status 0, no directory left."""
    process = subprocess.Popen(
        [sys.executable, "-m", "companion", "run", "--mock", "--demo", "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
        env=os.environ | {"TMPDIR": str(tmp_path)},
    )
    assert process.stdout is not None
    with process.stdout:
        for line in process.stdout:
            if line.startswith("the table page"):
                port = int(line.split("localhost:")[1].split("/")[0])
            if line.startswith("Ctrl+C"):
                break
        assert Client(port).get("/healthz")["ok"] is True
        assert list(tmp_path.glob("companion-demo-*")), "it keeps its data here for now"
        os.killpg(process.pid, signal.SIGINT)
        assert process.stdout.read() == ""
    assert process.wait(PATIENCE_S) == 0
    assert list(tmp_path.iterdir()) == []


def test_a_killed_companion_leaves_no_process_behind(tmp_path: Path) -> None:
    """Its children notice that it is gone and end by themselves."""
    with companion(tmp_path) as running:
        started = children(running.process.pid)
        running.kill()
    end = time.monotonic() + PATIENCE_S
    while [pid for pid in started if alive(pid)]:
        assert time.monotonic() < end, "a child still runs"
        time.sleep(0.02)  # the system reports only the end of our own processes


def alive(pid: int) -> bool:
    try:
        return "State:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False


@pytest.mark.long
def test_the_demo_with_data_goes_on_with_its_game(tmp_path: Path) -> None:
    """With --data the demo's game is stored; a new start has a new PIN and the old game.

    Only here: a demo that forgets its game although it has a directory.
    """
    with companion(tmp_path, "--demo") as running:
        first, seq = pin_of(running), running.client.table["seq"]
    with companion(tmp_path, "--demo") as running:
        table: dict[str, Any] = running.client.table
        assert (table["seq"], table["match"]["id"]) == (seq, 1)
        running.client.host(pin_of(running))
    assert first == pin_of(running) or not lets_in(tmp_path, first)


def test_without_demo_there_is_no_pin_and_no_match(tmp_path: Path) -> None:
    """In an empty directory there is no match and no PIN, and the tags of all games are off the table."""
    with companion(tmp_path) as running:
        assert not any("PIN" in line for line in running.greeting)
        table = running.client.table
        assert (table["match"], table["seq"], table["mock"]) == (None, 0, True)
        tags = running.client.get("/api/mock")["tags"]
        known = {
            means for means in DEMO_SET.values() if not means.startswith("snail-sprint/")
        }  # a test's game
        assert {tag["means"] for tag in tags.values()} == known
        assert {tag["at"] for tag in tags.values()} == {"off"}
        running.client.host("1357")
    assert not lets_in(tmp_path, "2468")


# --- in the terminal's language ------------------------------------------------------------------

LOCALES = [
    # LC_ALL, LC_MESSAGES, LANG, LANGUAGE, the language spoken
    ("", "", "de_DE.UTF-8", "", "de"),
    ("", "fr_CH.UTF-8", "de_DE.UTF-8", "", "fr"),
    ("de_AT@euro", "fr_FR", "en_GB", "", "de"),
    ("", "", "en_GB.UTF-8", "it:fr:de", "fr"),
    ("", "", "", "de", "de"),
    ("C.UTF-8", "", "de_DE.UTF-8", "de", "en"),
    ("", "", "POSIX", "de", "en"),
    ("", "", "it_IT.UTF-8", "", "en"),
    ("", "", "no locale", "", "en"),
    ("", "", "", "", "en"),
]


@pytest.mark.parametrize(("all_", "messages", "lang", "language", "spoken"), LOCALES)
def test_the_language_is_that_of_the_locale(
    all_: str, messages: str, lang: str, language: str, spoken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It follows gettext: LC_ALL before LC_MESSAGES before LANG; $LANGUAGE first, unless that says C."""
    given = {"LC_ALL": all_, "LC_MESSAGES": messages, "LANG": lang, "LANGUAGE": language}
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    assert words().language == spoken


SPOKEN = [
    ("de", ["doctor", "--seconds", "1"], "dieser Tisch hat keine Hardware"),
    ("de", ["doctor", "--mock", "--seconds", "1"], "Alles, was sich ansehen lässt, geht."),
    ("fr", ["doctor", "--settings", "none"], "il n’y a pas de réglages à none"),
    ("fr", ["flash", "--port", "/dev/no-such-port"], "il n’y a rien à /dev/no-such-port"),
    ("de", ["tags", "import", "-"], "1 Tag gelernt"),
    ("fr", ["pin"], "le nouveau PIN est gardé"),
    ("de", ["odds", "-"], "Sieg "),
    ("de", ["odds", "-", "--json"], '"what": "win/0"'),
    ("fr", ["replay", "-"], "Next: Ada, line up the pigs"),
]


@pytest.mark.parametrize(("language", "command", "said"), SPOKEN)
def test_people_are_answered_in_their_language_and_programs_in_english(
    language: str, command: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The text of a record, and the output of --json, is the same everywhere."""
    monkeypatch.setenv("LC_ALL", f"{language}_XX.UTF-8")
    data = [] if command[0] in ("odds", "replay", "flash") else ["--data", str(tmp_path)]
    stdin = {"tags": f"04A1B2C3D4E5F6 {RED_3}\n", "pin": "2468\n2468\n"}.get(command[0], OPEN.decode())
    assert said in run(*command, *data, stdin=stdin).output


# --- what a terminal cannot take -----------------------------------------------------------------


@pytest.mark.parametrize(
    "command",
    [["replay", "--json", "-"], ["doctor", "--mock", "--seconds", "1"], ["simulate", "--help"]],
    ids=lambda command: command[0],
)
def test_output_that_finds_no_room_ends_with_2_and_a_sentence(command: list[str], tmp_path: Path) -> None:
    """That holds for all output: plain lines, tables, help."""
    data = ["--data", str(tmp_path)] if command[0] == "doctor" else []
    with open("/dev/full", "wb") as full:
        ran = subprocess.run(
            [sys.executable, "-m", "companion", *command, *data],
            input=OPEN,
            stdout=full,
            stderr=subprocess.PIPE,
        )
    said = b"Error: the output cannot be written: No space left on device; send it elsewhere\n"
    assert (ran.returncode, ran.stderr) == (2, said)


def test_a_terminal_without_our_letters_shows_a_question_mark(tmp_path: Path) -> None:
    """The degrees of the modelled Pico: printed by rich, to a stream of ASCII."""
    ran = subprocess.run(
        [sys.executable, "-m", "companion", "doctor", "--mock", "--seconds", "1", "--data", str(tmp_path)],
        env=os.environ | {"PYTHONIOENCODING": "ascii"},
        capture_output=True,
    )
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert b" ?C" in ran.stdout


# --- the rest ------------------------------------------------------------------------------------


def test_it_says_its_version_and_helps() -> None:
    from companion import __version__

    assert run("--version").stdout == f"companion, version {__version__}\n"
    for command in ([], ["replay"], ["odds"], ["simulate"], ["run"], ["tags"], ["tags", "import"], ["pin"]):
        ran = run(*command, "-h")
        assert ran.exit_code == 0
        assert ran.stdout.startswith("Usage: ")


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("companion simulate galloping-", {"plain,galloping-pigs", "plain,galloping-horse"}),
        ("companion simulate giro-galoppo --bots careful,gr", {"plain,careful,greedy"}),
        ("companion replay rec", {"file,rec"}),
        ("companion luck rec", {"file,rec"}),
        ("companion tags import my", {"file,my"}),
        ("companion run --settings my", {"file,my"}),
        ("companion run --data my", {"dir,my"}),
        ("companion flash --port /dev/", {"file,/dev/"}),
        ("companion od", {"plain,odds", "plain,odds-chart"}),
    ],
)
def test_a_shell_completes_files_games_bots_and_commands(line: str, offered: set[str]) -> None:
    """Completion is click's own, as the last line of --help switches it on."""
    asked = {
        "_COMPANION_COMPLETE": "bash_complete",
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(line.split()) - 1),
    }
    ran = CliRunner().invoke(main, env=asked, prog_name="companion")
    assert set(ran.stdout.split()) == offered
    assert "_COMPANION_COMPLETE=bash_source" in run("--help").stdout


def test_the_same_cards_are_dealt_again_on_modelled_hardware_only(tmp_path: Path) -> None:
    ran = run("run", "--seed", "1", "--data", tmp_path)
    assert (ran.exit_code, "that is for --mock only" in ran.stderr) == (2, True)


@pytest.mark.parametrize("command", ["run", "doctor"])
def test_a_pico_is_chosen_for_modelled_hardware_only(command: str, tmp_path: Path) -> None:
    ran = run(command, "--pico", "emulated", "--data", tmp_path)
    assert (ran.exit_code, "the virtual table has: that is for --mock only" in ran.stderr) == (2, True)


def test_no_emulated_pico_without_its_micropython(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command ends with what is missing, and nothing has started, not even a journal."""
    monkeypatch.setenv("COMPANION_PICO_IMAGE", str(tmp_path / "none.uf2"))
    ran = run("run", "--mock", "--pico", "emulated", "--data", tmp_path / "data")
    assert ran.exit_code == 1
    assert (
        ran.stderr
        == f"Error: COMPANION_PICO_IMAGE names {tmp_path / 'none.uf2'}, and there is no such file\n"
    )
    assert not (tmp_path / "data").exists()
    monkeypatch.setattr("companion.devices.mock.emulation.find_spec", lambda _: None)
    ran = run("run", "--mock", "--pico", "emulated", "--data", tmp_path / "data")
    assert "the emulated Pico needs rp2040py and littlefs-python: pip install" in ran.stderr


def test_each_command_is_found_in_its_own_module_and_only_that_is_loaded() -> None:
    """A table's start must not wait for what a club or a repair needs."""
    context = click.Context(main)
    for name in main.list_commands(context):
        command = main.get_command(context, name)
        assert command is not None
        assert command.name == name

    ask = (
        "import sys; from companion.cli import main; main.get_command(None, 'run');"
        "print(*[name for name in sys.modules if name.startswith('companion.cli.')])"
    )
    loaded = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True).stdout
    assert {f"companion.cli.{name}" for name in ("run", "edge", "common", "tables")} >= set(loaded.split())
