"""What the commentator says: a table that a player can read, and laws over whole games."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.commentary.commentator import Comment, comment
from companion.commentary.facts import Moment, fact, moment
from companion.commentary.ways import WAYS
from companion.games.galloping import GallopingPigs
from companion.games.giro import GiroGaloppo
from companion.games.greyhounds import Greyhounds
from companion.games.greyhounds.run import Run
from companion.games.judge import checked
from companion.games.race import Race
from companion.games.terms import Decision, News
from companion.match.entries import By, Entry, Filed
from companion.match.match import Match
from companion.match.record import Header, decision_line
from companion.message import Sentence
from companion.translate import LANGUAGES, Words
from tests.games.test_laws import GAMES, races
from tests.match.test_change import match_of

LONGEST = 90  # letters: some six seconds of a voice
SEATS = ["Ada", "Ben", "Cleo"]
PIGS = ("red", "blue", "green", "yellow", "pink")
seeds = st.integers(0, 2**32)


def pigs(*, left: int = 7, unsafe: int = 0, rounds: int = 3, **at: int) -> Race:
    """Return pigs on these spaces, the others behind; Ada is due with `left` cards, and food at risk."""
    race: Race = GallopingPigs.new(SEATS, rounds=rounds)
    race = checked(race, Decision("line-up", 0, PIGS))
    race = checked(race, Decision("deal"))
    progress = {pig: at.get(pig, -n) for n, pig in enumerate(PIGS)}
    hands = (("?",) * left, ("?",) * left, ("?",) * left)
    return race.replaced(progress=progress, hands=hands, provisional=(unsafe, unsafe, unsafe))


def giro(*progress: int) -> Race:
    """Return horses on these spaces (0: in the gate): Ada red, Ben blue, Cleo green; obstacles after 19."""
    race = GiroGaloppo.new(SEATS).replaced(progress=progress, obstacles=(20, 22, 24, 26, 28))
    return race.replaced(board=race.board._replace(natural=(), finish=40))


def card(race: Race, what: str) -> Race:
    """Return the race after Ada's card."""
    return checked(race, Decision("play", 0, what))


def cards(race: Race, *chosen: int) -> Race:
    """Return the race after everybody's card of a round."""
    for seat, one in enumerate(chosen):
        race = checked(race, Decision("play", seat, one))
    return race


def dogs(*progress: int, then: Sequence[int], news: Sequence[News] = ()) -> tuple[Race, Race]:
    """Return the red, blue, brown and green dog in race 2, before and after a turn."""
    race = Greyhounds.new([*SEATS, "Dev"])
    run = Run(2, race.lap, (0, 1, 2, 3))
    race = race.replaced(race=2, due="play", run=run._replace(progress=progress))
    home = tuple(dog for dog, at in enumerate(then) if at > run.line)
    after = run._replace(progress=tuple(then), home=home)
    return race, race.replaced(run=after, latest=tuple(news))


