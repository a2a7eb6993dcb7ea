"""In the modelled machine: the companion, and a person who plays one decision after the other on its page.

python -m tests.machine.player GAME

First it says what the journal holds of the game on the table: `THERE` and a list of decisions. Then `BEGAN` for a new
game, and for each decision `ASKED`, and `CONFIRMED` as soon as the page has the answer. Where the writes to the disk are
logged, the log gets a mark after `BEGAN` and `CONFIRMED`: how many lines were said so far.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

from companion.games.race import Race, random_decision
from companion.match.match import Match
from companion.match.record import Header, decision_line
from companion.store.journal import Journal
from tests.support.client import Client, companion

DATA = Path("/run/disk/data")
SEATS = ("Ada", "Ben", "Cleo")
SETTINGS = 'pad = false\npanel = false\n[track]\nkind = "none"\n'


LOGGED = Path("/dev/mapper/logged")
said = 0
"""The number of lines that were said so far."""


def say(kind: str, value: object) -> None:
    """Write a line to the console, whole."""
    global said
    sys.stdout.write(f"{kind} {json.dumps(value)}\n")
    sys.stdout.flush()
    said += 1
    if kind in ("BEGAN", "CONFIRMED") and LOGGED.exists():
        subprocess.run(["dmsetup", "message", "logged", "0", f"mark {said}"], check=True)


def on_the_table(data: Path = DATA) -> Match | None:
    """Return the game on the table as the journal has it, if there is one."""
    journal = Journal(data / "journal.sqlite")
    filed = journal.current()
    match = None if filed is None else Match.of(filed, journal.entries(filed.id))
    journal.close()
    return match


def decisions(match: Match | None) -> list[dict[str, Any]]:
    """Return the decisions in force, without what the companion enters by itself."""
    turns = [] if match is None else match.turns
    return [decision_line(match.opening, turn.decision) for turn in turns if match and turn.by != "companion"]


def play(host: Client, race: Race, rng: random.Random) -> Race:
    """Decide at random for those whose turn it is; return the end of the game."""
    while (decision := random_decision(race, rng)) is not None:
        unseen = race.dealt_unseen()  # people deal: the companion does not hear of it
        if unseen is None:
            line = decision_line(race, decision)
            say("ASKED", line)
            host.decide(**line)
            say("CONFIRMED", line)
        race = race.after(unseen or decision)
    return race


def main() -> None:
    """Say what is there, then play until the power is cut."""
    game = sys.argv[1]
    DATA.mkdir(exist_ok=True)
    (DATA / "companion.toml").write_text(SETTINGS, encoding="utf-8")
    match = on_the_table() if (DATA / "journal.sqlite").exists() else None
    say("THERE", decisions(match))
    race = None if match is None else match.race
    with companion(DATA) as running:
        host = running.client.host()
        while True:
            if race is None or random_decision(race, random.Random()) is None:
                host.begin(game, SEATS)
                say("BEGAN", game)
                race = Header(game, SEATS).opening()
            race = play(host, race, random.Random())


if __name__ == "__main__":
    main()
