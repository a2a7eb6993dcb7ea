"""Changing an earlier decision: the rest is replayed, nothing secret shows, one undo takes it all back."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec import to_builtins

from companion.errors import ConflictError
from companion.games.greyhounds.run import DOGS
from companion.games.judge import IllegalDecision, checked
from companion.games.race import Race
from companion.games.terms import Decision
from companion.match import change
from companion.match.entries import Entry, Filed
from companion.match.match import Match
from companion.match.record import Header, decision_line, written
from companion.match.secrecy import _public_part
from companion.store.journal import Journal
from companion.table.table import Table
from companion.translate import Words
from companion.views import decisions as view
from companion.views.seat.forms import slip as slip_of
from tests.games.test_laws import GAMES, races
from tests.support.evening import Evening

PIGS = ["red", "blue", "green", "yellow", "pink"]
ENGLISH = Words.english()
some = settings(max_examples=8, deadline=None)
seeds = st.integers(0, 2**32)


def match_of(header: Header, decisions: list[Decision], deal: str = "people") -> Match:
    """Return the match of these decisions: the deals are the companion's, entry n + 2 is decision n."""
    match = Match.of(Filed(1, header, deal, (), "running", ""), [Entry("new", seq=1)])
    for seq, decision in enumerate(decisions, 2):
        line, dealt = decision_line(match.race, decision), decision.do == "deal"
        match = match.after(Entry("decide", line, by="companion" if dealt else "person", seq=seq))
    return match


def begun(game: type[Race], rng: random.Random) -> Match:
    """Return a random game up to any moment."""
    header, _, decisions = races(game, rng.getrandbits(32))
    return match_of(header, decisions[: rng.randint(1, len(decisions))])


def tries(match: Match, rng: random.Random, count: int = 5) -> Iterator[tuple[int, Decision]]:
    """Return random earlier decisions and what they could have been instead, legal or not."""
    for _ in range(count):
        at = rng.randrange(len(match.turns))
        race, was = match.position(at), match.turns[at].decision
        due = race.awaits()
        if due is not None and due.seats and match.turns[at].by != "companion":
            yield at, race.at_random(due.seats[0] if was.seat is None else was.seat, rng)


def longest(race: Race, decisions: list[Decision]) -> tuple[Race, int]:
    """Return the fold of as many of these decisions as the rules allow, and how many that are."""
    for count, decision in enumerate(decisions):
        try:
            race = checked(race, decision)
        except IllegalDecision:
            return race, count
    return race, len(decisions)


@pytest.mark.parametrize("game", GAMES, ids=lambda g: g.name)
class TestEveryGame:
    @some
    @given(seed=seeds)
    def test_a_change_is_the_fold_of_what_still_fits(self, game: type[Race], seed: int) -> None:
        """Before it all is as it was, then the new decision, then the rest up to what is not legal any more or
        was sealed; one undo gives the former position back, one redo the new one."""
        rng = random.Random(seed)
        match = begun(game, rng)
        for at, decision in tries(match, rng):
            if change.illegal_reason(match, at, decision) is not None:
                continue
            made = change.replay_change(match, at, decision)
            start, rest = checked(match.position(at), decision), match.decisions()[at + 1 :]
            stands = len(made.match.turns) - at - 1
            assert made.match.decisions() == [*match.decisions()[:at], decision, *rest[:stands]]
            assert (made.match.race, stands) == longest(start, rest[:stands])
            assert (made.breaks is None) == (stands == len(rest))
            assert stands == longest(start, rest)[1] or len(made.match.turns) in match.sealed
            assert not made.match.turns[at].uids
            undone = made.match.after(Entry("undo", seq=99))
            assert (undone.turns, undone.changes) == (match.turns, match.changes)
            assert undone.after(Entry("redo", seq=100)).turns == made.match.turns

    @some
    @given(seed=seeds)
    @example(seed=6736320)  # another card would end the race, and the settlement would tell the bets
    def test_what_is_said_of_it_shows_nothing_sealed(self, game: type[Race], seed: int) -> None:
        """Two games that look the same to everybody give the same list, refusals and previews."""
        rng = random.Random(seed)
        match = begun(game, rng)
        for other in islice(look_alikes(match), 3):
            assert listed(match) == listed(other)
            for at, decision in tries(match, rng, 8):
                assert said(match, at, decision) == said(other, at, decision)

    @some
    @given(seed=seeds)
    def test_several_changes_are_taken_back_one_by_one(self, game: type[Race], seed: int) -> None:
        """Changes, decisions after them and the undo of all: every position comes back, last to first."""
        rng = random.Random(seed)
        match = begun(game, rng)
        stood = [match]
        for at, decision in tries(match, rng, 8):
            if at < len(match.turns) and change.illegal_reason(match, at, decision) is None:
                match = change.replay_change(match, at, decision).match
                stood.append(match)
        for earlier in reversed(stood[:-1]):
            match = match.after(Entry("undo", seq=50))
            assert match.turns == earlier.turns
        for later in stood[1:]:
            match = match.after(Entry("redo", seq=51))
            assert match.turns == later.turns


