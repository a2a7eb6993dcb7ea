"""The enrolment of tags: which thing is next, what is turned away, and that nothing given is ever lost."""

from __future__ import annotations

import sqlite3
from functools import reduce
from pathlib import Path
from typing import Any

import pytest

from companion import games
from companion.devices.readings import PartIs
from companion.devices.tunes import Tune
from companion.errors import ConflictError, InvalidInput, ValidationError
from companion.table.signals import Lamp
from companion.tags.enroller import FLICKER, QUIET
from companion.tags.enrolment import PILE, Enrolment, things_of
from companion.tags.tagfile import read_tags
from companion.translate import Words
from tests.support.client import Client, companion
from tests.support.client import HttpError as Turned
from tests.support.evening import Evening

GAMES = {"galloping-pigs": 40, "galloping-horse": 32, "giro-galoppo": 35, "greyhounds": 84}
PIGS = "galloping-pigs"


def tag(number: int, size: int = 7) -> str:
    """Return the UID, of `size` bytes, of a tag that was never seen before."""
    return f"04{number:0{2 * size - 2}X}"


def why(enrolment: Enrolment) -> str:
    return Words.english().text(enrolment.turned.why) if enrolment.turned else ""


def begun(tags: dict[str, str] | None = None, game: str = PIGS) -> Enrolment:
    return Enrolment.of(game, tags or {})


# --- the order of the box ------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "count"), GAMES.items())
def test_a_box_is_its_pieces_then_its_cards_by_colour_and_number(game: str, count: int) -> None:
    things = things_of(games.find_by_name(game))
    assert len(things) == len(set(things)) == count
    pieces = len(games.find_by_name(game).pieces)
    assert all("/piece/" in thing for thing in things[:pieces])
    assert things[pieces : pieces + 2] == (f"{game}/card/red/1", f"{game}/card/red/2")


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_box_is_as_many_tags(game: str) -> None:
    """Each tag is taken for the next thing; after the last one nothing is due and everything has its tag."""
    enrolment = begun(game=game)
    sizes = (4, 7, 10)
    for number, thing in enumerate(enrolment.things):
        assert enrolment.at == thing
        enrolment = enrolment.held(tag(number, sizes[number % 3]))
        assert (why(enrolment), len(enrolment.done())) == ("", number + 1)
    assert enrolment.at is None
    assert list(enrolment.tags.values()) == list(enrolment.things)


def test_the_box_in_shops_has_eight_cards_of_each_colour() -> None:
    """Its things are those of the other box and an eighth card of each colour, which any list may name."""
    more = set(things_of(games.find_by_name(PIGS), "2009")) - set(things_of(games.find_by_name(PIGS)))
    assert more == {
        f"galloping-pigs/card/{colour}/8" for colour in ("red", "blue", "green", "yellow", "pink")
    }
    enrolment = Enrolment.of(PIGS, {}, "2009").going_to("galloping-pigs/card/red/8").held(tag(1))
    assert enrolment.tags[tag(1)] == "galloping-pigs/card/red/8"
    assert read_tags(f"{tag(1)} galloping-pigs/card/red/8") == {tag(1): "galloping-pigs/card/red/8"}
    with pytest.raises(InvalidInput, match="has cards 1 to 8 of each colour, not 9"):
        read_tags(f"{tag(1)} galloping-pigs/card/red/9")


def test_it_goes_on_where_it_stopped() -> None:
    """It goes on at the first thing without a tag, though others after it have theirs."""
    things = begun().things
    enrolment = begun({tag(1): things[0], tag(3): things[2]})
    assert enrolment.at == things[1]
    assert enrolment.held(tag(2)).at == things[3]


def test_a_thing_is_skipped_and_comes_again_at_the_end() -> None:
    enrolment = begun()
    first, *rest = enrolment.things
    assert enrolment.following() == rest[0]
    enrolment = enrolment.going_to(rest[0])
    for number, thing in enumerate(rest):
        assert enrolment.at == thing
        enrolment = enrolment.held(tag(number))
    assert enrolment.at == first
    assert enrolment.following() is None, "there is nothing else to skip to"


def test_another_tag_for_one_thing_and_the_old_one_is_forgotten() -> None:
    enrolment = reduce(Enrolment.held, (tag(n) for n in range(40)), begun())
    lost = "galloping-pigs/card/red/3"
    enrolment = enrolment.going_to(lost).held(tag(99))
    assert enrolment.at is None
    assert enrolment.tags[tag(99)] == lost
    assert list(enrolment.tags.values()).count(lost) == 1


