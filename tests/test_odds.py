"""The odds: right within what they say, blind to hidden cards, and never in the game's way."""

from __future__ import annotations

import os
import pickle
import queue
import random
import signal
import time
from collections import Counter
from collections.abc import Iterator
from functools import reduce
from math import sqrt
from pathlib import Path
from typing import Any

import pytest

from companion.games.galloping import COPIES, GallopingHorse, GallopingPigs
from companion.games.race import Decision, Race, checked, random_decision
from companion.journal import Journal
from companion.odds.oracle import Oracle, Question
from companion.odds.rollouts import PLAYOUTS, chances, victory
from companion.record import Header
from companion.table import OddsAre, Table
from tests.client import companion

PIGS = ("red", "blue", "green", "yellow", "pink")


def position(cards: str, game: type[Any] = GallopingPigs, hands: Any = None, **options: Any) -> Any:
    """A round of two seats after these cards, dealt by people unless hands are given."""
    race = game.new(["Ada", "Ben"], 0, **({"rounds": 1} | options))
    race = checked(race, Decision("line-up", 0, tuple(race.pieces)))
    race = checked(race, Decision("deal", None, hands))
    return reduce(lambda r, card: checked(r, Decision("play", r.turn, card)), cards.split(), race)


def finished(seed: int, game: type[Any] = GallopingPigs) -> Any:
    race, rng = game.new(["Ada", "Ben", "Cleo"], 0, rounds=1), random.Random(seed)
    while (decision := random_decision(race, rng)) is not None:
        race = race.after(decision)
    return race


# --- what is worked out --------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(12))
def test_a_finished_game_is_exact(seed: int) -> None:
    """1 for whoever has won, equal shares of a shared victory, 0 for the others, and no error."""
    race = finished(seed)
    worked_out = chances(race, random.Random(0))
    assert worked_out is not None
    first = [standing.seat for standing in race.standings() if standing.place == 1]
    assert [c.p for c in worked_out] == [1 / len(first) if seat in first else 0 for seat in range(3)]
    assert {c.error for c in worked_out} == {0.0}


def test_a_shared_victory_is_shared() -> None:
    """Nobody has any food: both have won half."""
    assert victory(position("red blue " * 7, food=0)) == [0.5, 0.5]


@pytest.mark.parametrize("game", [GallopingPigs, GallopingHorse], ids=lambda game: game.name)
def test_the_odds_of_an_open_game_add_up(game: type[Race]) -> None:
    """At every moment of a game the chances of all seats are 1 together, and each has an error."""
    race, rng = game.new(["Ada", "Ben", "Cleo"], 1), random.Random(3)
    while (decision := random_decision(race, rng)) is not None:
        if rng.random() < 0.15:
            worked_out = chances(race.seen_by(None), random.Random(1), playouts=40)
            assert worked_out is not None
            assert [c.seat for c in worked_out] == [0, 1, 2]
            assert sum(c.p for c in worked_out) == pytest.approx(1)
            assert all(0 <= c.p <= 1 and c.error > 0 for c in worked_out)
        race = race.after(decision)


@pytest.mark.parametrize("playouts", [100, 400])
def test_the_error_is_half_of_a_95_percent_interval(playouts: int) -> None:
    """1.96 standard errors of a share; what never happened, or always, may still be otherwise."""
    for cards in ("", "red blue " * 3, "red blue " * 6 + "red"):
        worked_out = chances(position(cards).seen_by(None), random.Random(5), playouts)
        assert worked_out is not None
        for c in worked_out:
            p = min(max(c.p, 1 / playouts), 1 - 1 / playouts)
            assert c.error == pytest.approx(1.96 * sqrt(p * (1 - p) / playouts))
            assert c.error > 0


def test_the_same_question_has_the_same_answer() -> None:
    race = position("red blue").seen_by(None)
    one, again, other = (chances(race, random.Random(seed), 100) for seed in (1, 1, 2))
    assert one == again != other


def test_a_question_that_is_stale_is_given_up() -> None:
    """Between two batches of playouts it looks whether a newer question has come."""
    asked: list[int] = []

    def once() -> bool:
        asked.append(1)
        return len(asked) < 3

    assert chances(position("").seen_by(None), random.Random(1), go_on=once) is None
    assert len(asked) == 3


# --- against every game that is possible ---------------------------------------------------------


def enumerated(race: Any, colours: tuple[str, ...]) -> list[float]:
    """The exact chances when nobody knows a hand: every order in which unseen cards may come, weighted.

    What is played next is a card drawn blindly from all that were not played: the hands are a random part
    of them, and each seat plays its hand in a random order.
    """
    left = Counter({colour: COPIES - race.played.count(colour) for colour in colours})

    def shares(race: Any, left: Counter[str], weight: float) -> Iterator[tuple[float, list[float]]]:
        if race.awaits() is None:
            yield weight, victory(race)
            return
        for colour, count in left.items():
            if count:
                after = race.after(Decision("play", race.turn, colour))
                yield from shares(after, left - Counter([colour]), weight * count / left.total())

    won = [0.0, 0.0]
    for weight, parts in shares(race, left, 1.0):
        for seat, part in enumerate(parts):
            won[seat] += weight * part
    return won