def look_alikes(match: Match) -> Iterator[Match]:
    """Return the same match with a sealed decision another, as far as everything after it fits."""
    for at in match.sealed:
        race, was = match.position(at), match.turns[at].decision
        for other in list(race.decisions(was.seat))[:3]:
            same_kind = (other.do, race.sealed(other)) == (was.do, race.sealed(was))
            decisions = match.decisions()
            decisions[at] = other
            if other != was and same_kind and longest(race, decisions[at:])[1] == len(decisions) - at:
                alike = match_of(match.header, decisions, match.deal)
                if alike.race.seen_by(None) == match.race.seen_by(None):
                    yield alike


def listed(match: Match) -> list[Any]:
    return [to_builtins(view.line(match, at, ENGLISH)) for at in range(len(match.turns))]


def said(match: Match, at: int, decision: Decision) -> Any:
    reason = change.illegal_reason(match, at, decision)
    made = change.replay_change(match, at, decision) if reason is None else None
    reason = made.illegal_reason() if made else reason
    if made is None or reason is not None:
        return ENGLISH.text(reason, match.race) if reason else ""
    return to_builtins(view.follows(0, made, ENGLISH))


# --- at the table --------------------------------------------------------------------------------


@pytest.fixture
def table(journal: Journal) -> Table:
    """Return a table after Ada's line-up, then pink, red and blue; the cards are people's."""
    table = Table(journal).open()
    table.begin(Header("galloping-pigs", ("Ada", "Ben")))
    table.play.decide(1, {"do": "line-up", "seat": 0, "order": PIGS})
    for seat, card in enumerate(["pink", "red", "blue"]):
        play(table, seat % 2, card)
    return table


def play(table: Table, seat: int, card: str) -> None:
    table.play.decide(table.snapshot.seq, {"do": "play", "seat": seat, "card": card})


def cards(table: Table) -> list[Any]:
    assert table.match is not None
    return [decision.what for decision in table.match.decisions() if decision.do == "play"]


def entry(table: Table, at: int) -> int:
    assert table.match is not None
    return table.match.turns[at].seq


def become(table: Table, at: int, line: dict[str, Any] | None) -> change.ChangeResult:
    return table.play.change(table.snapshot.seq, entry(table, at), line)


def test_a_card_becomes_another_and_the_rest_is_replayed(table: Table) -> None:
    made = become(table, 2, {"do": "play", "seat": 0, "card": "green"})
    assert (made.fits, made.of, made.breaks) == (2, 2, None)
    assert cards(table) == ["green", "red", "blue"]
    table.play.undo(table.snapshot.seq)
    assert cards(table) == ["pink", "red", "blue"]
    table.play.redo(table.snapshot.seq)
    play(table, 1, "yellow")
    table.play.undo(table.snapshot.seq)
    assert cards(table) == ["green", "red", "blue"], "a decision after the change goes first"
    table.play.undo(table.snapshot.seq)
    assert cards(table) == ["pink", "red", "blue"], "then the change"


def test_it_is_on_the_disk_in_one_entry_and_the_record_holds_what_is_in_force(tmp_path: Path) -> None:
    evening = Evening(tmp_path, spaces=None)
    evening.line_up()
    for seat, card in enumerate(["pink", "red", "blue"]):
        evening.tap({"do": "play", "seat": seat, "card": card})
    before = evening.journal.seq()
    become(evening.table, 2, {"do": "play", "seat": 0, "card": "red"})
    assert evening.journal.seq() == before + 1
    stood = evening.race
    evening.restart()
    assert evening.race == stood
    assert evening.played == "red red blue"
    match = evening.table.match
    assert match is not None
    assert '"pink"}' not in written(match.header, match.decisions())


