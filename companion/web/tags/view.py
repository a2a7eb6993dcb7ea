"""The enrolment of tags as its page draws it, in a viewer's language."""

from __future__ import annotations

from typing import Any

from companion import games
from companion.games.race import Race
from companion.table.picture import Picture
from companion.tags.enrolment import Enrolment, enrolled, things_of
from companion.tags.worded import capital, thing
from companion.translate import Words


def page(picture: Picture, words: Words) -> dict[str, Any]:
    """Everything that the page of tags draws: the event `tags`."""
    pad = (picture.parts or {}).get("pad")
    return {
        "seq": picture.seq,
        "mock": picture.mock,
        "pad": pad.state if pad else "tap",
        "padSays": capital(words.text(pad.why)) if pad and pad.why else None,
        "beeps": not _sounds(picture),
        "games": [_box(game, picture, words) for game in games.all_games().values()],
        "now": _now(picture.enrolment, words) if picture.enrolment else None,
    }


def _sounds(picture: Picture) -> bool:
    """Whether the table has a buzzer of its own."""
    panel = (picture.parts or {}).get("panel")
    return panel is not None and panel.state == "ok"


def _box(game: type[Race], picture: Picture, words: Words) -> dict[str, Any]:
    return {
        "name": game.name,
        "title": words(game.title),
        "animal": game.animal,
        "colours": list(game.pieces)[:3],
        "done": enrolled(game, picture.tags),
        "of": len(things_of(game)),
    }


def _now(enrolment: Enrolment, words: Words) -> dict[str, Any]:
    game, done = games.find_by_name(enrolment.game), enrolment.done()
    turned, before = enrolment.turned, enrolment.before
    return {
        "game": game.name,
        "title": words(game.title),
        "animal": game.animal,
        "next": thing(enrolment.at, game, words) if enrolment.at else None,
        "skip": enrolment.following(),
        "undo": thing(before.at, game, words)["label"] if before and before.at else None,
        "again": any(thing in done for thing in _rest(enrolment)),
        "turned": turned and {"text": capital(words.text(turned.why)), "uid": turned.uid},
        "turns": enrolment.turns,
        "things": [thing(means, game, words) | {"done": means in done} for means in enrolment.things],
        "done": len(done),
        "of": len(enrolment.things),
    }


def _rest(enrolment: Enrolment) -> tuple[str, ...]:
    """The things from the one due on; all if none is."""
    return enrolment.things[enrolment.things.index(enrolment.at) if enrolment.at else 0 :]