AHEAD = pigs(red=9, blue=3, green=2)
CARDS: list[tuple[Race, Race, Sequence[float], Sequence[float], str | None]] = [
    # how all stand, after what, the chances before and after, the fact and of whom
    (AHEAD, card(AHEAD, "red"), (), (), "far: the red pig is far ahead"),
    (
        r := pigs(red=9, blue=8),
        card(r, "blue"),
        (),
        (),
        "takes: the blue pig takes the lead from the red pig",
    ),
    (r, card(r, "red"), (), (), None),
    (r, card(r, "green"), (), (), None),
    (
        r := pigs(red=9, blue=8, green=7, yellow=3, pink=2),
        card(r, "green"),
        (),
        (),
        "takes: the green pig takes the lead from the red pig",
    ),
    (
        r := pigs(red=12, blue=8, green=7, yellow=3, pink=2),
        card(r, "green"),
        (),
        (),
        "passes: the green pig passes the blue pig",
    ),
    (
        r := pigs(red=12, blue=5, green=4, yellow=3, pink=2),
        card(r, "pink"),
        (),
        (),
        "passes-many: the pink pig passes one after the other",
    ),
    (
        r := pigs(red=12, blue=10, green=7, yellow=3, pink=2),
        card(r, "blue"),
        (),
        (),
        "close: the blue pig is right behind the red pig",
    ),
    (
        r := pigs(red=12, blue=10, green=7, yellow=3, pink=2),
        card(r, "pink"),
        (),
        (),
        "falls-back: now the yellow pig is last",
    ),
    (r, card(r, "pink"), (0.3, 0.3, 0.4), (0.5, 0.2, 0.3), "swing: that has helped Ada a lot"),
    (r, card(r, "pink"), (0.3, 0.3, 0.4), (), None),
    (
        r := pigs(left=1, unsafe=2, red=9, blue=8),
        card(r, "blue"),
        (),
        (),
        "kept: the last card leads: Ada keeps the acorns!",
    ),
    (
        r := pigs(left=1, unsafe=2, red=9, blue=3),
        card(r, "blue"),
        (),
        (),
        "lost: the blue pig does not lead: Ada's acorns go back",
    ),
    (
        r := pigs(unsafe=2, red=9, blue=3).replaced(hands=(("?",) * 2, ("?",), ("?",))),
        card(r, "pink"),
        (),
        (),
        "last-card: all or nothing now for Ben",
    ),
    (
        r := giro(5, 9, 2),
        cards(r, 4, 6, 1),
        (),
        (),
        "pushed-back: the red horse pushes the blue horse back to 8",
    ),
    (
        r := giro(0, 1, 5),
        cards(r, 1, 6, 2),
        (),
        (),
        "pushed-to-gate: the red horse pushes the blue horse back into the gate",
    ),
    (
        r := giro(5, 9, 2),
        cards(r, 6, 1, 2),
        (),
        (),
        "takes: the red horse takes the lead from the blue horse",
    ),
    (
        r,
        cards(r, 6, 1, 2),
        (0.1, 0.5, 0.4),
        (),
        "outsider: the red horse leads: who would have thought it of Ada?",
    ),
    (r := giro(14, 18, 2), cards(r, 6, 1, 2), (), (), "stopped: an obstacle stops the red horse"),
    (r := giro(39, 30, 2), cards(r, 3, 1, 2), (), (), "wins: Ada wins it!"),
    (r, cards(r, 3, 1, 2), (0.1, 0.5, 0.4), (), "upset: Ada wins: who would have bet on that?"),
    (*dogs(9, 5, 3, 0, then=(9, 9, 3, 0)), (), (), "level: neck and neck: the red dog and the blue dog"),
    (*dogs(0, 0, 0, 0, then=(9, 5, 3, 0)), (), (), "leads: the red dog takes the lead"),
    (
        *dogs(30, 5, 3, 0, then=(99, 9, 3, 0), news=[News("home", {"piece": "red", "place": 1})]),
        (),
        (),
        "home-first: the red dog is home first!",
    ),
    (
        *dogs(99, 25, 3, 0, then=(99, 99, 3, 0), news=[News("home", {"piece": "blue", "place": 2})]),
        (),
        (),
        "home: the blue dog comes home as number 2",
    ),
    (
        *dogs(30, 5, 3, 0, then=(36, 9, 3, 0), news=[News("lapped", {"piece": "green"})]),
        (),
        (),
        "lapped: the green dog is lapped: out!",
    ),
]


def said_fact(race: Race, seen: Moment) -> str | None:
    """Return the fact and how it is said, the first of its ways."""
    found = fact(seen)
    return (
        found and f"{found.kind}: {Words.english().text(Sentence(WAYS[found.kind][0], found.values), race)}"
    )


@pytest.mark.parametrize(
    "row", CARDS, ids=[f"{n} {str(row[-1]).partition(':')[0]}" for n, row in enumerate(CARDS)]
)
def test_what_is_said_of_a_card(row: tuple[Race, Race, Sequence[float], Sequence[float], str | None]) -> None:
    """The strongest of what it did; what needs the odds waits for them."""
    before, after, hoped, hopes, expected = row
    assert said_fact(after, moment(before, after, hoped, hopes)) == expected


def test_every_fact_stands_in_the_table_and_has_ways() -> None:
    """Each fact has at least three different ways; each but a shared victory was seen above."""
    kinds = {str(row[-1]).partition(":")[0] for row in CARDS} - {"None"}
    assert kinds | {"shared"} == set(WAYS)
    said = [way for ways in WAYS.values() for way in ways]
    assert len(said) == len(set(said))
    assert all(len(ways) >= 3 for ways in WAYS.values())


def test_a_shared_victory_names_all() -> None:
    race = pigs(left=1, rounds=1, red=9).replaced(hands=(("?",), (), ()), kept=(1, 2, 2), stock=0)
    after = card(race, "pink")
    assert said_fact(after, moment(race, after)) == "shared: a dead heat: Ben and Cleo!"


# --- over whole games ----------------------------------------------------------------------------