def test_the_first_decision_that_no_longer_fits_is_named_and_nothing_is_changed(tmp_path: Path) -> None:
    """A card of a colour of which all are out: seven red cards, then one more by the change."""
    evening = Evening(tmp_path, seats=("Ada", "Ben"), spaces=None)
    evening.line_up()
    for turn in range(9):
        evening.tap(
            {"do": "play", "seat": turn % 2, "card": "blue" if turn == 0 else "red" if turn < 8 else "pink"}
        )
    table = evening.table
    match = table.match
    assert match is not None
    made = change.replay_change(match, 2, Decision("play", 0, "red"))
    assert made.breaks is not None
    assert made.reason is not None
    assert (made.fits, made.of) == (6, 8)
    assert ENGLISH.text(made.reason, match.race) == "all 7 red cards of this round are out already"
    assert table.match is match
    become(table, 2, {"do": "play", "seat": 0, "card": "red"})
    assert cards(table) == ["red"] * 7
    table.play.undo(table.snapshot.seq)
    assert cards(table) == ["blue", *["red"] * 7, "pink"]


def test_pieces_on_the_track_are_to_be_moved_after_a_change(tmp_path: Path) -> None:
    evening = Evening(tmp_path)
    evening.line_up()
    for card in ("pink 1", "red 1"):
        evening.play(card)
    assert evening.todo == []
    become(evening.table, 2, {"do": "play", "seat": 0, "card": "yellow"})
    assert sorted(evening.todo) == ["move the pink pig from 1 to 18!", "move the yellow pig from 19 to 1!"]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ({"do": "play", "seat": 0, "card": "pink"}, "that is what was decided"),
        ({"do": "play", "seat": 1, "card": "red"}, "another of the same seat and the same kind"),
        ({"do": "play", "seat": 0, "card": "brown"}, "there is no card brown in this game"),
        (None, "then the next one would not fit: it is Ada's turn, not Ben's"),
    ],
)
def test_a_change_that_cannot_be_is_refused_and_leaves_all_as_it_is(
    table: Table, line: dict[str, Any] | None, reason: str
) -> None:
    with pytest.raises(ConflictError) as refused:
        become(table, 2, line)
    assert reason in ENGLISH.text(refused.value.sentence, table.match.race if table.match else None)
    assert cards(table) == ["pink", "red", "blue"]


def test_the_last_decision_can_be_left_out(table: Table) -> None:
    become(table, 4, None)
    assert cards(table) == ["pink", "red"]


def test_a_decision_that_is_gone_and_a_stale_page_are_refused(table: Table) -> None:
    gone = entry(table, 4)
    seq = table.snapshot.seq
    table.play.undo(seq)
    with pytest.raises(ConflictError, match="not in force any longer"):
        table.play.change(table.snapshot.seq, gone, None)
    with pytest.raises(ConflictError, match="the table has changed meanwhile"):
        table.play.change(seq, entry(table, 3), None)


def test_everything_from_a_decision_on_is_taken_back(table: Table) -> None:
    table.play.undo(table.snapshot.seq, entry(table, 3))
    assert cards(table) == ["pink"]
    table.play.redo(table.snapshot.seq)
    assert cards(table) == ["pink", "red"], "put back one by one"


def test_hands_that_the_companion_dealt_are_hidden(tmp_path: Path) -> None:
    """They are shown neither by what could be played instead nor by refusals; the deal survives a line-up."""
    evening = Evening(tmp_path, seats=("Ada", "Ben"), spaces=None, deal="companion")
    evening.line_up()
    hands = evening.race.hands
    evening.tap({"do": "play", "seat": 0, "card": hands[0][0]})
    match = evening.table.match
    assert match is not None
    for card in PIGS:
        reason = change.illegal_reason(match, 2, Decision("play", 0, card))
        assert reason is not None
        assert "secret" in reason.text
    become(evening.table, 0, {"do": "line-up", "seat": 0, "order": PIGS[::-1]})
    assert evening.race.hands[1] == hands[1]
    assert evening.played == hands[0][0]


def test_a_card_that_is_still_face_down_is_not_changed_but_made_anew(tmp_path: Path) -> None:
    evening = Evening(tmp_path, "giro-galoppo", ("Ada", "Ben"), spaces=None)
    for seat, space in enumerate([3, 5, 9, 22, 26]):
        evening.tap({"do": "place-obstacle", "seat": (seat + 1) % 2, "space": space})
    evening.tap({"do": "play", "seat": 0, "card": 4})
    match = evening.table.match
    assert match is not None
    assert match.sealed == {5}
    with pytest.raises(ConflictError) as refused:
        become(evening.table, 5, {"do": "play", "seat": 0, "card": 5})
    assert "sealed" in refused.value.sentence.text
    made = become(evening.table, 4, {"do": "place-obstacle", "seat": 1, "space": 24})
    assert made.breaks is match.turns[5]
    assert "decided anew" in str(made.reason)
    for seat in (0, 1):
        evening.tap({"do": "play", "seat": seat, "card": 4})
    match = evening.table.match
    assert match is not None
    assert not match.sealed
    become(evening.table, 5, {"do": "play", "seat": 0, "card": 5})
    assert evening.race.progress[0] == 0, "it is stopped by the obstacle on 5"


