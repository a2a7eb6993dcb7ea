"""A first game: one question a screen, few touches from the table page to the first card, one main button.

Only here: a button or question of the first pages that takes more touches, cannot be answered by keys, or leads astray.
"""

from __future__ import annotations

from functools import partial

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import PIN, Guests
from tests.support.browser.hands import LINE_UP
from tests.support.client import Client

pytestmark = [pytest.mark.browser, pytest.mark.long]

MOST_TOUCHES = 6
GAMES = ("galloping-pigs", "galloping-horse", "giro-galoppo", "greyhounds")
PIECES = {"galloping-pigs": LINE_UP, "galloping-horse": LINE_UP[:4]}
MAIN = "button.go:visible, a.go:visible"


@pytest.fixture
def page(host: Client, home: str, guests: Guests) -> Page:
    """Return the host's phone, unlocked, at a companion on which no game was finished."""
    opened = guests.open(f"{home}/host", 390, 844, has_touch=True)
    opened.locator("[name=pin]").fill(PIN)
    opened.locator("[name=pin]").press("Enter")
    expect(opened.locator("#form")).to_be_visible()  # hidden until the table arrives: no key reaches it
    expect(opened.locator("#new-title")).to_have_text("Which game? 1 of 4")
    return opened


class Finger:
    """Touches, and counts."""

    def __init__(self) -> None:
        self.touches = 0

    def touch(self, what: Locator) -> None:
        what.tap()
        self.touches += 1


def play_to_the_end(host: Client) -> None:
    """Play the rest of a game of pigs of one round, or a new one."""
    if host.table["match"] is None:
        host.begin(options={"rounds": 1})
    turn = 0
    while due := host.table["next"]:
        seat = due["seats"][0]
        if due["do"] == "line-up":
            host.decide(do="line-up", seat=seat, order=list(LINE_UP))
        else:
            host.decide(do="play", seat=seat, card=LINE_UP[turn % 5])
            turn += 1


def decided(do: str, table: dict[str, object]) -> bool:
    """Return whether another decision is due now."""
    due = table["next"]
    return isinstance(due, dict) and due["do"] != do


@pytest.mark.parametrize(
    "short",
    [
        pytest.param(False, id="every question", marks=pytest.mark.long),
        pytest.param(True, id="start now, without hardware"),
    ],
)
def test_at_most_six_touches_to_the_first_card(host: Client, home: str, page: Page, short: bool) -> None:
    """From the table page a game takes six touches at most, with pieces on the track or put by tap.

    Only here: a question before a first game that costs a touch too many, or a line-up on the track that is
    not accepted.
    """
    touches = {}
    for game in GAMES:
        finger = Finger()
        page.goto(f"{home}/")
        expect(page.locator("#big")).to_have_text("Who plays tonight?")
        expect(page.locator(MAIN)).to_have_count(1)
        finger.touch(page.locator("[data-action=host]"))
        finger.touch(page.locator(f".tile > label:has([value={game}])"))
        onward = page.locator("[data-action=question-next]")
        while not short and onward.is_visible():
            finger.touch(onward)
        if not short:
            uids = host.uids(game)
            for place, colour in enumerate(PIECES.get(game, ())):
                host.space(-place % 22, uids[f"piece/{colour}"])
        finger.touch(page.locator("[data-action=start]"))
        page.wait_for_url(f"{home}/")
        due = host.table["next"]["do"]
        if due == "line-up":
            ways = ["line-up-any", "line-up-ok"] if short else ["confirm"]
            for way in ways:
                finger.touch(page.locator(f"#dock [data-action={way}]"))
        elif due == "place-obstacle":
            finger.touch(page.locator("[data-action=place-obstacle-any]"))
        if due != "show":
            host.until(partial(decided, due))
        assert host.table["next"]["do"] in ("play", "show")
        assert host.table["match"]["game"] == game
        touches[game] = finger.touches
        for colour in PIECES.get(game, ()):
            host.pad(host.uids(game)[f"piece/{colour}"])  # off the track: the next game has other pieces
        host.pad()
        host.now("/api/end")
    assert max(touches.values()) <= MOST_TOUCHES, touches


def test_a_question_is_answered_by_keys_and_taken_back(host: Client, page: Page) -> None:
    """The focus goes to each question, which says how far it is; keys move among the games without going on."""
    title, back = page.locator("#new-title"), page.locator("[data-action=question-back]")
    page.locator("[name=game]").first.focus()
    page.keyboard.press("ArrowDown")
    expect(title).to_have_text("Which game? 1 of 4")
    page.keyboard.press("Enter")
    expect(title).to_have_text("Who plays? Clockwise round the table. 2 of 4")
    expect(title).to_be_focused()
    names = page.locator("#seats input[type=text]")
    names.nth(0).fill("Ada")
    names.nth(1).fill("Ada")
    names.nth(1).press("Enter")
    expect(page.locator("#toast")).to_contain_text("same name")
    names.nth(1).fill("Ben")
    names.nth(1).press("Enter")
    expect(title).to_have_text("Who is the youngest? 3 of 4")
    page.locator("#youngest [value='1']").check()
    back.tap()
    expect(title).to_be_focused()
    expect(names.nth(1)).to_have_value("Ben")
    page.keyboard.press("Tab")
    page.locator("[data-action=question-next]").tap()
    page.locator("[data-action=question-next]").tap()
    expect(title).to_have_text("Who has the cards? 4 of 4")
    page.locator("[data-action=start]").tap()
    expect(page.locator("#running")).to_be_visible()
    assert host.table["match"]["game"] == "galloping-horse"
    assert host.table["next"] == {"do": "line-up", "seats": [1]}, "the youngest begins"


