"""Whole games through a real `companion run --mock`, touched only through the mock API."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from companion.match.record import Header, replayed
from tests.support.client import Client, companion
from tests.support.people import People

TIERS = {
    "track and pad": "",
    "pad only": '[track]\nkind = "none"\n',
    "neither": 'pad = false\npanel = false\n[track]\nkind = "none"\n',
}


@pytest.mark.parametrize(
    "tier",
    [pytest.param(tier, marks=() if tier == "neither" else pytest.mark.long) for tier in TIERS],
    ids=lambda tier: tier.replace(" ", "-"),
)
def test_a_game_with_food_on_the_track_ends_with_the_standings_of_its_record(
    tier: str, tmp_path: Path
) -> None:
    """The exported record of a round replays to the standings that were shown, on any hardware.

    Only here: a game with a card pad or a sensed track whose record differs from the standings on the screen.
    """
    (tmp_path / "companion.toml").write_text(TIERS[tier], encoding="utf-8")
    with companion(tmp_path) as running:
        client = running.client.host()
        rounds = {"food_on_track": True, "rounds": 1}
        number = client.begin(seats=("Ada", "Ben", "Cleo", "Dev"), options=rounds)
        play_on(client, tier, random.Random(7))
        agrees_with_its_record(client, number)


def agrees_with_its_record(client: Client, number: int) -> None:
    """Assert that what is shown at the end is what the exported record replays to."""
    table = client.table
    assert table["next"] is None
    record = client.get(f"/api/matches/{number}/record")
    replay = replayed(record.encode())
    assert replay.error is None
    answer = replay.answer()
    assert answer["finished"]
    assert json.dumps(answer["standings"]) == json.dumps(table["standings"])
    assert answer["state"] == table["state"]


GAMES: list[tuple[str, int, dict[str, Any]]] = [
    ("giro-galoppo", 2, {}),
    ("giro-galoppo", 3, {"rearmost_only": True, "age": [2, 0, 1]}),
    ("giro-galoppo", 4, {}),
    ("giro-galoppo", 5, {"board": {"finish": 20, "natural": [], "sand": list(range(1, 21))}}),
    ("greyhounds", 3, {"lap": 12}),
    ("greyhounds", 4, {"lap": 12}),
    ("greyhounds", 3, {"lap": 12, "bookie": 1}),
    ("greyhounds", 4, {"lap": 12, "bookie": 0}),
]
"""Every number of seats, every variant; the laps are short, so that the evening is."""
NIGHTLY = [(GAMES[n], "people") for n in (1, 2, 4, 6, 7)]  # with cards and pieces a game takes half a minute


def when(game: tuple[str, int, dict[str, Any]], deal: str) -> list[pytest.MarkDecorator]:
    """Return the mark of a game."""
    return [pytest.mark.nightly if (game, deal) in NIGHTLY else pytest.mark.long]


@pytest.mark.parametrize(
    ("game", "seats", "options", "deal"),
    [pytest.param(*game, deal, marks=when(game, deal)) for deal in ("people", "companion") for game in GAMES],
    ids=lambda value: str(value)[:24],
)
def test_giro_galoppo_and_greyhounds_are_played_to_the_end(
    game: str, seats: int, options: dict[str, Any], deal: str, tmp_path: Path
) -> None:
    """The companion plays both games to the end, and the record agrees.

    Cards dealt by people are laid on the pad, and pieces move on 22 sensed spaces. Cards dealt by the
    companion are on the screen, held open.

    Only here: a game with three or more seats, a bookie, another board or a deal by the companion that stops
    before its end.
    """
    names = ("Ada", "Ben", "Cleo", "Dev", "Emma")[:seats]
    with companion(tmp_path) as running:
        client = running.client.host()
        number = client.begin(game, names, options=options, deal=deal)
        race = Header(game, names, 0, options).opening()
        secret = deal == "companion"
        People(client, race, random.Random(seats), sensed=not secret, secret=secret).play_to_the_end()
        agrees_with_its_record(client, number)


def play_on(client: Client, tier: str, rng: random.Random) -> None:
    """Play to the end as people with this hardware do."""
    uids = client.uids()
    cards = [name for name in uids if name.startswith("card/")]
    rng.shuffle(cards)
    while (due := client.table["next"]) is not None:
        seat = due["seats"][0]
        if due["do"] == "line-up":
            line_up(client, tier, seat, uids)
        elif due["do"] == "place-food":
            client.decide(do="place-food", seat=seat, space=seat + 8)
        elif tier == "neither":
            client.decide(do="play", seat=seat, card=cards.pop().split("/")[1])
        else:
            lay(client, cards.pop(), uids, moves=tier == "track and pad")


def line_up(client: Client, tier: str, seat: int, uids: dict[str, str]) -> None:
    order = ["green", "red", "pink", "blue", "yellow"]
    if tier != "track and pad":
        client.decide(do="line-up", seat=seat, order=order)
        return
    for place, piece in enumerate(order):
        client.space(-place % 22, uids[f"piece/{piece}"])
    before = client.table["seq"]
    client.until(lambda table: confirmed(client, table["seq"], before))
    client.until(lambda table: table["next"]["do"] != "line-up" and not table["todo"])


def confirmed(client: Client, seq: int, before: int) -> bool:
    """Press confirm at the table until the cards or pieces there have been accepted."""
    if seq == before:
        client.press("confirm")
    return bool(client.table["seq"] != before)


def lay(client: Client, card: str, uids: dict[str, str], moves: bool) -> None:
    before = client.table["seq"]
    client.pad(uids[card])
    table = client.until(lambda table: table["seq"] > before and table)
    if moves:
        for task in table["todo"]:
            client.space(task["to"]["space"], uids[f"piece/{task['piece']}"])
        client.until(lambda table: not table["todo"])
    client.pad()
