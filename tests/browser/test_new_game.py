"""The host's form asks for colours, animals' names, a bookie, the printed board and the odds.

Only here: an entry of the form that does not reach the game, or that is lost when the language changes.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from companion.games.greyhounds.bets import charts_of
from companion.games.greyhounds.fair import FAIR
from tests.browser.conftest import PIN, Guests, all_on_one_page
from tests.support.client import Client

pytestmark = [pytest.mark.browser, pytest.mark.long]


@pytest.fixture
def page(host: Client, home: str, guests: Guests) -> Page:
    """Return the host's phone, unlocked, with the whole form on one page."""
    opened = guests.open(f"{home}/host", 390, 844, has_touch=True)
    all_on_one_page(opened)
    opened.locator("[name=pin]").fill(PIN)
    opened.locator("[name=pin]").press("Enter")
    expect(opened.locator("#form")).to_be_visible()
    return opened


def choose(page: Page, game: str, *names: str) -> None:
    page.locator(f"input[value={game}]").check()
    fields = page.locator("#seats input[type=text]")
    for at, name in enumerate(names):
        if fields.count() <= at:
            page.locator("[data-action=add-seat]").click()
        fields.nth(at).fill(name)


def start(page: Page) -> None:
    page.locator("[data-action=start]").click()
    expect(page.locator("#running")).to_be_visible()


def test_giro_colours_are_chosen_and_a_taken_one_is_swapped(host: Client, page: Page) -> None:
    choose(page, "giro-galoppo", "Ada", "Ben", "Cleo")
    page.locator("[data-colour='1']").select_option("red")
    start(page)
    assert host.table["match"]["colours"] == ["blue", "red", "green"]


def test_animals_are_called_by_the_names_they_were_given(host: Client, page: Page) -> None:
    choose(page, "greyhounds", "Ada", "Ben", "Cleo")
    page.locator("#names summary").click()
    page.locator("[data-nickname=red]").fill("Not Yet")
    start(page)
    for seat, cards in enumerate([[1, 2, 3, 18, 19, 20], [4, 5, 6, 15, 16, 17], [1, 2, 3, 11, 12, 13]]):
        host.decide(do="show", seat=seat, cards=cards)
    assert "Not Yet" in str(host.table["news"]), "the dogs are ranked"


def test_the_companion_deals_and_a_player_is_the_bookie(host: Client, page: Page) -> None:
    choose(page, "greyhounds", "Ada", "Ben", "Cleo", "Dev")
    page.locator("[name=deal][value=companion]").check()
    page.locator("[data-options=greyhounds] summary").click()
    page.locator("[data-option=bookie]").select_option("2")
    expect(page.locator("[data-option=ties]")).to_have_value("move")
    page.locator("[data-option=ties]").select_option("are struck out")
    start(page)
    options = host.table["match"]["options"]
    assert {name: value for name, value in options.items() if name != "odds"} == {
        "bookie": 2,
        "ties": "strike",
    }
    assert host.table["seq"] == 2, "the cards are dealt at once"


def test_who_is_older_is_an_order_of_the_seats(host: Client, page: Page) -> None:
    choose(page, "giro-galoppo", "Ada", "Ben")
    page.locator("[data-options=giro-galoppo] summary").click()
    page.locator("[data-option=age] [data-action=earlier]").nth(1).click()
    start(page)
    assert host.table["match"]["options"] == {"age": [1, 0]}
    assert host.table["next"] == {"do": "place-obstacle", "seats": [0]}, "the youngest begins"


def test_a_board_is_tapped_together_stored_saved_and_loaded(host: Client, page: Page, tmp_path: Path) -> None:
    choose(page, "giro-galoppo", "Ada", "Ben")
    section = page.locator("[data-chart=giro-galoppo]")
    expect(section.locator("[data-chart-own]")).to_contain_text("sample")
    section.locator("summary").click()
    section.get_by_role("button", name="space 1: grass", exact=True).click()
    expect(section.locator("[data-field=sand]")).to_have_value("1 3 4 5 9 10 11 12 13 17 18 22 23 24 25 26")
    section.locator("[data-action=chart-keep]").click()
    expect(section.locator("[data-chart-own]")).to_have_text("your own")
    with page.expect_download() as saved:
        section.get_by_text("Save as a file").click()
    saved.value.save_as(tmp_path / "board.toml")
    section.locator("[data-action=chart-drop]").click()
    expect(section.locator("[data-chart-own]")).to_contain_text("sample")
    section.locator("[data-action=chart-load]").set_input_files(tmp_path / "board.toml")
    expect(section.locator("[data-chart-own]")).to_have_text("your own")
    start(page)
    assert host.table["match"]["options"]["board"]["sand"][0] == 1


