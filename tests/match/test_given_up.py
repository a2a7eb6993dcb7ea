"""Games that were given up: what was hidden before the end is in no record, for any viewer."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from companion.games.forms import Keyed
from companion.games.galloping.decks import HAND
from companion.games.galloping.rules import Galloping
from companion.games.greyhounds.rules import Greyhounds
from companion.games.greyhounds.sets import LOW
from companion.games.race import Race
from companion.games.terms import Decision
from companion.match.entries import Entry
from companion.match.match import Match
from companion.match.record import Header, decision_line, replayed, written
from companion.match.secrecy import never_secret
from companion.store.journal import Journal
from companion.table.archive import Archive
from companion.table.table import Table
from tests.games.test_laws import GAMES
from tests.history.test_history import everything
from tests.match.test_change import begun, longest, look_alikes, match_of, seeds, some
from tests.support.apps import create_app
from tests.support.moments import Story
from tests.web.test_seats import Device, House

STORIES = [
    # a game, and the kinds of decision that are secret in it when it is given up
    (Story("galloping-pigs", ("Ada", "Ben", "Cleo"), 1, {"rounds": 2}, "companion"), {"deal"}),
    (Story("galloping-horse", ("Ada", "Ben"), 3, deal="companion"), {"deal"}),
    (Story("giro-galoppo", ("Ada", "Ben", "Cleo"), 4), {"play"}),
    (Story("greyhounds", ("Ada", "Ben", "Cleo"), 5, deal="companion"), {"deal", "bet", "set-aside", "play"}),
    (
        Story("greyhounds", ("Ada", "Ben", "Cleo", "Dev"), 6, {"bookie": 1}, "companion"),
        {"deal", "bet", "set-aside", "play"},
    ),
]
IDS = [f"{story.game} {story.seed}" for story, _ in STORIES]
stories = pytest.mark.parametrize(("story", "kinds"), STORIES, ids=IDS)
slowly = pytest.mark.parametrize(
    ("story", "kinds"),
    [pytest.param(*s, marks=pytest.mark.long if s[0].game == "greyhounds" else ()) for s in STORIES],
    ids=IDS,
)


def ended(match: Match, journal: Journal) -> Journal:
    """Return this journal with a match of these decisions that the host has ended."""
    number = journal.begin(match.header, match.deal)[0].id
    entries = [
        Entry("decide", decision_line(match.opening, turn.decision), by=turn.by) for turn in match.turns
    ]
    journal.append(number, [*entries, Entry("end")], "ended")
    return journal


def record_of(match: Match) -> str:
    journal = ended(match, Journal(":memory:"))
    record = Archive(journal, lambda: 0.0).record(1)
    journal.close()
    return record


def cut(story: Story, decisions: int) -> Match:
    return match_of(story.match.header, story.match.decisions()[:decisions], story.deal)


def same_to_all(match: Match) -> Iterator[tuple[str, Match]]:
    """Yield games that look to everybody like this one, each with the kind of decision that differs."""
    for other in (*look_alikes(match), *set_aside_otherwise(match)):
        pairs = zip(match.decisions(), other.decisions(), strict=True)
        yield next(one.do for one, another in pairs if one != another), other
    at = next((n for n in range(len(match.turns) - 1, -1, -1) if match.turns[n].decision.do == "deal"), None)
    hands = None if at is None else dealt_anew(match.race, [turn.decision for turn in match.turns[at:]])
    if at is not None and hands is not None and hands != match.turns[at].decision.what:
        decisions = match.decisions()
        decisions[at] = Decision("deal", None, hands)
        other = match_of(match.header, decisions, match.deal)
        assert other.race.seen_by(None) == match.race.seen_by(None)
        yield "deal", other


def set_aside_otherwise(match: Match) -> Iterator[Match]:
    """Yield the same game with another card set aside in the present race, one not played since."""
    for at, turn in enumerate(match.turns):
        seat, race = turn.decision.seat, match.position(at)
        if turn.decision.do != "set-aside" or seat is None or not isinstance(race, Greyhounds):
            continue
        decisions = match.decisions()
        for card in race.set_of(seat):
            decisions[at] = Decision("set-aside", seat, card)
            if card != turn.decision.what and longest(race, decisions[at:])[1] == len(decisions) - at:
                other = match_of(match.header, decisions, match.deal)
                if other.race.seen_by(None) == match.race.seen_by(None):
                    yield other
                    break


def dealt_anew(race: Race, since: Sequence[Decision]) -> Any:
    """Return the last deal with other cards where none has been shown since; None if all have been."""
    if isinstance(race, Galloping):
        played = [
            tuple(d.what for d in since if d.do == "play" and d.seat == s) for s in range(len(race.seats))
        ]
        guessed = race.seen_by(None).guessed(random.Random(len(since)))
        hands = tuple((*played[seat], *guessed.hands[seat]) for seat in range(len(race.seats)))
        return hands if all(len(hand) == HAND for hand in hands) else None
    assert isinstance(race, Greyhounds)
    hidden, deal = race.sets_of(0), since[0].what
    spares = [card for card in LOW if card in race.unshown(0).difference(*hidden or ())]
    if not hidden or not spares:
        return None
    mine = [hidden[-1]] if deal.key == "last" else list(deal.value[0])
    mine = [(spares[0], *cards[1:]) if cards == hidden[-1] else cards for cards in mine]
    return Keyed(deal.key, ((mine[0] if deal.key == "last" else tuple(mine)), *deal.value[1:]))


@slowly
def test_of_a_game_that_was_given_up_the_record_is_the_same_whatever_lay_face_down(
    story: Story, kinds: set[str]
) -> None:
    """The record of a game that ends early is the same for games that differ only in a secret.

    The secret is a hand, a choice, a bet slip or a card set aside, and the game ends at any moment.

    Only here: a hidden bet or a card set aside of Greyhounds that the record of a game given up has.
    """
    found = Counter[str]()
    for decisions in range(1, len(story.match.turns), 7):
        match = cut(story, decisions)
        record = record_of(match)
        for kind, other in same_to_all(match):
            assert record_of(other) == record
            found[kind] += 1
    assert found.keys() == kinds, "each of the secrets of this game was another once"


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@some
@given(seed=seeds)
def test_the_record_of_a_game_that_was_given_up_is_a_legal_one_and_hides_nothing(
    game: type[Race], seed: int
) -> None:
    """It is replayed to a position in which there is no hole that its owner could fill, and looks like the
    game did when it last had none."""
    match = begun(game, random.Random(seed))
    told = never_secret(match.opening, match.decisions())
    played = replayed(written(match.header, told).encode())
    assert played.error is None
    assert played.race is not None
    assert played.race == played.race.seen_by(None)
    states = [race.state() for race in (match.opening, *(turn.race for turn in match.turns))]
    assert played.race.state() in states
    for other in look_alikes(match):
        assert never_secret(other.opening, other.decisions()) == told


@stories
def test_what_was_shown_before_a_game_was_given_up_stays_in_its_record(story: Story, kinds: set[str]) -> None:
    """Every round that was played to its end: the record comes at least as far as the last of them."""
    rounds = [
        n
        for n, turn in enumerate(story.match.turns, 1)
        if any(x.kind == "round-over" for x in turn.race.news)
    ]
    for n in rounds[:-1]:
        match = cut(story, n)
        told = replayed(record_of(match).encode())
        assert told.race is not None
        assert told.race.state() == match.race.state()


@stories
def test_every_answer_about_a_game_that_was_given_up_is_the_same_whatever_lay_face_down(
    story: Story, kinds: set[str], tmp_path: Path
) -> None:
    """The history, all its moments, with open cards too, the lists and the record."""
    match = cut(story, len(story.match.turns) * 2 // 3)
    while not (others := dict(same_to_all(match))):
        match = cut(story, len(match.turns) + 1)
    said = set()
    for number, one in enumerate([match, *others.values()]):
        journal = ended(one, Journal(tmp_path / f"{number}.sqlite"))
        journal._db.execute("update matches set began = 'then'")
        device = Device(create_app(Table(journal).open()))
        answers = everything(device, 1) | {path: device.get(path) for path in ("/api/matches", "/api/table")}
        record = device._client.get("/api/matches/1/record", environ_overrides=device._from).get_data(
            as_text=True
        )
        said.add(json.dumps([answers, record]))
        journal.close()
    assert len(said) == 1


def test_the_hands_of_robots_are_in_no_record_of_a_game_that_was_given_up(journal: Journal) -> None:
    house = House(journal, "galloping-pigs", "companion", bots=["", "easy"])
    house.host.decide(do="line-up", seat=0, order=["red", "blue", "green", "yellow", "pink"])
    assert any(turn.decision.do == "deal" for turn in house.table.match.turns)  # type: ignore[union-attr]
    house.end()
    record = house.table.archive.record(1)
    [deal] = [json.loads(line) for line in record.splitlines() if '"deal"' in line]
    assert deal == {"do": "deal", "hands": None}


def test_a_game_that_people_dealt_openly_is_recorded_whole_when_it_is_given_up(journal: Journal) -> None:
    """There is no secret in Pigs whose cards the companion never knew."""
    header = Header("galloping-pigs", ("Ada", "Ben"), 0, {})
    match = match_of(
        header,
        [
            Decision("line-up", 0, ("red", "blue", "green", "yellow", "pink")),
            Decision("deal"),
            Decision("play", 0, "red"),
        ],
    )
    assert record_of(match) == written(header, match.decisions())