TINY = [
    # the cards played, the game: two to four cards are still to come
    (
        "pigs before the last two cards",
        "red blue pink green red blue yellow pink green red blue pink",
        GallopingPigs,
    ),
    (
        "pigs before the last three",
        "red red blue green yellow pink pink yellow green red blue",
        GallopingPigs,
    ),
    ("pigs before the last four", "pink yellow green red blue pink yellow green red blue", GallopingPigs),
    (
        "horses before the last three",
        "red blue green yellow red blue green yellow yellow red blue",
        GallopingHorse,
    ),
]


@pytest.mark.parametrize(("cards", "game"), [row[1:] for row in TINY], ids=[row[0] for row in TINY])
def test_the_odds_agree_with_every_possible_end_of_the_game(cards: str, game: type[Any]) -> None:
    """The truth lies within the stated error about 19 times in 20, and never far from it."""
    race = position(cards, game)
    exact = enumerated(race, tuple(race.pieces))
    assert sum(exact) == pytest.approx(1)
    assert 0.02 < exact[0] < 0.98, "a position that is decided proves nothing"
    inside, runs, playouts = 0, 40, 150
    for seed in range(runs):
        worked_out = chances(race.seen_by(None), random.Random(seed), playouts)
        assert worked_out is not None
        off = abs(worked_out[0].p - exact[0])
        inside += off <= worked_out[0].error
        assert off < 2.5 * worked_out[0].error
    assert inside >= 0.85 * runs


def test_known_hands_are_believed_where_they_are_seen() -> None:
    """From a seat's own view its own cards are not dealt anew: it knows what it will play."""
    hands = (("red",) * 7, ("blue",) * 7)
    race = position("red blue " * 6 + "red", hands=hands)
    own = chances(race.seen_by(1), random.Random(1), 50)
    assert own is not None
    assert own[1].p in (0.0, 0.5, 1.0), "only blue is left, so that the end is certain"


# --- secrets -------------------------------------------------------------------------------------


def deals(seed: int) -> list[tuple[tuple[str, ...], ...]]:
    """Deals of which all hidden cards differ, and the first card of each hand is the same."""
    rng, made = random.Random(seed), list[tuple[tuple[str, ...], ...]]()
    for _ in range(5):
        deck = [pig for pig in PIGS for _ in range(COPIES)]
        deck.remove("red")
        deck.remove("blue")
        rng.shuffle(deck)
        made.append((("red", *deck[:6]), ("blue", *deck[6:12])))
    return made


@pytest.mark.parametrize("cards", ["", "red", "red blue"], ids=["dealt", "one card", "two cards"])
def test_the_odds_are_the_same_bytes_whatever_the_hidden_hands_are(cards: str) -> None:
    """Dealt anew, with the same cards played: question and answer are equal byte for byte."""
    questions, answers, views = set(), set(), set()
    for hands in deals(1):
        race = position(cards, hands=hands)
        public = race.seen_by(None)
        questions.add(pickle.dumps(Question(1, 7, public)))
        answers.add(pickle.dumps(chances(public, random.Random(7), 60)))
        views.add(race.seen_by(0))
    assert len(questions) == 1
    assert len(answers) == 1
    assert len(views) == 5, "or the test proves nothing"


class Asked:
    """An oracle that keeps what it was asked."""

    def __init__(self) -> None:
        self.questions: list[Question] = []

    def ask(self, match: int, seq: int, race: Race) -> None:
        self.questions.append(Question(match, seq, race))


def test_the_table_asks_with_public_views_only_once_a_change(tmp_path: Path) -> None:
    """What leaves the table for the odds is the same whatever the companion dealt, and asked once an entry."""
    asked, hands = [], []
    for number in range(3):
        dealt = Journal(tmp_path / f"{number}.sqlite")
        table, oracle = Table(dealt), Asked()
        table.begin(Header("galloping-pigs", ("Ada", "Ben")), "companion")
        table.consult(oracle)
        table.decide(1, {"do": "line-up", "seat": 0, "order": list(PIGS)})
        assert table.match is not None
        hands.append(table.match.race.own(0)["hand"])
        for _ in range(3):
            table.look()
        table.undo(3)
        asked.append(pickle.dumps(oracle.questions))
        assert [question.seq for question in oracle.questions] == [1, 3, 4]
        dealt.close()
    assert len(set(asked)) == 1
    assert not hands[0] == hands[1] == hands[2], "or the test proves nothing"


# --- the process ---------------------------------------------------------------------------------