def test_a_board_on_which_obstacles_cannot_be_laid_is_refused(
    host: Client, page: Page, guests: Guests
) -> None:
    guests.forgive("400")
    choose(page, "giro-galoppo", "Ada", "Ben")
    section = page.locator("[data-chart=giro-galoppo]")
    section.locator("summary").click()
    section.locator("[data-field=sand]").fill("3 4")
    section.locator("[data-action=chart-keep]").click()
    expect(page.locator("#toast")).to_contain_text("five obstacles cannot be laid on this board")
    assert not host.get("/api/charts")["charts"]["giro-galoppo"]["own"]


@pytest.mark.parametrize("seats", [("Ada", "Ben", "Cleo"), ("Ada", "Ben", "Cleo", "Dev")])
def test_without_a_chart_there_is_one_for_each_race(seats: tuple[str, ...], host: Client, page: Page) -> None:
    """Without a printed chart, each race has a computed one for that number of seats.

    The host page says what the house keeps.
    """
    choose(page, "greyhounds", *seats)
    section = page.locator("[data-chart=greyhounds]")
    expect(section.locator("[data-chart-own]")).to_have_text(
        "computed: bets pay back 85 %, 15 % stay with the house"
    )
    section.locator("summary").click()
    expect(section.locator("[data-field=race-3-win-4]")).to_have_value(str(FAIR[4][2].win[3]))
    start(page)
    assert charts_of(host.table["match"]["options"]["odds"]) == FAIR[len(seats)]


def test_odds_are_entered_once_and_used_in_every_game(host: Client, page: Page) -> None:
    """A printed chart counts for all races."""
    choose(page, "greyhounds", "Ada", "Ben", "Cleo")
    section = page.locator("[data-chart=greyhounds]")
    section.locator("summary").click()
    section.locator("[data-field=by-race]").uncheck()
    section.locator("[data-field=win-1]").fill("2.5")
    section.locator("[data-field=lap]").fill("30")
    section.locator("[data-action=chart-keep]").click()
    expect(section.locator("[data-chart-own]")).to_have_text("your own")
    page.reload()
    expect(page.locator("#form")).to_be_visible()
    choose(page, "greyhounds", "Ada", "Ben", "Cleo")
    start(page)
    options = host.table["match"]["options"]
    assert (options["lap"], options["odds"]["win"][0]) == (30, 2.5)


def test_odds_are_worked_out_for_the_lap_entered_and_marked_as_computed(
    host: Client, page: Page, guests: Guests
) -> None:
    """A computed chart is stored and used when the host says so.

    A number that is changed makes it the host's own chart.
    """
    guests.forgive("400")
    choose(page, "greyhounds", "Ada", "Ben", "Cleo")
    section = page.locator("[data-chart=greyhounds]")
    sign, compute = section.locator("[data-chart-own]"), section.locator("[data-action=chart-compute]")
    section.locator("summary").click()
    section.locator("[data-field=lap]").fill("2000")
    compute.click()
    expect(page.locator("#toast")).to_contain_text("lap must be 1 to 1000, not 2000")
    section.locator("[data-field=lap]").fill("12")
    section.locator("[data-field=return]").fill("70")
    compute.click()
    expect(sign).to_have_text("computed, not kept yet")
    assert not host.get("/api/charts")["charts"]["greyhounds"]["own"]
    made = host.post("/api/charts/greyhounds/computed", **{"lap": 12, "return": 0.7})["chart"]
    expect(section.locator("[data-field=race-1-win-4]")).to_have_value(str(made["odds"][0]["win"][3]))
    section.locator("[data-action=chart-keep]").click()
    expect(sign).to_have_text("computed: bets pay back 70 %, 30 % stay with the house")
    page.reload()
    expect(page.locator("#form")).to_be_visible()
    choose(page, "greyhounds", "Ada", "Ben", "Cleo")
    expect(sign).to_have_text("computed: bets pay back 70 %, 30 % stay with the house")
    section.locator("summary").click()
    section.locator("[data-field=race-2-double-3-4]").fill("99")
    section.locator("[data-field=race-2-double-3-4]").blur()
    expect(sign).to_have_text("your own")
    compute.click()  # of the same lap: what was typed is gone
    expect(section.locator("[data-field=race-2-double-3-4]")).not_to_have_value("99")
    start(page)
    options = host.table["match"]["options"]
    assert (options["lap"], options["odds"]) == (12, made["odds"])


