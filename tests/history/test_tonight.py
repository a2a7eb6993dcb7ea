"""Tonight's score: points by place over the games of one evening, and a champion after three."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import pytest

from companion.history.past import Past
from companion.history.tonight import Best, Person, best_moment, tonight
from companion.match.entries import Filed
from companion.match.record import Header
from companion.message import Sentence
from companion.odds.luck_summary import LuckSummary, Swing
from companion.paper.drawings import WEB
from companion.paper.hats import HATS
from companion.paper.tonight import tonight_image
from companion.translate import Words
from companion.views.tonight import said, tonight_view
from tests.paper.test_evening import past_of
from tests.support.moments import Story

NAMES = ("Ada", "Ben", "Cleo")


def game(
    number: int,
    places: Sequence[int | None],
    began: str,
    state: str = "finished",
    bots: tuple[str, ...] = (),
    names: Sequence[str] = NAMES,
) -> Filed:
    """Return a game with the place of each seat."""
    seated = enumerate(zip(names, places, strict=True))
    rows = tuple({"seat": seat, "name": name, "place": place, "score": 0} for seat, (name, place) in seated)
    header = Header("galloping-pigs", tuple(names), 0, {})
    return Filed(number, header, "people", (), state, f"2026-11-{began}", rows, {}, bots)  # type: ignore[arg-type]


EVENING = [
    game(4, (1, 2, 3), "28T21:30:00"),
    game(3, (2, 1, 3), "28T20:30:00"),
    game(2, (1, 1, 3), "28T19:30:00"),
    game(1, (3, 2, 1), "27T21:00:00"),
]


def test_points_are_by_place_over_the_games_of_one_evening() -> None:
    """A shared place has the points of that place; yesterday's game is of another evening."""
    now = tonight(EVENING)
    assert now.people == [Person("Ada", 8, 2, 3, 0), Person("Ben", 8, 2, 3, 1), Person("Cleo", 3, 0, 3, 2)]
    assert [filed.id for filed in now.games] == [4, 3, 2]
    assert (now.leaders, now.to_go, now.chooser) == (["Ada", "Ben"], 0, "Cleo")


def test_an_evening_goes_past_midnight() -> None:
    late = [game(6, (1, 2, 3), "29T00:40:00"), game(5, (1, 2, 3), "28T23:10:00")]
    assert len(tonight([*late, *EVENING]).games) == 5


def test_more_wins_decide_between_equal_points() -> None:
    """One win and a third place are before two second places."""
    games = [game(2, (1, 2, 3), "28T20:00:00"), game(1, (3, 2, 1), "28T19:00:00")]
    assert tonight(games).leaders == ["Ada", "Cleo"]
    assert [one.points for one in tonight(games).people] == [4, 4, 4]


@pytest.mark.parametrize(
    "uncounted",
    [
        game(9, (1, 2, 3), "28T22:00:00", "ended"),
        game(9, (1, 2, 3), "28T22:00:00", "running"),
        game(9, (1, 2), "28T22:00:00", bots=("", "easy"), names=("Guest", "Robot")),
    ],
    ids=["given up", "still going on", "one person against robots"],
)
def test_a_game_that_was_not_played_out_by_people_does_not_count(uncounted: Filed) -> None:
    assert tonight([uncounted, *EVENING]).games == tonight(EVENING).games


def test_a_robot_gets_no_points_and_chooses_nothing() -> None:
    now = tonight([game(1, (3, 2, 1), "28T19:00:00", bots=("easy", "", ""))])
    assert now.people == [Person("Cleo", 3, 1, 1, 2), Person("Ben", 2, 0, 1, 1)]
    assert now.chooser == "Ben"


def test_who_is_not_placed_came_last() -> None:
    assert tonight([game(1, (1, None, 2), "28T19:00:00")]).chooser == "Ben"
    assert tonight([game(1, (1, None, None), "28T19:00:00")]).chooser is None