def test_only_what_is_in_the_box_can_be_gone_to() -> None:
    for thing in ("giro-galoppo/card/red/3", "galloping-pigs/card/red/8", ""):
        with pytest.raises(ValidationError, match="is not in this box"):
            begun().going_to(thing)


# --- turned away ---------------------------------------------------------------------------------


def test_a_tag_of_another_thing_is_turned_away_with_the_reason() -> None:
    others = {tag(7): "galloping-pigs/card/blue/2", tag(8): "galloping-pigs/piece/pink"}
    enrolment = begun({**others, tag(9): "greyhounds/card/red/20"})
    reasons = {uid: why(enrolment.held(uid)) for uid in (tag(7), tag(8), tag(9))}
    assert list(reasons.values()) == [
        "this tag is the blue card 2 already: take the next thing",
        "this tag is the pink piece already: take the next thing",
        "this tag belongs to Greyhounds: take another one",
    ]
    for uid in reasons:
        assert enrolment.held(uid).tags == enrolment.tags
        assert enrolment.held(uid).at == enrolment.at


def test_a_tag_that_was_turned_away_is_taken_all_the_same_if_people_say_so() -> None:
    """The thing that had it has none then, and is due again."""
    things = begun().things
    enrolment = begun({tag(7): things[3]}).held(tag(7))
    assert enrolment.turned is not None
    enrolment = enrolment.held(str(enrolment.turned.uid), anyway=True)
    assert enrolment.tags == {tag(7): things[0]}
    assert things[3] not in enrolment.done()


@pytest.mark.parametrize("uids", [(tag(1), tag(2)), (PILE,), (tag(1), PILE), ("08A1B2C3",), ("",)])
def test_two_at_once_and_strange_tags_are_turned_away_in_any_case(uids: tuple[str, ...]) -> None:
    for anyway in (False, True):
        enrolment = begun().held(*uids, anyway=anyway)
        assert enrolment.tags == {}
        assert why(enrolment)
        assert enrolment.turned is not None
        assert enrolment.turned.uid is None, "it is not offered to take them anyway"


def test_a_tag_that_changes_at_every_read_is_said_to() -> None:
    assert "changes at every read" in why(begun().held("08A1B2C3"))


def test_with_everything_done_no_tag_is_taken() -> None:
    whole = reduce(Enrolment.held, (tag(n) for n in range(40)), begun())
    assert "touch a thing first" in why(whole.held(tag(99)))
    assert "red card 1 already" in why(whole.held(tag(5)))
    assert whole.held(tag(99)).tags == whole.tags


def test_the_same_tag_again_for_its_own_thing_changes_nothing() -> None:
    enrolment = begun().held(tag(1))
    again = enrolment.going_to(enrolment.things[0]).held(tag(1))
    assert (why(again), again.tags, again.at) == ("", enrolment.tags, enrolment.at)


# --- once more -----------------------------------------------------------------------------------


def test_everything_is_held_again_in_the_right_order_this_time() -> None:
    """A person slipped by one: from there on each thing takes the tag that the next one had."""
    whole = reduce(Enrolment.held, (tag(n) for n in range(40)), begun())
    slipped = whole.things[10]
    enrolment = whole.going_to(slipped).from_here_again()
    assert len(enrolment.done()) == 10
    for number in (*range(11, 40), 10):
        enrolment = enrolment.held(tag(number))
        assert why(enrolment) == ""
    assert enrolment.at is None
    assert enrolment.tags[tag(11)] == slipped
    assert sorted(enrolment.tags.values()) == sorted(whole.things)


def test_every_tag_held_in_this_round_is_a_duplicate() -> None:
    whole = reduce(Enrolment.held, (tag(n) for n in range(40)), begun())
    enrolment = whole.from_here_again().held(tag(0))
    assert enrolment.at == whole.things[1], "nothing was due: from the first thing on"
    assert "red piece already" in why(enrolment.held(tag(0)))


# --- back ----------------------------------------------------------------------------------------