def matches(header: Header, decisions: Sequence[Decision]) -> Iterator[Match]:
    """Yield the match after each decision; deals are the companion's."""
    match = Match.of(Filed(1, header, "people", (), "running", ""), [Entry("new", seq=1)])
    for seq, decision in enumerate(decisions, 2):
        by: By = "companion" if decision.do == "deal" else "person"
        match = match.after(Entry("decide", decision_line(match.race, decision), by=by, seq=seq))
        yield match


def hopes(rng: random.Random, match: Match) -> list[float]:
    """Return chances that jump about, as no real odds do."""
    some = [rng.random() for _ in match.race.seats]
    return [one / sum(some) for one in some]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@settings(max_examples=6, deadline=None)
@given(seed=seeds)
def test_over_a_whole_game(game: type[Race], seed: int) -> None:
    """Comments are short, one an entry, never the same way twice in a row, with late odds or none."""
    rng = random.Random(seed)
    header, _, decisions = races(game, seed)
    odds: dict[int, list[float]] = {}
    spoken: list[Comment] = []
    knows = rng.random() < 0.7
    for match in matches(header, decisions):
        for has_come in (False, True):  # as soon as it is decided, and once the odds have come
            if has_come and knows and rng.random() < 0.8:
                odds[match.seq] = hopes(rng, match)
            made = comment(match, odds)
            if made is not None and (not spoken or made.seq != spoken[-1].seq):
                assert not spoken or (
                    made.seq > spoken[-1].seq and made.sentence.text != spoken[-1].sentence.text
                )
                spoken.append(made)
                for language in LANGUAGES:
                    text = Words.of(language).text(made.sentence, match.race)
                    assert len(text) <= LONGEST, text
            elif made is not None:
                assert made == spoken[-1], "what was said stays so"


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@settings(max_examples=6, deadline=None)
@given(seed=seeds)
def test_nothing_secret_is_said(game: type[Race], seed: int) -> None:
    """From the public's view alone it says the same: cards not shown change nothing."""
    header, positions, decisions = races(game, seed)
    for before, after in pairwise(positions):
        public = moment(before.seen_by(None), after.seen_by(None))
        assert fact(moment(before, after)) == fact(public)
    *_, match = matches(header, decisions)
    guess = replace(match, turns=tuple(replace(turn, race=turn.race.seen_by(None)) for turn in match.turns))
    assert comment(match, {}) == comment(guess, {})


def test_what_is_taken_back_or_made_again_is_not_said() -> None:
    """An undo says nothing, nor what was said before it; nor does a redo."""
    race = pigs()
    header = Header(race.name, tuple(SEATS), 0, {})
    line_up, deal = Decision("line-up", 0, PIGS), Decision("deal")
    match = match_of(header, [line_up, deal, Decision("play", 0, "pink"), Decision("play", 1, "red")])
    assert comment(match, {}) is not None
    undone = match.after(Entry("undo", seq=9))
    assert comment(undone, {}) is None
    assert comment(undone.after(Entry("redo", seq=10)), {}) is None
    again = undone.after(Entry("decide", decision_line(undone.race, Decision("play", 1, "red")), seq=10))
    assert comment(again, {}) is not None


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_way_is_said_in_every_language(language: str) -> None:
    """With the longest names of people and animals it is still a sentence for one breath."""
    words = Words.of(language)
    race = giro(5, 9, 2)
    values = {"seat": 2, "piece": "yellow", "piece1": "yellow", "piece2": "green", "space": 21, "place": 2}
    for ways in WAYS.values():
        texts = {words.text(Sentence(way, {**values, "names": "Ada, Ben"}), race) for way in ways}
        assert len(texts) == len(ways), texts
        assert max(map(len, texts)) <= LONGEST, texts


def test_the_same_card_laid_again_is_said_another_way() -> None:
    """A card is taken back and laid again and again: the same words never come twice in a row."""
    race = pigs()
    header = Header(race.name, tuple(SEATS), 0, {})
    match = match_of(header, [Decision("line-up", 0, PIGS), Decision("deal"), Decision("play", 0, "pink")])
    texts = []
    for seq in range(10, 20, 2):
        made = comment(match, {})
        assert made is not None
        texts.append(made.sentence.text)
        match = match.after(Entry("undo", seq=seq))
        match = match.after(
            Entry("decide", {"do": "play", "seat": 0, "card": "pink"}, by="person", seq=seq + 1)
        )
    assert all(one != other for one, other in pairwise(texts))