def test_a_touch_of_a_box_chooses_its_game_too_and_goes_on(host: Client, page: Page) -> None:
    """So the question about the box costs no touch."""
    page.locator(".tile > label:has([value=greyhounds])").tap()
    page.locator("[data-action=question-back]").tap()
    page.locator(".box2", has_text="27 tiles").tap()
    expect(page.locator("#new-title")).to_have_text("Who plays? Clockwise round the table. 2 of 4")
    page.locator("[data-action=start]").tap()
    expect(page.locator("#running")).to_be_visible()
    match = host.table["match"]
    assert (match["game"], match["options"]["spaces"]) == ("galloping-pigs", 27)


def test_the_youngest_of_giro_is_the_last_of_an_order(host: Client, page: Page) -> None:
    page.locator(".tile:has([value=giro-galoppo])").tap()
    page.locator("[data-action=question-next]").tap()
    expect(page.locator("#new-title")).to_have_text("Who is how old? The oldest on top. 3 of 4")
    page.locator("#ages [data-action=earlier]").nth(1).tap()
    page.locator("[data-action=start]").tap()
    expect(page.locator("#running")).to_be_visible()
    assert host.table["match"]["options"] == {"age": [1, 0]}


def test_greyhounds_ask_no_age(page: Page) -> None:
    page.locator(".tile:has([value=greyhounds])").tap()
    page.locator("[data-action=question-next]").tap()
    expect(page.locator("#new-title")).to_have_text("Who has the cards? 3 of 3")


def test_a_page_has_one_main_button(host: Client, page: Page) -> None:
    """That holds at each question, on the whole form, while a game runs, and when it is over."""
    main = page.locator(MAIN)
    for question in range(4):
        expect(page.locator("#new-title")).to_contain_text(f"{question + 1} of 4")
        expect(main).to_have_count(1)
        if question < 3:
            page.locator("[data-action=question-next]").tap()
    page.locator("[data-action=by-question]").tap()
    expect(page.locator("#new-title")).to_have_text("New game")
    expect(main).to_have_count(1)
    page.reload()  # how it asks is remembered
    expect(page.locator("#new-title")).to_have_text("New game")
    expect(main).to_have_count(1)
    page.locator("[data-action=start]").tap()
    expect(page.locator("#running")).to_be_visible()
    expect(main).to_have_count(1)
    host.decide(do="line-up", seat=0, order=list(LINE_UP))
    page.locator("#running [data-action=undo]").tap()
    expect(page.locator("#back [data-action=take-it-back]")).to_be_visible()
    assert (
        main.evaluate_all(
            "all => all.filter(one => getComputedStyle(one).backgroundColor !== 'rgb(255, 255, 255)').length"
        )
        == 1
    )
    page.locator("#back [data-action=keep-it]").tap()
    play_to_the_end(host)
    expect(page.locator("#running [data-action=again]")).to_be_visible()
    expect(main).to_have_count(1)


def test_who_has_played_is_offered_the_same_again_first(host: Client, page: Page) -> None:
    """After a finished game the large button repeats it, and another game is a question away."""
    play_to_the_end(host)
    page.reload()
    expect(page.locator("#new-title")).to_have_text("Which game? 1 of 4")
    expect(page.locator("#running [data-action=again]")).to_contain_text("Same people, same game")
    expect(page.locator(MAIN)).to_have_count(1)
    page.locator(".tile > label:has([value=giro-galoppo])").tap()
    expect(page.locator(MAIN)).to_have_text("Next")
    page.locator("[data-action=by-question]").tap()
    expect(page.locator("#new-title")).to_have_text("New game")
    expect(page.locator(MAIN)).to_contain_text("Start the race")


def test_the_same_people_are_at_the_first_card_in_six_touches(host: Client, home: str, page: Page) -> None:
    """A group that played before: one touch starts the game, and the rest puts the pieces on the track."""
    play_to_the_end(host)
    host.now("/api/end") if host.table["next"] else None
    page.goto(f"{home}/host?table")
    finger = Finger()
    finger.touch(page.locator("[data-action=again]:visible"))
    page.wait_for_url(f"{home}/")
    if host.table["next"]["do"] == "line-up":
        finger.touch(page.locator("[data-action=line-up-any]"))
        finger.touch(page.locator("[data-action=line-up-ok]"))
    host.until(partial(decided, "line-up"))
    expect(page.locator("[data-action=play]").first).to_be_visible()
    assert finger.touches <= MOST_TOUCHES, finger.touches


def test_each_game_says_who_can_play_how_long_and_what_it_feels_like(page: Page) -> None:
    for game, minutes in (("galloping-pigs", 20), ("giro-galoppo", 30), ("greyhounds", 45)):
        tile = page.locator(f".tile > label:has([value={game}])")
        expect(tile).to_contain_text(f"players · about {minutes} minutes")
        expect(tile.locator(".feel")).to_be_visible()


def test_a_robot_is_a_touch_beside_the_names(host: Client, page: Page) -> None:
    """It takes the last seat without a name, then a new one, and never the last person's."""
    page.locator(".tile > label:has([value=galloping-pigs])").tap()
    robot = page.locator("[data-action=add-robot]")
    robot.tap()
    expect(page.locator("#seats input[type=text]").last).to_have_value("Robot 2")
    robot.tap()
    expect(page.locator("#seats input[type=text]").last).to_have_value("Robot 3")
    expect(page.locator("#seats input[type=text]").first).to_have_value("")
    robot.tap()
    expect(robot).to_be_hidden()
    page.locator("[data-action=start]").tap()
    expect(page.locator("#running")).to_be_visible()
    assert host.table["match"]["bots"] == ["", "medium", "medium", "medium"]