def test_a_seat_is_played_by_the_companion(host: Client, page: Page) -> None:
    """A robot has a name, makes the companion deal, and is selected again next time."""
    choose(page, "galloping-pigs", "Ada")
    page.locator("[data-bot='1']").select_option("medium")
    expect(page.locator("#seats input[type=text]").nth(1)).to_have_value("Robot 2")
    expect(page.locator("[name=deal][value=companion]")).to_be_checked()
    expect(page.locator("[name=deal][value=people]")).to_be_disabled()
    expect(page.locator("#bots-help")).to_contain_text("you move its piece")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing sticks out"
    start(page)
    assert host.table["match"]["bots"] == ["", "medium"]
    expect(page.locator("#seating-list li").nth(1)).to_contain_text("the companion plays")


def test_in_giro_people_keep_their_own_cards_with_a_robot(host: Client, page: Page) -> None:
    choose(page, "giro-galoppo", "Ada", "Ben")
    page.locator("[data-bot='1']").select_option("easy")
    expect(page.locator("[name=deal][value=people]")).to_be_enabled()
    start(page)
    assert host.table["match"]["bots"] == ["", "easy"]


def test_a_half_filled_form_outlives_a_change_of_language(host: Client, page: Page) -> None:
    """Two changes of language lose no entry.

    After a game the form has what that game was played with.
    """
    choose(page, "giro-galoppo", "Ada", "", "Cleo")
    page.locator("[data-colour='0']").select_option("green")
    page.locator("[data-bot='1']").select_option("medium")
    page.locator("#names summary").click()
    page.locator("[data-nickname=green]").fill("Not Yet")
    page.locator("[data-options=giro-galoppo] summary").click()
    page.locator("[data-options=giro-galoppo] .switch").first.click()
    page.locator("#first").click()
    explained = page.locator("[name=explain]").is_checked()
    for language in ("fr", "de"):
        page.locator(f"[data-language={language}]").click()
        expect(page.locator("html")).to_have_attribute("lang", language)
        expect(page.locator("[data-seat='2']")).to_have_value("Cleo")
    expect(page.locator("[name=explain]")).to_be_checked(checked=explained)
    start(page)
    match = host.table["match"]
    assert (match["game"], match["seats"][0], match["seats"][2]) == ("giro-galoppo", "Ada", "Cleo")
    assert (match["colours"][0], match["bots"]) == ("green", ["", "medium", ""])
    assert match["options"] == {"rearmost_only": True}
    host.now("/api/end")
    host.begin("galloping-pigs", ("Ada", "Ben"))
    host.now("/api/end")
    page.reload()
    expect(page.locator("input[value=galloping-pigs]")).to_be_checked()


def test_a_game_that_ended_early_is_listed_without_places(host: Client, page: Page) -> None:
    choose(page, "giro-galoppo", "Ada", "Ben")
    start(page)
    host.now("/api/end")
    row = page.locator("#done li")
    expect(row).to_contain_text("ended early")
    expect(row.locator("p").last).to_have_text("Ada 0 Ben 0")


def test_the_box_sets_the_options_and_is_remembered(host: Client, page: Page, guests: Guests) -> None:
    """Five people, 27 spaces and eight cards of a colour come from one touch of a picture."""
    choose(page, "galloping-pigs", "Ada", "Ben")
    page.get_by_role("radio", name="27 tiles, food chips").check()
    page.locator("[data-options=galloping-pigs] summary").click()
    for option, value in {"spaces": "27", "food": "35", "cards_per_colour": "8", "rounds": "1"}.items():
        expect(page.locator(f"[data-options=galloping-pigs] [data-option={option}]")).to_have_value(value)
    choose(page, "galloping-pigs", "Ada", "Ben", "Cleo", "Dev", "Emma")
    expect(page.locator("[data-action=add-seat]")).to_be_hidden()
    page.reload()
    expect(page.get_by_role("radio", name="27 tiles, food chips")).to_be_checked()
    assert host.get("/api/boxes")["boxes"] == {"galloping-pigs": "2009"}
    start(page)
    match = host.table["match"]
    assert match["seats"] == ["Ada", "Ben", "Cleo", "Dev", "Emma"]
    assert match["options"] == {"spaces": 27, "food": 35, "cards_per_colour": 8, "rounds": 1}


def test_five_at_a_touch_take_the_box_from_which_five_can_play(host: Client, page: Page) -> None:
    expect(page.get_by_role("radio", name="22 spaces, food cards")).to_be_checked()
    page.locator("[data-action=players][data-game=galloping-pigs][data-count='5']").click()
    expect(page.locator("#toast")).to_contain_text("5 players need this box: 27 tiles, food chips.")
    expect(page.get_by_role("radio", name="27 tiles, food chips")).to_be_checked()
    start(page)
    assert len(host.table["match"]["seats"]) == 5


def test_only_a_game_of_several_boxes_asks_which(page: Page) -> None:
    asked = page.get_by_role("group", name="Which box do you have?")
    expect(asked).to_have_count(1)
    expect(page.locator(".tile", has=asked).locator("[name=game]")).to_have_value("galloping-pigs")