@pytest.mark.parametrize("deal", ["people", "companion"])
def test_a_bet_is_sealed_until_its_race_is_settled_and_corrected_then(tmp_path: Path, deal: str) -> None:
    """The real bet is chosen on the slip of its race, and the money is paid anew."""
    evening = Evening(tmp_path, "greyhounds", ("Ada", "Ben", "Cleo"), None, {"lap": 5}, deal)
    decide_until(evening, "play")
    match = evening.table.match
    assert match is not None
    [at, *_] = (n for n, turn in enumerate(match.turns) if turn.decision[:2] == ("bet", 0))
    assert "sealed" in str(change.closed_reason(match, at))
    decide_until(evening, "show")
    slip = to_builtins(slip_of(match.position(at).seen_by(None), "bet", 0, ENGLISH))
    result = evening.race.results[0]
    win = {"kind": "win", "dogs": [DOGS[result.places[0]]]}
    [(over, under)] = (pay["ratio"] for pay in slip["pays"] if {**pay, **win} == pay)
    made = become(evening.table, at, {**slip["line"], "bets": [{**win, "stake": 500}]})
    assert made.breaks is None
    assert evening.race.money[0] == 6000 + result.prizes[0] + 500 * over // under - 500
    assert evening.race.money[1:] == result.money[1:]


def decide_until(evening: Evening, do: str) -> None:
    """Decide anything for the seats that are due, until this is due."""
    rng = random.Random(3)
    while (due := evening.race.awaits()) and due.do != do:
        evening.tap(decision_line(evening.race, evening.race.at_random(due.seats[0], rng)))


def test_a_robots_decision_is_its_own(tmp_path: Path) -> None:
    evening = Evening(tmp_path, "giro-galoppo", ("Ada", "Robot"), spaces=None, bots=["", "easy"])
    evening.wait(10)
    match = evening.table.match
    assert match is not None
    assert match.turns[0].by == "bot"
    other = next(d for d in match.opening.decisions(1) if d != match.turns[0].decision)
    reason = change.illegal_reason(match, 0, other)
    assert reason is not None
    assert "played by the companion" in reason.text


def test_a_ranking_by_a_robot_is_the_bookies_and_is_listed(tmp_path: Path) -> None:
    """It names no seat in its line; the host's list of what was decided says whose it is."""
    bots = ["", "easy", "easy"]
    evening = Evening(
        tmp_path, "greyhounds", ("Ada", "Ben", "Cleo"), None, {"bookie": 1}, "companion", bots=bots
    )
    while evening.race.due != "bet":
        due = evening.race.awaits()
        if due is not None and 0 in due.seats:
            evening.tap(decision_line(evening.race, evening.race.at_random(0, random.Random(3))))
        evening.wait(10)
    match = evening.table.match
    assert match is not None
    [at] = (n for n, turn in enumerate(match.turns) if turn.decision.do == "rank")
    line = view.all_played(0, match, ENGLISH).played[len(match.turns) - 1 - at]
    assert line.closed is not None
    assert line.closed.startswith("Ben is played by the companion")


def test_a_decision_is_named_by_its_news_or_its_card(table: Table) -> None:
    """Never by the word that the record has for it, where the game has news of it."""
    lined_up, _, first, *_ = table.ledger.running().turns
    assert str(change.turn_sentence(lined_up, secret=False)) != lined_up.decision.do
    assert "{card}" in change.turn_sentence(first, secret=False).text
    assert "{card}" not in change.turn_sentence(first, secret=True).text


def test_what_is_sealed_for_good_and_not_due_is_left_out() -> None:
    """For games of plug-ins: a sealed decision that others do not see is public only while it is waited for."""
    decision = Decision("whisper", 0, "a word")
    race: Any = SimpleNamespace(
        decisions=lambda viewer: (), awaits=lambda: None, sealed=lambda sealed: Decision("whisper", 0, None)
    )
    assert _public_part(race, decision) is None
    race.awaits = lambda: SimpleNamespace(do="whisper")
    assert _public_part(race, decision) == decision