def test_every_tag_can_be_given_back_one_by_one() -> None:
    """That includes one that replaced another, and one that was another thing's."""
    start = begun({tag(50): "galloping-pigs/piece/red", tag(51): "greyhounds/piece/red"})
    enrolment = start.going_to("galloping-pigs/piece/red").held(tag(1)).held(tag(51), anyway=True)
    assert len(enrolment.tags) == 2
    enrolment = enrolment.undone()
    assert enrolment.at == "galloping-pigs/piece/blue"
    enrolment = enrolment.undone()
    assert enrolment.tags == start.tags
    with pytest.raises(ValidationError, match="no tag was given"):
        enrolment.undone()


# --- at the pad ----------------------------------------------------------------------------------


class Buzzer:
    """Notes what is played, and what the disk holds at that moment."""

    def __init__(self, file: Path) -> None:
        self.file, self.played, self.on_disk = file, list[Tune](), list[int]()

    def lamp(self, colour: Lamp) -> None:
        pass

    def beep(self, tune: Tune) -> None:
        self.played.append(tune)
        other = sqlite3.connect(self.file)
        self.on_disk.append(other.execute("select count(*) from tags").fetchone()[0])
        other.close()


class Desk(Evening):
    """A table with a pad at which a person enrols; blank tags by number."""

    def __init__(self, directory: Path, **more: Any) -> None:
        super().__init__(directory, **more)
        self.buzzer = Buzzer(directory / "journal.sqlite")
        self.table.signals = self.buzzer

    def pad(self, *tags: str, wait: float = 1.0, unreadable: bool = False) -> None:
        """Put exactly these on the pad."""
        self.on_pad = set(tags)
        self.show_pad(unreadable)
        self.wait(wait)

    def enrol(self, game: str = PIGS) -> None:
        self.table.tags.enrol(game)
        self.buzzer.played.clear()

    @property
    def enrolment(self) -> Enrolment:
        found = self.table.snapshot.enrolment
        assert found is not None
        return found

    @property
    def message(self) -> str:
        return why(self.enrolment)

    @property
    def known(self) -> dict[str, str]:
        return self.journal.tags()


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """Return a table at which nothing is played, and all four boxes have their tags; the pigs lost theirs."""
    desk = Desk(tmp_path, seats=())
    desk.journal.bind({uid: None for uid, means in desk.known.items() if means.startswith(PIGS)})
    desk.restart()
    desk.table.signals = desk.buzzer
    return desk


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_box_at_the_pad_beeps_as_often_as_it_has_things(tmp_path: Path, game: str) -> None:
    desk = Desk(tmp_path, seats=())
    before = sorted(desk.known.values())
    desk.enrol(game)
    desk.table.tags.go_on_enrolling(Enrolment.from_here_again)
    for number, size in zip(range(GAMES[game]), (4, 7, 10) * 28, strict=False):
        desk.pad(tag(number, size), wait=0.2)
        desk.pad(wait=0.2)
    assert desk.buzzer.played == ["ok"] * GAMES[game]
    assert desk.enrolment.at is None
    assert {desk.known[tag(n, (4, 7, 10)[n % 3])] for n in range(GAMES[game])} == set(desk.enrolment.things)
    assert sorted(desk.known.values()) == before, "the other boxes still have theirs"


def test_a_tag_is_on_the_disk_before_it_beeps(desk: Desk) -> None:
    """After the beep the plug can be pulled: what it confirmed is stored, and the next thing is next."""
    before = len(desk.known)
    desk.enrol()
    for number in range(3):
        desk.pad(tag(number))
        desk.pad()
    assert desk.buzzer.on_disk == [before + 1, before + 2, before + 3]
    desk.restart()
    assert desk.table.snapshot.enrolment is None, "after a power cut the pad is the game's"
    desk.enrol()
    assert desk.enrolment.at == "galloping-pigs/piece/yellow"


