"""The pages of the rules are complete, their pictures are true, a first game explains each step once."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from msgspec import to_builtins

from companion import games
from companion.errors import ConflictError
from companion.games.presenter import presented, presenter_of
from companion.games.race import Race, random_decision
from companion.games.rulebook import Ruling, Scene
from companion.table.preferences import LAST_GAME
from companion.views.course import scenes
from tests.support.apps import create_app
from tests.support.evening import PIGS, Evening
from tests.web.test_web import Served

GAMES = [game for game in games.all_games().values() if presenter_of(game).rules]
ALL_SCENES = [
    (game, block)
    for game in GAMES
    for chapter in presenter_of(game).rules
    for block in chapter.blocks
    if isinstance(block, Scene)
]
SCENES = [pytest.param(game, scene, id=f"{game.name}: {scene.text}") for game, scene in ALL_SCENES]
ORIGIN = {"Origin": "http://localhost"}


def client(evening: Evening) -> FlaskClient:
    return create_app(evening.table).test_client()


@pytest.fixture
def pages(tmp_path: Path) -> FlaskClient:
    return client(Evening(tmp_path, seats=()))


def text_of(pages: FlaskClient, path: str) -> str:
    """Return what people read on a page: no tags, no entities, one space between words."""
    answer = pages.get(path)
    assert answer.status_code == 200
    html = re.sub(r"<(script|svg|style).*?</\1>", "", answer.get_data(as_text=True), flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", html)).split())


def test_the_page_of_pigs_says_which_editions_there_are_and_which_is_yours(tmp_path: Path) -> None:
    """Each has its numbers; the one in the house is marked, once it is known."""
    evening = Evening(tmp_path, seats=())
    before = text_of(client(evening), "/rules/galloping-pigs")
    assert "22 spaces, 35 race cards (seven of each colour), 55 food cards." in before
    assert "27 track tiles, 40 race cards (eight of each colour), 35 food chips." in before
    assert "27 tiles, food chips yours" not in before
    evening.table.preferences.remember_box("galloping-pigs", "2009")
    evening.table.evaluate()
    assert "27 tiles, food chips yours" in text_of(client(evening), "/rules/galloping-pigs")


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_what_is_not_known_of_a_box_is_for_its_owner_to_enter(pages: FlaskClient, game: type[Race]) -> None:
    """The page says so of each game, and of a printed board or chart that it is a placeholder."""
    text = text_of(pages, f"/rules/{game.name}")
    assert "If your box has other numbers, enter them on the host page" in text
    assert ("is a sample until you do" in text) == bool(game.chart)


# --- the pages -----------------------------------------------------------------------------------

RULINGS = {
    "galloping-pigs": (
        "After it. You know your cards when you lay food. Others play: before the deal",
        "It goes back to the stock. Others play: it stays there for the next round",
        "The front animal stands on the starting space itself",
        "your own last card has settled your food, and nothing undoes it",
        "You get nothing new, and keep all your loose food",
        "They share the place, and the victory too",
    ),
    "galloping-horse": (
        "Whoever starts, and only once: before the first round. Others play: all of you together",
        "There is no new line-up. Others play: they are lined up anew",
        "The front animal stands on the starting space itself",
        "The horses stay where they are. There is no new line-up",
        "The next player to the left of who started the first",
        "They share the place, and the victory too",
    ),
    "giro-galoppo": (
        "every other obstacle, natural ones too. Others play: yes: only loose obstacles keep apart",
        "that space is free, as your horse has left it. Others play: no: it counts as taken",
        "up to five in a row",
        "All five must fit, two of them after the last natural obstacle",
        "The companion refuses that board before the game begins",
        "When that number is due, and again after each move among the equals",
        "The older player moves first, at any time of the game",
        "The screens tell only if the host switches that on",
    ),
    "greyhounds": (
        "you choose among sets that you know. Others play: no: they lie face down",
        "The one further past the line is first; of level ones the one that was ahead before the turn; then the "
        "one of better rank. Others play: the one that was ahead before the turn",
        "We look after all moves of a turn. However far the front dog runs, it counts as one space past the "
        "finishing line at most. Others play: dog by dog",
        "The six for race 3 are drawn before race 1, and you may look at them. Others play: both fives",
        "Yes, wherever the highest cards move. Of two dogs the one with the higher card moves",
        "In race 1 18 14 9 4 moves 14. Others play: such a turn goes as without the variant",
        "The one that comes first in the order of seats",
        "Its sum is 60 and its cards are six tens",
        "18 14 14 4 moves 14, 10, 10 and 0",
        "The race ends. The dogs still running take the places left, by progress, then by rank",
        "They share the place, and the victory too",
    ),
}
"""What rules.md marks as a ruling, game by game."""


def test_the_list_of_rulings_knows_every_game() -> None:
    assert set(RULINGS) == {game.name for game in GAMES}


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_ruling_is_on_the_page(game: type[Race], pages: FlaskClient) -> None:
    text = text_of(pages, f"/rules/{game.name}")
    for ruling in RULINGS[game.name]:
        assert ruling in text
    for chapter in presenter_of(game).rules:
        for block in chapter.blocks:
            if isinstance(block, Ruling):
                others = f" Others play: {block.others}" if block.others else ""
                assert as_usual(game, f"{block.when} {block.counts}{others}") in text


def as_usual(game: type[Race], text: str) -> str:
    """Return the text with the options that it names at their defaults."""
    return text.format_map({option.name: option.default for option in game.options})


def test_stakes_are_shown_as_the_game_that_runs_has_them(tmp_path: Path, pages: FlaskClient) -> None:
    """In the sentence about bets and in the ruling about stakes."""
    usual = text_of(pages, "/rules/greyhounds")
    assert "in steps of $500." in usual
    assert "Multiples of $500. The host" in usual
    seats, options = ("Ada", "Ben", "Cleo"), {"bet_step": 250, "ties": "strike"}
    (tmp_path / "own").mkdir()
    running = client(Evening(tmp_path / "own", "greyhounds", seats=seats, options=options))
    now = text_of(running, "/rules/greyhounds")
    assert "in steps of $250." in now
    assert "Multiples of $250. The host" in now
    assert "possible: move together, are struck out now: are struck out" in now


def test_the_tables_of_equal_cards_struck_out_are_what_the_rules_make_of_them(pages: FlaskClient) -> None:
    """Race by race: the cards, and what they move."""
    table = text_of(pages, "/rules/greyhounds").partition("Variant: equal cards are struck out")[2]
    first, second, third = (table.partition(f"Race {race} cards spaces moved")[2][:130] for race in (1, 2, 3))
    assert "18, 18, 9, 4 0, 0, 5, 0 18, 18, 9 0, 0, 0 18, 9 9, 0" in first
    assert "18, 14, 14, 4 14, 0, 0, 0 18, 14, 9, 9 9, 5, 0, 0" in second
    assert "18, 14, 9, 4 14, 10, 5, 0 18, 18, 9, 4 0, 0, 5, 0" in third


@pytest.mark.parametrize("game", games.all_games().values(), ids=lambda game: game.name)
def test_every_option_is_on_the_page(game: type[Race], pages: FlaskClient) -> None:
    """That holds also for a game without written rules."""
    text = text_of(pages, f"/rules/{game.name}")
    assert game.title in text
    for option in game.options:
        assert option.label in text
        assert option.help in text


def test_the_list_leads_to_every_game_and_nowhere_else(pages: FlaskClient) -> None:
    listed = re.findall(r'href="rules/([a-z-]+)"', pages.get("/rules").get_data(as_text=True))
    assert sorted(set(listed)) == sorted(games.all_games())
    assert pages.get("/rules/pigz").status_code == 404


def test_the_options_of_the_game_that_runs_are_shown(tmp_path: Path) -> None:
    running = client(Evening(tmp_path, options={"rounds": 7, "food_on_track": True}))
    pigs = text_of(running, "/rules/galloping-pigs")
    assert "now: 7" in pigs
    assert "now: on" in pigs
    assert "now:" not in text_of(running, "/rules/galloping-horse")


def test_a_placeholder_says_so_until_the_owner_has_entered_the_real_thing(journal: Any) -> None:
    site = Served(journal)
    try:
        site.host()
        assert "computed These are not from a printed game" in text_of_site(site, "greyhounds")
        assert "15 % stay with the house" in text_of_site(site, "greyhounds")
        chart = site.get("/api/charts")["charts"]["greyhounds"]["chart"]
        chart["lap"] = 31
        site.put("/api/charts/greyhounds", chart=chart)
        own = text_of_site(site, "greyhounds")
        assert "Entered from your own game." in own
        assert "spaces of a lap: 31" in own
        site.put("/api/charts/greyhounds", chart=chart, computed=0.85)
        assert "any bet pays back 85 % of the stakes" in text_of_site(site, "greyhounds")
        site.begin("greyhounds", ("Ada", "Ben", "Cleo"))
        assert "sample These are not" in text_of_site(site, "greyhounds"), "this game runs without it"
    finally:
        site.close()


def text_of_site(site: Served, game: str) -> str:
    html = site.get(f"/rules/{game}")
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", html)).split())


# --- the pictures --------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "scene"), SCENES)
def test_a_picture_shows_what_the_rules_do(game: type[Race], scene: Scene) -> None:
    """Every decision is legal; every piece drawn stands where the rules have it, before and after."""
    before, after = scenes.played(game, scene)
    end, picture = after[-1] if after else before, to_builtins(scenes.drawn(game, scene))
    if scene.panel:
        assert scene.panel in [panel.name for panel in presented(end).panels()]
        return
    spaces = before.track()["spaces"] if before.track()["kind"] == "loop" else 10**6
    for drawn in picture["pieces"]:
        place = before.layout()[drawn["piece"]]
        space = None if drawn["space"] is None else drawn["space"] % spaces
        assert (drawn["zone"], space) == (place.zone, place.space)
    for move in picture["moves"]:
        place = end.layout()[move["piece"]]
        assert place.zone == move["zone"]
        assert place.space == (None if move["to"] is None else move["to"] % spaces)
        assert move["piece"] in [drawn["piece"] for drawn in picture["pieces"]]
    for stop in picture["stops"]:
        assert end.layout()[stop["piece"]] == before.layout()[stop["piece"]]
    moved = {piece for piece, place in end.layout().items() if before.layout()[piece] != place}
    assert moved == {move["piece"] for move in picture["moves"]}
    if scene.purse is not None:
        assert picture["purse"]["kept"][1] == end.scores()[scene.purse]


@pytest.mark.parametrize(("game", "scene"), SCENES)
def test_a_picture_holds_everything_that_it_moves(game: type[Race], scene: Scene) -> None:
    picture = to_builtins(scenes.drawn(game, scene))
    if scene.window is not None:
        first, last = scene.window
        on_it = [m[end] for m in picture["moves"] for end in ("from", "to") if m[end] is not None]
        assert all(first <= space <= last for space in on_it)


def test_the_captions_of_the_pictures_are_right() -> None:
    """Those are right whose sentence names a space."""
    moves = {
        scene.text: {
            m["piece"]: (m["from"], m["to"]) for m in to_builtins(scenes.drawn(game, scene))["moves"]
        }
        for game, scene in ALL_SCENES
        if not scene.panel
    }
    assert moves["Occupied spaces do not count: pink hops over the whole row and takes the lead."] == {
        "pink": (-4, 1)
    }
    assert moves["Pink lands in the gap behind red. It does not lead, so it brings no food."] == {
        "pink": (-4, 0)
    }
    assert moves["Red lands on 5. Blue goes back: an obstacle lies on 4, so it goes to 3."] == {
        "red": (2, 5),
        "blue": (5, 3),
    }
    assert moves["Race 1, cards 18, 14, 9 and 4: only red moves, 18 − 14 = 4 spaces."] == {"red": (0, 4)}


# --- what is explained ---------------------------------------------------------------------------


def played(game: type[Race], seed: int) -> Iterator[Race]:
    """Yield a game at random, position by position."""
    rng = random.Random(seed)
    seats = ("Ada", "Ben", "Cleo", "Dan")
    options: dict[str, Any] = {}
    if game.name == "greyhounds":
        options = {"lap": 12, "bookie": seed % 2 or None, "ties": "strike" if seed % 3 == 2 else "move"}
    if game.name == "galloping-pigs":
        options = {"food_on_track": True, "food": 9, "spaces": 10, "last_card_decides": seed % 3 > 0}
    if game.name == "giro-galoppo":
        options = {"rearmost_only": bool(seed % 2)}
    if game.name == "galloping-horse":
        options = {"food": 9, "spaces": 10}
    race = game.new(seats, **options)
    while True:
        yield race
        decision = random_decision(race, rng)
        if decision is None:
            return
        race = race.after(decision)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_each_kind_of_decision_is_explained_and_each_explanation_comes(game: type[Race]) -> None:
    """No step is left out, and no explanation waits for something that never happens."""
    due, occasions = set[str](), set[str]()
    for seed in range(150):
        for race in played(game, seed):
            if awaited := race.awaits():
                due.add(awaited.do)
            occasions |= {*presented(race).duties(), *presented(race).happenings()}
        if set(presenter_of(game).explains) <= occasions:
            break
    assert due <= set(presenter_of(game).explains)
    assert set(presenter_of(game).explains) <= occasions


def explained(evening: Evening) -> str | None:
    return evening.table.snapshot.explain


def test_a_step_is_explained_once_over_a_restart(tmp_path: Path) -> None:
    evening = Evening(tmp_path, spaces=None, seats=("Ada", "Ben"))
    assert explained(evening) is None, "no one asked for it"
    evening.table.play.explain(True)
    assert explained(evening) == "line-up"
    evening.line_up()
    assert explained(evening) == "play"
    evening.restart()
    assert explained(evening) == "play", "it was not done yet"
    evening.tap({"do": "play", "seat": 0, "card": "pink"})
    assert explained(evening) == "hop"
    evening.table.play.explained("hop")
    assert explained(evening) == "leads"
    evening.tap({"do": "play", "seat": 1, "card": "pink"})
    assert explained(evening) is None, "cards and leads were explained"
    evening.restart()
    evening.table.end(evening.table.snapshot.seq)
    evening.table.begin(evening_header(evening))
    assert explained(evening) is None, "line-up is known in this household"


def evening_header(evening: Evening) -> Any:
    [filed, *_] = evening.journal.matches()
    return filed.header


def test_off_stays_off_and_on_begins_anew(tmp_path: Path) -> None:
    evening = Evening(tmp_path, spaces=None, seats=("Ada", "Ben"))
    evening.table.play.explain(True)
    evening.line_up()
    evening.table.play.explain(False)
    assert explained(evening) is None
    evening.restart()
    assert explained(evening) is None
    assert not evening.table.snapshot.explaining
    assert not evening.table.tutorial.offers("galloping-pigs"), "it was said"
    evening.table.play.explain(True)
    assert explained(evening) == "play"


def test_it_is_offered_until_a_game_was_finished_once_here(tmp_path: Path) -> None:
    evening = Evening(tmp_path, spaces=None, seats=("Ada", "Ben"), options={"rounds": 1})
    offers = evening.table.tutorial.offers
    assert offers("galloping-pigs")
    evening.table.play.explain(True)
    evening.line_up()
    for card in [pig for pig in PIGS[:2] for _ in range(7)]:
        [seat] = evening.race.awaits().seats
        evening.tap({"do": "play", "seat": seat, "card": card})
    assert evening.race.awaits() is None
    assert not offers("galloping-pigs")
    assert not evening.table.snapshot.explaining, "the first game is over"
    assert offers("galloping-horse")


def test_what_several_owe_is_explained_until_the_last_has_done_it(tmp_path: Path) -> None:
    evening = Evening(tmp_path, "giro-galoppo", spaces=None, seats=("Ada", "Ben"))
    evening.table.play.explain(True)
    for seat, space in zip((1, 0, 1, 0, 1), (4, 10, 12, 22, 25), strict=True):
        evening.tap({"do": "place-obstacle", "seat": seat, "space": space})
    assert explained(evening) == "play"
    evening.tap({"do": "play", "seat": 1, "card": 4})
    assert explained(evening) == "play", "Ada still has to choose"
    evening.tap({"do": "play", "seat": 0, "card": 2})
    assert explained(evening) == "refused"


def test_the_last_card_and_its_reward_are_explained(tmp_path: Path) -> None:
    evening = Evening(tmp_path, spaces=None, seats=("Ada", "Ben"))
    evening.table.play.explain(True)
    evening.line_up()
    for key in presented(evening.race).explains.keys() - {"last-card", "kept", "lost"}:
        evening.table.play.explained(key)
    for card in ["red"] * 6 + ["pink"] * 6:
        assert explained(evening) is None
        [seat] = evening.race.awaits().seats
        evening.tap({"do": "play", "seat": seat, "card": card})
    assert explained(evening) == "last-card"
    evening.tap({"do": "play", "seat": 0, "card": "red"})
    assert explained(evening) == "kept", "and Ben, whose last card is due, knows"


def test_a_robots_tasks_are_not_explained(tmp_path: Path) -> None:
    evening = Evening(tmp_path, spaces=None, deal="companion", seats=("Ada", "Ben"), bots=("strong", ""))
    evening.table.play.explain(True)
    assert explained(evening) is None


def test_only_who_plays_says_what_was_read(journal: Any) -> None:
    site = Served(journal)
    try:
        site.host()
        site.begin(explain=True)
        page = create_app(site.owner).test_client()
        elsewhere = {"REMOTE_ADDR": "192.168.1.9"}
        asked: list[dict[str, Any]] = [{"on": False}, {"seen": "line-up"}]
        wrong: list[dict[str, Any]] = [{}, {"on": True, "seen": "play"}, {"seen": "nothing"}]
        for body in asked:
            refused = page.post("/api/explain", json=body, headers=ORIGIN, environ_base=elsewhere)
            assert refused.status_code == 403
        for body in wrong:
            assert page.post("/api/explain", json=body, headers=ORIGIN).status_code == 400
        assert site.owner.snapshot.explain == "line-up"
        assert page.post("/api/explain", json={"seen": "line-up"}, headers=ORIGIN).status_code == 200
        assert site.owner.snapshot.explain is None
        assert page.post("/api/explain", json={"on": False}, headers=ORIGIN).status_code == 200
        assert not site.owner.snapshot.explaining
        assert "explain" not in site.owner.journal.recall(LAST_GAME), "it is asked anew at every game"
    finally:
        site.close()


def test_without_a_game_nothing_is_explained(tmp_path: Path) -> None:
    evening = Evening(tmp_path, seats=())
    with pytest.raises(ConflictError):
        evening.table.play.explain(True)
