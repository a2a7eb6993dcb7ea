"""The boxes that a game is sold in, where a card of Giro Galoppo leads, and what a plug-in's game must have."""

from __future__ import annotations

import types

import pytest

from companion.errors import InvalidInput
from companion.games import galloping
from companion.games.boxes import box_called, boxes, usual_most
from companion.games.galloping import GallopingHorse, GallopingPigs
from companion.games.giro import GiroGaloppo
from companion.games.giro.landing import landing
from companion.games.plugged import _are_counts, _in_module, _is_whole, games_of


def test_a_game_whose_box_is_not_known_has_one_edition_without_a_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with monkeypatch.context() as without:
        without.setattr(GallopingHorse, "editions", ())
        [only] = boxes(GallopingHorse)
    assert (only.name, only.title, only.seats) == ("", GallopingHorse.title, GallopingHorse.seat_counts)
    assert [box.name for box in boxes(GallopingHorse)] == ["first"]


def test_a_box_is_found_by_its_name_and_the_first_one_without() -> None:
    first, *others = boxes(GallopingPigs)
    assert [box_called(GallopingPigs, box.name) for box in others] == others
    assert others
    assert box_called(GallopingPigs) == first
    with pytest.raises(InvalidInput, match=r"^galloping-pigs has no edition 'of gold': there are "):
        box_called(GallopingPigs, "of gold")


def test_the_most_who_play_with_any_box() -> None:
    assert usual_most(GallopingPigs) == GallopingPigs.seat_counts[1] - 1
    assert usual_most(GiroGaloppo) == GiroGaloppo.seat_counts[1]


@pytest.mark.parametrize(
    ("progress", "card", "kind", "is_past", "behind"),
    [
        ((3, 9), 2, "refused", False, None),  # an obstacle stands there
        ((3, 9), 5, "moved", False, 1),
        ((3, 9), 6, "moved", False, None),  # it pushes the other on
        ((3, 3), 1, "moved", False, None),
    ],
)
def test_where_a_card_leads(
    progress: tuple[int, int], card: int, kind: str, is_past: bool, behind: int | None
) -> None:
    game = GiroGaloppo.new(["Ada", "Ben"]).replaced(progress=progress, obstacles=(5,))
    found = landing(game, 0, card)
    assert (found.step.kind, found.past, found.behind) == (kind, is_past, behind)


@pytest.mark.parametrize(("short", "is_past"), [(1, False), (0, False), (-1, True)])
def test_only_past_the_last_space_it_is_past_the_line(short: int, is_past: bool) -> None:
    finish = GiroGaloppo.new(["Ada", "Ben"]).board.finish
    game = GiroGaloppo.new(["Ada", "Ben"]).replaced(progress=(finish - 3 - short, 0))
    found = landing(game, 0, 3)
    assert (found.step.kind, found.step.space, found.past) == ("moved", finish - short, is_past)


def test_numbers_of_people_are_two_that_rise() -> None:
    assert _are_counts((2, 5))
    assert _are_counts((3, 3))
    for wrong in ((2, 5, 7), (5, 2), (0, 3), (2,), [2, 5], (True, 3)):
        assert not _are_counts(wrong), wrong


def test_nought_is_a_whole_number_and_yes_is_none() -> None:
    assert _is_whole(0)
    assert not any(map(_is_whole, (-1, True, 2.0, "2")))


def test_a_module_has_the_games_that_it_defines() -> None:
    """Not those that it imports, nor a class that only others build on, which has no name of its own."""
    module = types.ModuleType("companion.games.giro")
    class_of_others = type("Base", (GiroGaloppo,), {"__module__": "companion.games.giro"})
    vars(module).update(GiroGaloppo=GiroGaloppo, Base=class_of_others, Pigs=GallopingPigs, other=7)
    assert list(_in_module(module)) == [GiroGaloppo]


def test_an_entry_point_is_a_game_or_a_module_of_games() -> None:
    """Anything else is refused, with what it is."""
    assert games_of("pigs", GallopingPigs) == {"galloping-pigs": GallopingPigs}
    assert set(games_of("galloping", galloping.rules)) == {"galloping-pigs", "galloping-horse"}
    with pytest.raises(InvalidInput, match="3 is no game"):
        games_of("three", 3)