def test_a_full_disk_beeps_wrong_and_nothing_is_taken(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.enrol()
    with monkeypatch.context() as broken:
        broken.setattr(desk.journal, "bind", full)
        desk.pad(tag(1))
    assert desk.buzzer.played == ["wrong"]
    assert "nothing was changed: disk full" in desk.message
    assert desk.enrolment.at == "galloping-pigs/piece/red"
    desk.pad()
    desk.pad(tag(1))
    assert desk.known[tag(1)] == "galloping-pigs/piece/red"


def full(tags: object) -> None:
    raise sqlite3.OperationalError("disk full")


def test_a_tag_counts_once_until_it_was_lifted(desk: Desk) -> None:
    desk.enrol()
    desk.pad(tag(1), wait=30)
    assert desk.enrolment.at == "galloping-pigs/piece/blue"
    desk.pad(wait=FLICKER / 2)  # at the edge of range it is lost for a moment
    desk.pad(tag(1))
    assert desk.buzzer.played == ["ok"]
    desk.pad()
    desk.pad(tag(1))
    assert desk.buzzer.played == ["ok", "wrong"]
    assert "red piece already" in desk.message


def test_a_tag_that_comes_back_after_another_one_is_held_anew(desk: Desk) -> None:
    desk.enrol()
    desk.pad(tag(1), wait=0.15)
    desk.pad(tag(2), wait=0.15)
    desk.pad(tag(1), wait=0.15)
    assert desk.buzzer.played == ["ok", "ok", "wrong"]


def test_two_at_once_and_a_pile_are_turned_away_until_they_are_lifted(desk: Desk) -> None:
    desk.enrol()
    desk.pad(tag(1), wait=0.05)
    desk.pad(tag(1), tag(2))
    assert "one at a time" in desk.message
    desk.pad(tag(2), wait=5)
    desk.pad(wait=1)
    desk.pad(unreadable=True)
    assert desk.buzzer.played == ["wrong", "wrong"]
    desk.pad()
    desk.pad(tag(2))
    assert desk.buzzer.played == ["wrong", "wrong", "ok"]


def test_things_may_be_piled_up_on_the_pad(desk: Desk) -> None:
    """The last one is still there when the next one comes: only the new one is held."""
    desk.enrol()
    desk.pad(tag(1))
    desk.pad(tag(1), tag(2))
    assert desk.buzzer.played == ["ok", "ok"]


def test_what_lay_there_from_the_start_must_be_lifted_first(desk: Desk) -> None:
    desk.pad(tag(1))
    desk.enrol()
    desk.wait(5)
    assert "lift what lies on the pad" in desk.message
    assert tag(1) not in desk.known
    desk.pad()
    assert desk.message == ""
    desk.pad(tag(1))
    assert desk.known[tag(1)] == "galloping-pigs/piece/red"


def test_a_pad_that_is_lost_takes_nothing_until_it_shows_more(desk: Desk) -> None:
    desk.enrol()
    desk.pad(tag(1), wait=0.01)
    desk.table.handle(PartIs("pad", "lost"))
    desk.wait(5)
    assert desk.buzzer.played == []
    desk.table.handle(PartIs("pad", "ok"))
    desk.pad(tag(1))
    assert desk.buzzer.played == ["ok"]


def test_it_stops_by_itself_without_people(desk: Desk) -> None:
    desk.enrol()
    desk.wait(QUIET - 1)
    desk.pad(tag(1))
    desk.pad()
    desk.wait(QUIET - 5)
    assert desk.table.snapshot.enrolment is not None, "each tag counts"
    desk.wait(10)
    assert desk.table.snapshot.enrolment is None
    desk.pad(tag(2))
    assert tag(2) not in desk.known


def test_a_typed_tag_counts_like_a_held_one(desk: Desk) -> None:
    with pytest.raises(ConflictError, match="choose one first"):
        desk.table.tags.hold(tag(1))
    desk.enrol()
    desk.table.tags.hold(tag(1))
    with pytest.raises(ConflictError, match="red piece already"):
        desk.table.tags.hold(tag(1))
    desk.table.tags.hold(tag(1), anyway=True)
    assert desk.buzzer.played == ["ok", "wrong", "ok"]
    assert desk.known[tag(1)] == "galloping-pigs/piece/blue"


def test_a_list_learnt_meanwhile_is_gone_on_from(desk: Desk) -> None:
    desk.enrol()
    desk.table.tags.bind({tag(1): "galloping-pigs/piece/red", tag(2): "galloping-pigs/piece/blue"})
    assert desk.enrolment.at == "galloping-pigs/piece/green"
    with pytest.raises(ValidationError):
        desk.table.tags.go_on_enrolling(Enrolment.undone)


# --- while a match runs --------------------------------------------------------------------------


@pytest.fixture
def match(tmp_path: Path) -> Desk:
    desk = Desk(tmp_path, spaces=None)
    desk.line_up()
    return desk


def test_a_match_waits_and_goes_on_as_it_was(match: Desk) -> None:
    """No tag is played meanwhile; one that is still there afterwards is not, until it was laid again."""
    match.enrol("greyhounds")
    match.lay("red 1")
    assert "belongs to Galloping Pigs" in match.message
    match.lift()
    match.enrol()
    match.lay("red 1")
    assert "everything has" not in match.message
    assert "red card 1 already" in match.message
    match.table.tags.stop_enrolling()
    match.wait(5)
    assert (match.played, match.alerts) == ("", [])
    match.lift()
    match.lay("red 1")
    assert match.played == "red"


def test_a_card_that_lay_there_when_the_enrolment_began_is_not_played_after_it(match: Desk) -> None:
    match.lay("red 1", wait=0.01)  # not long enough to be played
    match.enrol()
    match.wait()
    match.table.tags.stop_enrolling()
    match.wait(5)
    assert match.played == ""
    match.lift()
    match.lay("red 1")
    assert match.played == "red"


def test_a_card_that_waited_for_its_pieces_says_that_it_was_not_played(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.line_up()
    desk.lay("red 1")
    desk.lift()
    desk.lay("blue 1")
    assert desk.alerts == ["the blue card waits until the pieces stand right"]
    desk.enrol()
    assert desk.alerts == ["the blue card was not played: lift it, and lay it again when it is due"]


def test_taps_and_the_track_go_on_meanwhile(tmp_path: Path) -> None:
    """A piece whose tag is replaced is seen by its new tag at once."""
    desk = Desk(tmp_path)
    desk.line_up()
    desk.enrol()
    desk.tap({"do": "play", "seat": 0, "card": "red"})
    assert desk.played == "red"
    desk.table.tags.go_on_enrolling(lambda now: now.going_to("galloping-pigs/piece/pink"))
    desk.pad(tag(1))
    desk.on_track = {tag(1) if desk.known.get(u) is None else u: at for u, at in desk.on_track.items()}
    desk.show_track()
    desk.wait()
    seen = desk.table.snapshot.seen
    assert seen is not None
    assert seen["pink"] == 18


# --- over HTTP, on the modelled pad --------------------------------------------------------------


WHOLE = [pytest.param(game, count, marks=pytest.mark.long) for game, count in GAMES.items()]


@pytest.mark.parametrize(("game", "held"), [("giro-galoppo", 7), *WHOLE])
def test_what_was_held_to_the_modelled_pad_survives_a_power_cut(tmp_path: Path, game: str, held: int) -> None:
    """Each tag that was enrolled is stored before a power cut.

    The boxes of the virtual table have their tags, so that it takes two touches: each thing gets a blank tag.

    Only here: a tag of a whole box, its last one in particular, that a power cut loses.
    """
    with companion(tmp_path) as running:
        client = running.client.host()
        client.post("/api/tags/enrol", game=game)
        client.post("/api/tags/again")
        for number in range(held):
            client.blank((4, 7, 10)[number % 3])
            until(client, number + 1)
        tags = client.get("/api/tags")["tags"]
        running.kill()
    with companion(tmp_path) as running:
        client = running.client.host()
        assert client.get("/api/tags") == {"tags": tags, "enrolling": None}
        known = {uid: tag["means"] for uid, tag in client.get("/api/mock")["tags"].items() if tag["means"]}
        assert known == tags, "the virtual table has the new ones, and no old one has come back"


def until(client: Client, done: int) -> None:
    client.until(lambda table: client.get("/api/tags")["enrolling"]["done"] == done)


def test_only_the_host_may(tmp_path: Path) -> None:
    with companion(tmp_path) as running:
        guest, host = Client(running.client.port), running.client.host()
        asked: list[tuple[str, str, dict[str, Any] | None]] = [
            ("GET", "/api/tags", None),
            ("GET", "/api/tags/list.txt", None),
            ("POST", "/api/tags", {"tags": ""}),
            ("POST", "/api/tags/enrol", {"game": PIGS}),
            ("POST", "/api/tags/hold", {"uid": tag(1)}),
            ("GET", "/events?as=tags", None),
        ]
        for method, path, body in asked:
            with pytest.raises(Turned) as refused:
                guest.request(method, path, body)
            assert (refused.value.status, refused.value.kind) == (403, "role"), path
        saved = host.get("/api/tags/list.txt")
        assert host.post("/api/tags", tags=saved)["learnt"] == saved.count("galloping-") + saved.count(
            "giro-"
        ) + saved.count("greyhounds/")
        assert host.get("/api/tags/list.txt") == saved
