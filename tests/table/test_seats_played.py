"""Seats that the companion plays: when it decides, what it waits for, and that its cards stay hidden."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec import to_builtins

from companion.bots import players as bots
from companion.errors import ValidationError
from companion.games.galloping.rules import GallopingPigs
from companion.games.giro.rules import GiroGaloppo
from companion.games.greyhounds.rules import Greyhounds
from companion.games.race import Race
from companion.games.terms import Decision
from companion.message import Sentence
from companion.odds.styles import Belief
from companion.store.journal import Journal
from companion.table.messages import Chosen, NoOdds, OddsAgain
from companion.table.robots import SENSED_PAUSE, TAPPED_PAUSE
from companion.translate import Words
from companion.views.table.page import page
from tests.support.evening import PIGS, Evening
from tests.web.test_seats import House

ADA_AND_A_ROBOT = {"seats": ("Ada", "Robo"), "bots": ("", "medium"), "deal": "companion"}


def at_the_screen(directory: Path, **more: object) -> Evening:
    """Return an evening with Ada against a robot, without sensors: she taps, it decides by itself."""
    evening = Evening(directory, spaces=None, **(ADA_AND_A_ROBOT | more))  # type: ignore[arg-type]
    evening.tap({"do": "line-up", "seat": 0, "order": list(PIGS)})
    return evening


def ada_plays(evening: Evening) -> None:
    evening.tap({"do": "play", "seat": 0, "card": evening.race.secrets_of(0)["hand"][0]})


def turns(evening: Evening) -> list[tuple[int | None, str]]:
    """Return who made each play: the seat, and whether a person, a tag or a bot."""
    assert evening.table.match is not None
    return [(turn.decision.seat, turn.by) for turn in evening.table.match.turns if turn.decision.do == "play"]


def test_it_decides_when_people_could_follow(tmp_path: Path) -> None:
    """It does not decide before a pause; then it plays, and waits for Ada again."""
    evening = at_the_screen(tmp_path)
    ada_plays(evening)
    evening.wait(TAPPED_PAUSE - 0.5)
    assert turns(evening) == [(0, "person")]
    evening.wait(1)
    assert turns(evening) == [(0, "person"), (1, "bot")]
    evening.wait(60)
    assert len(turns(evening)) == 2
    ada_plays(evening)
    evening.wait(60)
    assert len(turns(evening)) == 4


def test_it_waits_until_the_piece_is_moved(tmp_path: Path) -> None:
    """A person moves every piece, the robot's too: it plays once the track says they stand right."""
    evening = Evening(tmp_path, **ADA_AND_A_ROBOT)  # type: ignore[arg-type]
    evening.show_track()
    evening.line_up()
    ada_plays(evening)
    evening.wait(60)
    assert len(turns(evening)) == 1
    for piece, place in evening.race.layout().items():
        evening.put(piece, place.space)
    evening.wait(SENSED_PAUSE + 1)
    assert turns(evening) == [(0, "person"), (1, "bot")]
    played = evening.table.match.turns[-1].decision.what  # type: ignore[union-attr]
    said = to_builtins(page(evening.table.snapshot, Words.english()))["say"]["parts"]
    text = "".join(part if isinstance(part, str) else part["text"] for part in said)
    assert text.startswith(f"Robo plays {played}: move the {played} pig to ")


def test_the_screen_says_who_thinks_and_what_was_played(tmp_path: Path) -> None:
    evening = at_the_screen(tmp_path)
    ada_plays(evening)
    said = to_builtins(page(evening.table.snapshot, Words.english()))["say"]
    assert "thinking" in "".join(
        part if isinstance(part, str) else part["text"] for part in (*said["parts"], *said["then"])
    )
    evening.wait(60)
    story = to_builtins(page(evening.table.snapshot, Words.english()))["story"][0]
    assert story["seat"] == 1