@pytest.mark.parametrize(
    ("played", "say", "after", "champion"),
    [
        (0, "Tonight's first game is still to come.", None, False),
        (1, "Ada leads tonight.", "Cleo came last and chooses the next game.", False),
        (
            3,
            "Ada and Ben are the champions of the evening!",
            "Cleo came last and chooses the next game.",
            True,
        ),
    ],
)
def test_the_page_says_who_leads_and_who_is_the_champion(
    played: int, say: str, after: str | None, champion: bool
) -> None:
    view = tonight_view(tonight(EVENING[:played]), {}, Words.english())
    assert (view.say, view.next, view.champion) == (say, after, champion)
    assert [one.id for one in view.games] == [filed.id for filed in EVENING[:played]]


def test_the_picture_has_everybody_and_no_address_of_another_file() -> None:
    now = tonight(EVENING)
    image = tonight_image(now, Words.english(), said(now), {}).decode()
    for text in ("Ada", "Ben", "Cleo", "8 points", "3 games", "Tonight"):
        assert text in image, text
    assert "http" not in image.replace("http://www.w3.org/2000/svg", "")


STORY = Story("galloping-pigs", NAMES, 3)
ROUND = Sentence("Round {round} of {rounds}", {"round": 2, "rounds": 3})
CARD = Sentence("{seat1} plays {card1}", {"seat1": 1, "card1": "green"})


@pytest.fixture(scope="module")
def played() -> Past:
    """Return a game that is over, and not analysed."""
    return replace(past_of(STORY), luck=None)


def turned(past: Past, number: int, *swings: tuple[tuple[int, ...], tuple[int, ...]]) -> Past:
    """Return the game with this number and these moments: chances of each seat before and after."""
    moments = tuple(Swing(at, at + 1, ROUND, CARD, *chances) for at, chances in enumerate(swings))
    return replace(past, id=number, luck=LuckSummary(Sentence(""), (), (), (), moments))


def best_of(*pasts: Past) -> Best:
    best = best_moment(pasts)
    assert best is not None
    return best


def test_the_moment_of_the_evening_is_the_greatest_turn_of_all_its_games(played: Past) -> None:
    """The earlier one of equal ones; a game that is not analysed has none."""
    small, large = ((30, 40, 30), (40, 30, 30)), ((20, 40, 40), (55, 15, 30))
    games = [turned(played, 3, small), turned(played, 2, small, large), turned(played, 1, large), played]
    best = best_of(*games)
    assert (best.past.id, best.swing.after, best.headline) == (1, large[1], None)
    assert best_moment([played]) is None
    assert best_moment([]) is None


def test_the_page_says_what_the_moment_was_and_who_gained(played: Past) -> None:
    best = best_of(turned(played, 7, ((20, 40, 40), (55, 15, 30))))
    moment = tonight_view(tonight(EVENING), {}, Words.english(), best).moment
    assert moment is not None
    assert (moment.id, moment.name, moment.before, moment.after) == (7, "Ada", 20, 55)
    assert moment.stage == "Round 2 of 3"
    assert tonight_view(tonight(EVENING), {}, Words.english()).moment is None


def test_the_picture_shows_the_moment_in_steps_of_five_percent(played: Past) -> None:
    best = best_of(turned(played, 7, ((21, 40, 39), (56, 15, 29))))
    image = tonight_image(tonight(EVENING), Words.english(), Sentence("Ada wins"), {}, best).decode()
    for text in ("The moment of the evening", "Ada from 20% to 55%", "Galloping Pigs"):
        assert text in image, text


def test_hats_have_the_same_colours_on_paper_as_on_the_pages() -> None:
    """Else the picture would show the whole family in one hat."""
    script = (WEB / "common" / "draw.js").read_text("utf-8")
    on_pages = re.findall(r'\["(#\w{6})", "(#\w{6})"\]', script)
    assert tuple(on_pages) == HATS
    image = tonight_image(tonight(EVENING), Words.english(), Sentence("Ada wins"), {}).decode()
    for colour, _ in HATS[: len(NAMES)]:
        assert colour in image, colour