class Told:
    """The answers of an oracle, in order."""

    def __init__(self) -> None:
        self._queue: queue.SimpleQueue[OddsAre] = queue.SimpleQueue()
        self.oracle = Oracle(self._queue.put)

    def next(self) -> OddsAre:
        return self._queue.get(timeout=20)

    def until(self, seq: int) -> list[OddsAre]:
        """Every answer up to the one about entry `seq`."""
        answers = [self.next()]
        while answers[-1].seq != seq:
            answers.append(self.next())
        return answers


@pytest.fixture
def told() -> Iterator[Told]:
    told = Told()
    yield told
    told.oracle.stop()


def test_the_process_answers_what_the_rollouts_work_out(told: Told) -> None:
    """The entry's number is the seed, so that an answer can be had again."""
    race = position("red blue " * 6).seen_by(None)
    told.oracle.ask(4, 9, race)
    assert told.next() == OddsAre(4, 9, chances(race, random.Random(9)) or ())


def test_the_newest_question_wins(told: Told) -> None:
    """Of fifty questions asked at once the last one is answered; hardly any of the others is."""
    race = position("").seen_by(None)
    for seq in range(1, 51):
        told.oracle.ask(1, seq, race)
    answers = told.until(50)
    assert len(answers) <= 4
    assert [a.seq for a in answers] == sorted(a.seq for a in answers)


def test_asking_never_waits_for_an_answer(told: Told) -> None:
    """A process that hangs holds nobody up: thousands of questions are asked meanwhile, one is kept."""
    race = position("").seen_by(None)
    told.oracle._process.send_signal(signal.SIGSTOP)
    began = time.monotonic()
    for seq in range(5000):
        told.oracle.ask(1, seq, race)
    assert time.monotonic() - began < 2
    told.oracle._process.send_signal(signal.SIGCONT)
    assert len(told.until(4999)) <= 5


def test_a_process_that_hangs_is_ended(told: Told) -> None:
    told.oracle._process.send_signal(signal.SIGSTOP)
    for seq in range(100):
        told.oracle.ask(1, seq, position(""))


def test_a_dead_process_is_asked_in_vain_and_ends_quietly() -> None:
    """Its pipes are broken: no error reaches whoever asks or stops it."""
    told = Told()
    told.oracle._process.kill()
    told.oracle._process.wait()
    for seq in range(50):
        told.oracle.ask(1, seq, position(""))
        time.sleep(0.001)  # let the thread that sends try every now and then
    told.oracle.stop()


# --- at the table --------------------------------------------------------------------------------


def test_a_dead_odds_process_leaves_the_game_going(tmp_path: Path) -> None:
    """Killed before the game: `odds` stays null, every tap is answered, and it ends with status 0."""
    with companion(tmp_path) as running:
        client = running.client.host()
        kill_the_odds(running.process.pid)
        client.begin(options={"rounds": 1})
        client.decide(do="line-up", seat=0, order=list(PIGS))
        for turn in range(14):
            client.decide(do="play", seat=turn % 2, card=PIGS[turn % 5])
            assert client.table["odds"] is None
        assert client.table["next"] is None
        assert running.stop() == 0
    assert "Traceback" not in (tmp_path / "console.txt").read_text(encoding="utf-8")


def kill_the_odds(pid: int) -> None:
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        if "companion.odds.process" in Path(f"/proc/{child}/cmdline").read_text():
            os.kill(int(child), signal.SIGKILL)
            return
    raise AssertionError("there is no odds process")


def test_the_odds_follow_the_game_to_its_exact_end(tmp_path: Path) -> None:
    """Null before the first match; then of the public view, with the entry they belong to; at the end exact."""
    with companion(tmp_path) as running:
        client = running.client.host()
        assert client.table["odds"] is None
        client.begin(options={"rounds": 1})
        client.decide(do="line-up", seat=0, order=list(PIGS))
        table = client.until(lambda t: t["odds"] and t["odds"]["seq"] == t["seq"] and t)
        assert table["odds"]["exact"] is False
        assert [(c["what"], c["seat"]) for c in table["odds"]["chances"]] == [("win", 0), ("win", 1)]
        assert sum(c["p"] for c in table["odds"]["chances"]) == pytest.approx(1)
        assert all(0 < c["error"] < 0.05 for c in table["odds"]["chances"])
        for turn in range(14):
            client.decide(do="play", seat=turn % 2, card=PIGS[turn % 5])
        table = client.until(lambda t: t["odds"]["exact"] and t["odds"]["seq"] == t["seq"] and t)
        first = [s["seat"] for s in table["standings"] if s["place"] == 1]
        assert [c["p"] for c in table["odds"]["chances"]] == [(s in first) / len(first) for s in (0, 1)]
        assert {c["error"] for c in table["odds"]["chances"]} == {0}
        client.now("/api/end")
        assert client.table["odds"] is None


def test_a_thousand_playouts_are_the_measure() -> None:
    """Enough for ±3 %, few enough to be there before the next card."""
    worked_out = chances(position("").seen_by(None), random.Random(1))
    assert worked_out is not None
    assert PLAYOUTS == 1000
    assert all(c.error < 0.032 for c in worked_out)