def test_an_undo_takes_back_what_a_person_did_and_what_followed(tmp_path: Path) -> None:
    """The robot's card goes back with Ada's before it; put back, both are there again and nothing is added."""
    evening = at_the_screen(tmp_path)
    ada_plays(evening)
    evening.wait(60)
    evening.table.play.undo(evening.table.snapshot.seq)
    evening.wait(60)
    assert turns(evening) == []
    evening.table.play.redo(evening.table.snapshot.seq)
    evening.wait(60)
    assert turns(evening) == [(0, "person"), (1, "bot")]


def test_a_robot_waits_while_something_is_taken_back(tmp_path: Path) -> None:
    """In Giro it chooses before Bea does: her own choice taken back, nothing happens until she chooses anew."""
    evening = Evening(tmp_path, "giro-galoppo", ("Ada", "Robo"), spaces=None, bots=("", "easy"))
    evening.wait(60)
    while evening.race.due == "place-obstacle":
        free = evening.race.decisions(0)
        evening.tap({"do": "place-obstacle", "seat": 0, "space": free[0].what})
        evening.wait(60)
    evening.tap({"do": "play", "seat": 0, "card": 1})
    evening.wait(60)
    played = evening.table.match.decisions()  # type: ignore[union-attr]
    assert [d.seat for d in played if d.do == "play"][:2] in ([0, 1], [1, 0])
    evening.table.play.undo(evening.table.snapshot.seq)
    before = evening.table.snapshot.seq
    evening.wait(60)
    assert evening.table.snapshot.seq == before


def test_a_restart_goes_on(tmp_path: Path) -> None:
    evening = at_the_screen(tmp_path)
    ada_plays(evening)
    evening.restart()
    evening.wait(60)
    assert turns(evening) == [(0, "person"), (1, "bot")]


@pytest.mark.parametrize(
    ("game", "seats"),
    [("galloping-pigs", 3), ("galloping-horse", 2), ("giro-galoppo", 5), ("greyhounds", 4)],
)
def test_robots_play_a_game_to_its_end(tmp_path: Path, game: str, seats: int) -> None:
    """No person touches anything: every decision of the game is theirs, dealing apart."""
    names = ("Ada", "Ben", "Cleo", "Dev", "Emma")[:seats]
    options = {"rounds": 1} if game.startswith("galloping") else {}
    evening = Evening(
        tmp_path, game, names, spaces=None, deal="companion", bots=("easy",) * seats, options=options
    )
    for _ in range(40):
        evening.wait(60)
    assert evening.table.match is not None
    assert evening.table.match.finished
    assert {turn.by for turn in evening.table.match.turns} <= {"bot", "companion"}


# --- who decides ---------------------------------------------------------------------------------


class Thinker:
    """An oracle that keeps what it was asked to choose."""

    def __init__(self) -> None:
        self.asked: list[tuple[int, int, Race, int, str]] = []

    def ask(self, match: int, seq: int, race: Race, belief: Belief) -> None:
        """Do nothing: odds are not wanted here."""

    def explain(self, match: int, seq: int, opening: Race, decisions: Sequence[Decision]) -> None:
        """Do nothing: looking back is not wanted here."""

    def review(self, match: int, seq: int, views: Sequence[tuple[int, Race, Belief]]) -> None:
        """Do nothing: the history is not wanted here."""

    def choose(
        self, match: int, seq: int, race: Race, seat: int, bot: str, seed: int, belief: Belief
    ) -> None:
        self.asked.append((match, seq, race, seat, bot))


def test_another_process_decides_from_the_robots_own_view(tmp_path: Path) -> None:
    """It is asked once, with what its seat may see; an answer about an older moment is ignored."""
    evening = at_the_screen(tmp_path)
    thinker = Thinker()
    evening.table.consult(thinker)
    ada_plays(evening)
    evening.wait(60)
    evening.wait(60)
    assert len(turns(evening)) == 1
    [(match, seq, view, seat, bot)] = thinker.asked
    assert (seat, bot, view) == (1, "medium", evening.race.seen_by(1))
    assert view != evening.race
    decision = bots.decide("random", view, 1, random.Random(1))
    evening.table.handle(Chosen(match, seq - 1, seat, decision))
    assert len(turns(evening)) == 1
    evening.table.handle(Chosen(match, seq, seat, decision))
    assert evening.table.match.decisions()[-1] == decision  # type: ignore[union-attr]


