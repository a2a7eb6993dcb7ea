"""Whole games by hands on a track of switches: a right piece holds no card back, a wrong one is reported."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from companion.devices.mock.tags import DEMO_SET
from companion.games import find_by_name
from companion.games.boxes import options_for
from companion.games.judge import checked
from companion.games.race import Race, random_decision
from companion.games.terms import Decision
from companion.match.record import decision_line
from tests.support.evening import Evening

NAMES = ("Ada", "Ben", "Cleo", "Dev", "Emma")
GAMES = ("galloping-pigs", "galloping-horse", "giro-galoppo", "greyhounds")
COLOURS = ("red", "blue", "green", "yellow", "pink")
CHECK = "check the colours: "


class Hands:
    """Hands that play a game at random: cards on the pad or taps, pieces lifted and set down in time."""

    def __init__(
        self,
        directory: Path,
        game: str,
        seed: int,
        *,
        clumsy: bool = False,
        spaces: int = 22,
        rounds: int = 1,
    ) -> None:
        self.rng, self.clumsy = random.Random(seed), clumsy
        low, high = find_by_name(game).seat_counts
        seats = self.rng.randint(low, high)
        options: dict[str, Any] = {"galloping-pigs": {"rounds": rounds}, "greyhounds": {"lap": 12}}.get(
            game, {}
        )
        options = options_for(find_by_name(game), seats) | options
        colours = self.rng.sample(COLOURS, seats) if game == "giro-galoppo" else ()
        spaces = min(spaces, 12) if game == "greyhounds" else spaces
        self.evening = Evening(
            directory, game, NAMES[:seats], spaces, options, colours=colours, kind="present"
        )
        self.evening.show_track()
        self.evening.wait()
        self.race: Race = self.evening.race
        self.laid: Counter[str] = Counter()
        self.done: Counter[str] = Counter()
        self.may_ask = False  # two were up at once, or nothing could be seen

    # --- what hands do ---------------------------------------------------------------------------

    def play_to_the_end(self) -> Counter[str]:
        """Play until nothing is due; return how often what was done."""
        while (due := self.race.awaits()) is not None:
            if not due.seats or self.race.may_deal():
                deal = self.race.drawn(self.rng)
                assert deal is not None
                self.race = checked(self.race, deal)  # among themselves
                continue
            decision = self.race.at_random(self.rng.choice(due.seats), self.rng)
            self.decide(decision)
            self.race = checked(self.race, decision)
            assert self.evening.race.layout() == self.race.layout()
            self.put_pieces()
            self.look()
            if self.clumsy:
                self.bad_luck()
        assert self.evening.race.awaits() is None
        return self.done

    def decide(self, decision: Decision) -> None:
        if decision.do == "line-up":
            for place, piece in enumerate(decision.what):
                self.evening.put(piece, -place % 22, wait=0)
            self.evening.wait()
        if decision.do == "play" and self.rng.random() < 0.7:
            self.lay(decision)
        else:
            self.evening.tap(decision_line(self.race, decision))
            self.evening.wait()

    def lay(self, decision: Decision) -> None:
        """Lay the card: it must be played, since everything stands as it should."""
        assert self.evening.table.match is not None
        assert decision.seat is not None
        before = len(self.evening.table.match.turns)
        if self.race.one_card_at_a_time:
            self.laid[f"{self.evening.race.round} {decision.what}"] += 1
            card = f"{decision.what} {self.laid[f'{self.evening.race.round} {decision.what}']}"
        else:
            card = f"{self.race.field()[decision.seat]} {decision.what}"
        self.evening.lay(card)
        assert len(self.evening.table.match.turns) > before, (card, self.evening.todo, self.evening.alerts)
        self.evening.lift()

    def stands(self) -> dict[str, int]:
        """Return the space of each piece that stands on the track."""
        means = {uid: means.split("/")[2] for uid, means in DEMO_SET.items()}
        return {means[uid]: at + self.race.first_space for uid, at in self.evening.on_track.items()}

    def put_pieces(self) -> None:
        """Put every piece where it should be, each when its space is free; a circle needs both hands."""
        sensed = range(self.race.first_space, self.race.first_space + (self.evening.spaces or 0))
        layout = self.race.layout()
        to = {piece: place.space if place.space in sensed else None for piece, place in layout.items()}
        left = [piece for piece in to if self.stands().get(piece) != to[piece]]
        self.rng.shuffle(left)
        self.count(to, left)
        while left:
            free = [piece for piece in left if not self.in_the_way(piece, to, left)]
            piece = free[0] if free else left[0]
            if piece in self.stands():
                self.move(piece, None)
            if not free:
                self.make_way(piece, to, left)
            self.move(piece, to[piece])
            left.remove(piece)

    def count(self, to: dict[str, int | None], moved: list[str]) -> None:
        stood = self.stands()
        self.done["tables changed"] += bool(moved)
        same = {space for space in to.values() if space is not None} == set(stood.values())
        self.done["taken spaces as before"] += bool(moved) and same

    def in_the_way(self, piece: str, to: dict[str, int | None], left: list[str]) -> list[str]:
        """Return the pieces that have yet to leave the space where this one goes."""
        there = [other for other, at in self.stands().items() if at == to[piece] and other != piece]
        return [other for other in there if other in left]

    def make_way(self, piece: str, to: dict[str, int | None], left: list[str]) -> None:
        """Move the pieces in its way with the other hand, this piece in one hand."""
        self.may_ask = True
        for other in self.in_the_way(piece, to, left):
            self.move(other, None)
            if not self.in_the_way(other, to, left):
                self.move(other, to[other])
                left.remove(other)

    def move(self, piece: str, space: int | None) -> None:
        """Lift a piece, or set it down, in one of the ways that people do it."""
        wait = self.rng.uniform(0.5, 1.5)
        if self.clumsy and space is not None:
            self.rng.choice([self.neat, self.hover, self.slide, self.both])(piece, space)
        self.evening.put(piece, space, wait)

    def neat(self, piece: str, space: int) -> None:
        """Set it down."""

    def next_space(self, space: int) -> int:
        return (space - self.race.first_space + self.rng.choice((1, -1))) % (self.evening.spaces or 1)

    def hover(self, piece: str, space: int) -> None:
        """Hover: the magnet closes a neighbouring switch for a moment."""
        self.evening.closed_too = {self.next_space(space)}
        self.evening.show_track()
        self.evening.wait(0.2)
        self.evening.closed_too = set()

    def slide(self, piece: str, space: int) -> None:
        """Slide it over the last few spaces."""
        first = self.race.first_space
        for far in (3, 2, 1):
            self.evening.put(piece, max(space - far, first), wait=0.15)

    def both(self, piece: str, space: int) -> None:
        """Set it between two spaces until it is put straight."""
        self.evening.closed_too = {self.next_space(space)}
        self.evening.put(piece, space)
        self.evening.closed_too = set()

    def bad_luck(self) -> None:
        """Cause a trouble: a flickering switch, a piece put wrong and back, a power cut or a pulled cable."""
        self.rng.choice([self.flicker, self.astray, self.nothing, self.nothing, self.cut, self.unplug])()
        self.look()

    def nothing(self) -> None:
        """Do nothing: most of the time all is well."""

    def flicker(self) -> None:
        for piece, at in list(self.stands().items())[:1]:
            self.evening.put(piece, None, wait=0.2)
            self.evening.put(piece, at)

    def astray(self) -> None:
        for piece, at in list(self.stands().items())[:1]:
            wrong = self.a_free_space()
            self.move(piece, None)
            self.move(piece, wrong)
            self.move(piece, None)
            self.evening.put(piece, at)

    def cut(self) -> None:
        self.may_ask = True
        self.evening.restart()

    def unplug(self) -> None:
        self.evening.silent = set(range(self.evening.spaces or 0))
        self.evening.show_track()
        self.evening.wait(self.rng.uniform(0.1, 5))
        self.evening.silent = set()
        self.evening.show_track()
        self.evening.wait()

    def a_free_space(self) -> int:
        first = self.race.first_space
        taken = self.stands().values()
        return self.rng.choice(
            [s for s in range(first, first + (self.evening.spaces or 0)) if s not in taken]
        )

    # --- what must be shown ----------------------------------------------------------------------

    def look(self) -> None:
        """Assert that nothing is held, and that colours are asked for only after two were up at once."""
        self.evening.wait(0.5)
        held = [task for task in self.evening.todo if task.endswith("!")]
        assert not held, (held, self.stands(), self.race.layout())
        alerts = self.evening.alerts
        assert all(self.may_ask and alert.startswith(CHECK) for alert in alerts), (alerts, self.stands())
        self.done["asked for colours"] += len(alerts)
        if not alerts:
            self.may_ask = False
        elif self.rng.random() < 0.5:
            self.evening.press("next")


@pytest.mark.parametrize("game", GAMES)
def test_a_game_by_hands_is_never_held_up(game: str, tmp_path: Path) -> None:
    done = Hands(tmp_path, game, 3).play_to_the_end()
    assert done["tables changed"] > 5


@pytest.mark.parametrize("game", GAMES)
def test_a_game_by_clumsy_hands_is_never_held_up(game: str, tmp_path: Path) -> None:
    """Hands that slide, hover and stray, flickering switches, power cuts, a cable that comes out."""
    Hands(tmp_path, game, 7, clumsy=True).play_to_the_end()


@pytest.mark.parametrize("game", ["galloping-pigs", "giro-galoppo"])
def test_a_track_with_too_few_switches_holds_nothing_up(game: str, tmp_path: Path) -> None:
    Hands(tmp_path, game, 1, spaces=9).play_to_the_end()


@pytest.mark.parametrize("game", ["galloping-pigs", "galloping-horse"])
def test_every_single_wrong_placement_is_reported_by_piece_and_space(game: str, tmp_path: Path) -> None:
    """From any position, each animal on each free space is reported as a track with tags reports it."""
    hands = Hands(tmp_path, game, 5)
    line_up(hands)
    for _ in range(5):
        one_card(hands)
    assert_wrong_placements_are_reported(hands)


@pytest.mark.parametrize(
    "game", [GAMES[0], *(pytest.param(game, marks=pytest.mark.long) for game in GAMES[1:])]
)
def test_the_game_goes_on_with_any_states_of_the_switches(game: str, tmp_path: Path) -> None:
    """Random switches, buttons, cards and pieces break nothing; after all pieces are set up again, it agrees.

    Only here: a state in which random switches stop a game other than the first one.
    """
    noise(Hands(tmp_path, game, 4), 120)


def noise(hands: Hands, times: int) -> None:
    evening, rng = hands.evening, hands.rng
    while not hands.race.layout() or len(evening.table.match.turns) < 12:  # type: ignore[union-attr]
        one_card(hands)
    uids = sorted(DEMO_SET)
    for _ in range(times):
        evening.silent = {n for n in range(evening.spaces or 0) if rng.random() < rng.choice((0, 0, 0.1, 1))}
        evening.closed_too = {n for n in range(evening.spaces or 0) if rng.random() < 0.2}
        for piece in rng.sample(hands.race.field(), 1):
            evening.put(piece, rng.choice([None, hands.a_free_space()]), wait=rng.choice((0.1, 0.4, 1)))
        if rng.random() < 0.3:
            evening.on_pad = set(rng.sample(uids, rng.choice((0, 1))))
            evening.show_pad()
            evening.wait(rng.choice((0.05, 1)))
        if rng.random() < 0.2:
            evening.press(rng.choice(("undo", "next", "confirm")))
        if rng.random() < 0.1:
            evening.restart()
    evening.on_pad, evening.silent, evening.closed_too = set(), set(), set()
    evening.show_pad()
    evening.on_track.clear()
    evening.show_track()
    evening.wait()
    hands.race = evening.race
    hands.may_ask = True
    sensed = range(hands.race.first_space, hands.race.first_space + (evening.spaces or 0))
    for piece, place in hands.race.layout().items():
        evening.put(piece, place.space if place.space in sensed else None)
    evening.press("next")
    hands.look()


def line_up(hands: Hands) -> None:
    while not hands.race.layout() or hands.race.awaits().do != "play":  # type: ignore[union-attr]
        one_card(hands)


def one_card(hands: Hands) -> None:
    decision = random_decision(hands.race, hands.rng)
    assert decision is not None
    if decision.seat is not None:
        hands.decide(decision)
    hands.race = checked(hands.race, decision)
    hands.put_pieces()
    hands.look()


def assert_wrong_placements_are_reported(hands: Hands) -> None:
    evening = hands.evening
    right = hands.stands()
    for piece, at in right.items():
        for space in set(range(22)) - set(right.values()):
            evening.put(piece, space, wait=0.5)
            task = f"move the {piece} {evening.race.animal} from {said(space)} to {said(at)}!"
            assert evening.todo == [task]
            evening.put(piece, at, wait=0.5)
            assert (evening.todo, evening.alerts) == ([], [])


def said(space: int) -> str:
    return "start" if space == 0 else str(space)


@pytest.mark.nightly
@pytest.mark.parametrize("game", GAMES)
def test_many_games_by_hands_are_never_held_up(game: str, tmp_path: Path, soak: int) -> None:
    """No card waits in many games by neat and clumsy hands, with all switches or too few.

    The test prints how often the occupied spaces stay the same.

    Only here: a card that is held back in a position that few games reach.
    """
    done: Counter[str] = Counter()
    for seed in range(12 * soak):
        directory = tmp_path / str(seed)
        directory.mkdir()
        hands = Hands(directory, game, seed, clumsy=seed % 2 == 1, spaces=(22, 22, 15)[seed % 3], rounds=2)
        done += hands.play_to_the_end()
    print(f"{game}: {dict(done)}")


@pytest.mark.nightly
@pytest.mark.parametrize("game", ["galloping-pigs", "galloping-horse"])
def test_every_wrong_placement_in_many_positions_is_reported(game: str, tmp_path: Path) -> None:
    """Each wrong placement is reported in each of many positions of a game.

    Only here: a wrong placement that is missed when pieces are close together late in a round.
    """
    hands = Hands(tmp_path, game, 11, rounds=3)
    line_up(hands)
    for _ in range(12):
        assert_wrong_placements_are_reported(hands)
        one_card(hands)
        line_up(hands)


@pytest.mark.nightly
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_how_many_moves_leave_the_taken_spaces_as_they_were(seats: int) -> None:
    """In Giro Galoppo 4 to 30 % of the moves leave the occupied spaces the same.

    Switches alone cannot see these moves; the test prints the share for the notes (about 8, 14 and 21 %).

    Only here: a change of the rules that makes the shares in the notes wrong.
    """
    rng, moves, same = random.Random(seats), 0, 0
    for _ in range(200):
        race: Race = find_by_name("giro-galoppo").new(NAMES[:seats])
        while (decision := random_decision(race, rng)) is not None:
            at = {piece: place.space for piece, place in race.layout().items()}
            race = race.after(decision)
            happened = list(race.news)
            for news, then in zip(happened, [*happened[1:], None], strict=True):
                if news.kind == "moved":
                    before = set(at.values()) - {None}
                    at[news.values["piece"]] = news.values["stop"]
                    if then is not None and then.kind.startswith("pushed"):
                        at[then.values["piece"]] = then.values["stop"] or None
                    moves, same = moves + 1, same + (set(at.values()) - {None} == before)
    print(f"giro-galoppo, {seats} seats: {100 * same / moves:.0f} % of {moves} moves")
    assert 0.04 < same / moves < 0.3
