"""The enrolment of tags as its page draws it, in the viewer's language."""

from __future__ import annotations

from msgspec.structs import asdict

from companion import games
from companion.games.boxes import boxes
from companion.games.race import Race
from companion.reply import Animal, Colour, Count, Entry, GameName, Means, Reply, Uid
from companion.table.snapshot import Snapshot
from companion.tags.enrolment import Enrolment, enrolled, things_of
from companion.tags.worded import ThingView, box_title, capital, thing
from companion.translate import Words
from companion.views.table.public import PartState


class BoxView(Reply):
    """A game's box, and how many of its things have a tag; `edition` is empty where only one is known."""

    name: GameName
    edition: str
    title: str
    animal: Animal
    colours: list[Colour]
    done: Count
    of: Count


class ThingInBox(ThingView):
    """A thing of the box, and if it has a tag."""

    done: bool


class TurnedAway(Reply):
    """The reason why a tag was rejected, and its `uid` if it can be taken all the same."""

    text: str
    uid: Uid | None


class EnrolmentView(Reply):
    """The box that gets its tags: the next thing, one to skip or take back, a tag that was rejected."""

    game: GameName
    edition: str
    title: str
    animal: Animal
    next: ThingView | None
    skip: Means | None
    undo: str | None
    again: bool
    turned: TurnedAway | None
    turns: int
    things: list[ThingInBox]
    done: Count
    of: Count


class TagsPage(Reply, rename="camel"):
    """The content of the page of tags: the event `tags`. `beeps`: the page sounds instead of the table."""

    seq: Entry
    mock: bool
    pad: PartState
    pad_says: str | None
    beeps: bool
    games: list[BoxView]
    now: EnrolmentView | None


def page(picture: Snapshot, words: Words) -> TagsPage:
    """Return the content of the page now."""
    pad = (picture.parts or {}).get("pad")
    return TagsPage(
        seq=picture.seq,
        mock=picture.mock,
        pad=pad.state if pad else "tap",
        pad_says=capital(words.text(pad.why)) if pad and pad.why else None,
        beeps=not _sounds(picture),
        games=[
            _box(game, e, picture, words)
            for game in games.all_games().values()
            for e in _editions(game, picture)
        ],
        now=_now(picture.enrolment, words) if picture.enrolment else None,
    )


def _sounds(picture: Snapshot) -> bool:
    """Return True if the table has its own buzzer."""
    panel = (picture.parts or {}).get("panel")
    return panel is not None and panel.state == "ok"


def _editions(game: type[Race], picture: Snapshot) -> list[str]:
    """Return the edition in the house, or all of them until a person has said which; "" for the only one."""
    if len(boxes(game)) == 1:
        return [""]
    known = picture.boxes.get(game.name)
    return [edition.name for edition in boxes(game) if known in (None, edition.name)]


def _box(game: type[Race], edition: str, picture: Snapshot, words: Words) -> BoxView:
    return BoxView(
        name=game.name,
        edition=edition,
        title=box_title(game, edition, words),
        animal=game.animal,
        colours=list(game.pieces)[:3],
        done=enrolled(game, edition, picture.tags),
        of=len(things_of(game, edition)),
    )


def _now(enrolment: Enrolment, words: Words) -> EnrolmentView:
    game, done = games.find_by_name(enrolment.game), enrolment.done()
    turned, before, edition = enrolment.turned, enrolment.before, enrolment.edition
    return EnrolmentView(
        game=game.name,
        edition=edition,
        title=box_title(game, edition, words),
        animal=game.animal,
        next=thing(enrolment.at, game, words, edition) if enrolment.at else None,
        skip=enrolment.following(),
        undo=thing(before.at, game, words, edition).label if before and before.at else None,
        again=any(thing in done for thing in _rest(enrolment)),
        turned=turned and TurnedAway(text=capital(words.text(turned.why)), uid=turned.uid),
        turns=enrolment.turns,
        things=[
            ThingInBox(**asdict(thing(means, game, words, edition)), done=means in done)
            for means in enrolment.things
        ],
        done=len(done),
        of=len(enrolment.things),
    )


def _rest(enrolment: Enrolment) -> tuple[str, ...]:
    """Return the things from the one due on; all if none is."""
    return enrolment.things[enrolment.things.index(enrolment.at) if enrolment.at else 0 :]