def test_if_that_process_is_lost_the_game_goes_on(tmp_path: Path) -> None:
    evening = at_the_screen(tmp_path)
    evening.table.consult(Thinker())
    ada_plays(evening)
    evening.table.handle(NoOdds(Sentence("no odds")))
    evening.wait(60)
    assert turns(evening) == [(0, "person"), (1, "bot")]


def test_if_that_process_works_again_it_is_asked_again(tmp_path: Path) -> None:
    """Meanwhile the robots decide without it, and the page says that there are no odds for now."""
    evening, thinker = at_the_screen(tmp_path), Thinker()
    evening.table.consult(thinker)
    evening.table.handle(NoOdds(Sentence("no odds for now"), for_now=True))
    ada_plays(evening)
    evening.wait(60)
    assert turns(evening) == [(0, "person"), (1, "bot")]
    assert thinker.asked == []
    assert str(evening.table.snapshot.no_odds) == "no odds for now"
    evening.table.handle(OddsAgain())
    assert evening.table.snapshot.no_odds is None
    ada_plays(evening)
    evening.wait(60)
    assert len(thinker.asked) == 1


# --- its cards are for no one else ----------------------------------------------------------------


def test_no_device_takes_sees_or_plays_its_seat(house_of_robots: House) -> None:
    """That holds for a phone with the code, and for the table's own screen."""
    house, phone = house_of_robots, house_of_robots.device()
    code = house.host.get("/api/join")[1]["code"]
    status, answer = phone.post("/api/join", code=code, seat=1)
    assert (status, answer["reason"]) == (403, "Robo is played by the companion: it decides by itself")
    assert house.host.get("/api/seat?seat=1")[0] == 403
    assert house.host.get("/api/seat?seat=0")[0] == 200
    status, answer = house.host.decide(do="line-up", seat=1, order=list(PIGS))
    assert status == 403
    seats = house.host.get("/api/seat/page?seat=0")[1]["seats"]
    assert [one["bot"] for one in seats] == [False, True]


@pytest.fixture
def house_of_robots(journal: Journal) -> House:
    return House(
        journal,
        "galloping-pigs",
        "companion",
        seats=["Ada", "Robo"],
        bots=["", "easy"],
    )


def test_a_robot_sees_only_its_own_hand(tmp_path: Path) -> None:
    """Ada's cards dealt anew, the robot's view is the same, and so is what it decides."""
    evening = at_the_screen(tmp_path)
    ada_plays(evening)
    view = evening.race.seen_by(1)
    for seed in range(20):
        other = view.guessed(random.Random(seed))
        assert bots.decide("medium", other, 1, random.Random(3)) == bots.decide(
            "medium", evening.race, 1, random.Random(3)
        )


CANNOT = [
    # what is asked for, and why it cannot be
    (Greyhounds.new(["a", "b", "c"]), "people", ["", "easy", ""], "let the companion deal"),
    (GallopingPigs.new(["a", "b"]), "people", ["", "easy"], "let the companion deal"),
    (GiroGaloppo.new(["a", "b"]), "people", ["", "clever"], "no bot 'clever'"),
    (GiroGaloppo.new(["a", "b"]), "people", ["easy"], "one entry for each seat"),
]


@pytest.mark.parametrize(("race", "deal", "played_by", "why"), CANNOT)
def test_what_cannot_be_is_refused(race: Race, deal: str, played_by: list[str], why: str) -> None:
    with pytest.raises((ValidationError, ValueError), match=why):
        bots.check_seats(race, deal, played_by)
