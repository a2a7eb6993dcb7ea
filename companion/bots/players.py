"""Players that the companion plays: each decides only from the view of its seat."""

from __future__ import annotations

import logging
import random
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from importlib.util import find_spec
from typing import Any, Final, NamedTuple

from companion import plugins
from companion.bots.registry import heuristics_of
from companion.bots.thinker import thinker
from companion.errors import InvalidInput, validation_error
from companion.games.judge import reason_against
from companion.games.race import Race, picked
from companion.games.terms import Decision
from companion.message import N_
from companion.odds.styles import Belief, learned_by_robots

log = logging.getLogger(__name__)

Player = Callable[[Race, int, random.Random], Decision]
"""Decides for a seat: called with its own view, the seat, and a random generator."""

_NAME: Final = r"[a-z][a-z0-9]*(-[a-z0-9]+)*"  # it is typed after --bots, between commas
WHIM: Final = 0.4  # how often an easy player thinks before it decides


class Strength(NamedTuple):
    """A bot as a host chooses it: its name, its description in one line, and the kind that plays."""

    title: str
    means: str
    kind: str


class Robot(NamedTuple):
    """A bot from a plug-in: its description for the host, and its function to decide. Its entry point names
    it.
    """

    title: str
    means: str
    plays: Player


def thoughtless(view: Race, seat: int, rng: random.Random) -> Decision:
    """Return any legal decision."""
    return view.at_random(seat, rng)


def greedy(view: Race, seat: int, rng: random.Random) -> Decision:
    """Return the decision with the highest value now."""
    return heuristics_of(view).greedy(view, seat, rng)


def careful(view: Race, seat: int, rng: random.Random) -> Decision:
    """Return the decision by a player's rules of thumb."""
    return heuristics_of(view).careful(view, seat, rng)


def playful(view: Race, seat: int, rng: random.Random) -> Decision:
    """Return now and then the greedy decision, otherwise any."""
    return (greedy if rng.random() < WHIM else thoughtless)(view, seat, rng)


def careless(view: Race, seat: int, rng: random.Random) -> Decision:
    """Return now and then the decision by a player's rules of thumb, otherwise any."""
    return (careful if rng.random() < WHIM else thoughtless)(view, seat, rng)


KINDS: Final[Mapping[str, Player]] = {
    "random": thoughtless,
    "playful": playful,
    "careless": careless,
    "greedy": greedy,
    "careful": careful,
    "thinker": thinker,
}
"""Every kind of bot, by name."""

STRENGTHS: Final[Mapping[str, Strength]] = {
    "easy": Strength(
        N_("easy"), N_("Plays whatever comes to hand, now and then something good."), "careless"
    ),
    "medium": Strength(N_("medium"), N_("Plays by the rules of thumb of a careful player."), "careful"),
    "strong": Strength(N_("strong"), N_("Thinks ahead: plays what wins most often from here."), "thinker"),
}
"""The choices of a host, weakest first."""


@cache
def plugged() -> tuple[plugins.Plugin[Robot], ...]:
    """Return the plug-ins that add robots, including those that failed to load."""
    return plugins.loaded("companion.robots", _robot, (*KINDS, *STRENGTHS))


def all_kinds() -> Mapping[str, Player]:
    """Return every kind of bot, by name, those of plug-ins last."""
    robots = plugins.brought(plugged()).items()
    return {**KINDS, **{name: partial(_guarded, name, robot.plays) for name, robot in robots}}


def all_strengths() -> Mapping[str, Strength]:
    """Return the choices of a host: by strength, then the robots of plug-ins."""
    robots = plugins.brought(plugged()).items()
    return {**STRENGTHS, **{name: Strength(robot.title, robot.means, name) for name, robot in robots}}


def _guarded(name: str, plays: Player, view: Race, seat: int, rng: random.Random) -> Decision:
    """Return the decision of a plug-in's robot; if it raises an error or is illegal, a careful player's
    decision.

    A game waits for its players: a robot that only reported its mistake would hold up the evening.
    """
    try:
        decision = plays(view, seat, rng)
        reason = reason_against(view, decision)
    except KeyboardInterrupt:
        raise
    except BaseException as problem:
        log.warning("the robot %s cannot decide, a careful one does: %s", name, plugins.wrong(problem))
        return careful(view, seat, rng)
    if reason is not None or decision.seat != seat:
        log.warning("the robot %s may not do %s, a careful one decides: %s", name, decision, reason)
        return careful(view, seat, rng)
    return decision


def _robot(name: str, loaded: Any) -> dict[str, Robot]:
    """Return a plug-in's object as a robot; ValidationError if it is none."""
    if not isinstance(loaded, Robot):
        raise validation_error(_NO_ROBOT, text=repr(loaded)[:60])
    if not all(isinstance(text, str) and text.strip() for text in (loaded.title, loaded.means)):
        raise validation_error(_NAMELESS)
    if not callable(loaded.plays):
        raise validation_error(_PLAYS_NOT, text=repr(loaded.plays)[:60])
    if not re.fullmatch(_NAME, name):
        raise validation_error(_NO_NAME, text=name)
    return {name: loaded}


def decide(
    kind: str,
    race: Race,
    seat: int,
    rng: random.Random,
    playouts: int | None = None,
    belief: Belief = (),
) -> Decision:
    """Return the decision of a bot of this kind (or strength) for a seat that owes one; always legal.

    It gets the seat's own view of the race and nothing else. The same view, `rng` and `belief` decide the
    same. `playouts` is the number of playouts of a thinker for each decision that it tries, if not the
    default; `belief` the public belief about how each seat plays. ValidationError if the seat's cards are not
    known: people dealt them, and a bot that does not see its cards cannot play them. InvalidInput if there is
    no such kind, ValueError if the seat owes nothing.

    >>> from companion.games.galloping import GallopingPigs
    >>> decide("random", GallopingPigs.new(["Ada", "Ben"]), 0, random.Random(1)).do
    'line-up'
    """
    kind = kind_of(kind)
    player = KINDS.get(kind) or all_kinds()[kind]
    if player is thinker:
        player = partial(thinker, playouts=playouts, belief=belief)
    view = race.seen_by(seat)
    due = view.awaits()
    if due is None or seat not in due.seats:
        raise ValueError(f"seat {seat} owes no decision: ask for one of those that are due")
    if cards_unknown(view, seat):
        raise validation_error(_DEALT_BY_PEOPLE, text=view.seats[seat])
    return player(view, seat, rng)


def next_decision(
    race: Race,
    bots: Sequence[str],
    rng: random.Random,
    playouts: int | None = None,
    past: Sequence[Race] = (),
) -> Decision | None:
    """Return the next decision where a bot plays each seat: a draw, or that of a seat's bot; None: nothing is
    due.

    `past` are the positions of the game from its opening to this one, from which a thinker learns how the
    others play; without them it has no evidence.

    >>> from companion.games.galloping import GallopingPigs
    >>> next_decision(GallopingPigs.new(["Ada", "Ben"]), ["easy", "random"], random.Random(1)).seat
    0
    """
    due = race.awaits()
    if due is None:
        return None
    if not due.seats or race.may_deal():
        return race.drawn(rng)
    seat = due.seats[0] if len(due.seats) == 1 else picked(due.seats, rng)
    belief = learned_by_robots(past) if past and kind_of(bots[seat]) == "thinker" else ()
    return decide(bots[seat], race, seat, rng, playouts, belief)


def kind_of(name: str) -> str:
    """Return the kind that a kind or a strength names; InvalidInput if there is none.

    >>> kind_of("strong")
    'thinker'
    """
    if name in STRENGTHS:
        return STRENGTHS[name].kind  # without a search for plug-ins, which may not take its name
    strengths, kinds = all_strengths(), all_kinds()
    if name in strengths:
        return strengths[name].kind
    if name not in kinds:
        known = dict.fromkeys((*kinds, *strengths))  # a plug-in's robot is both
        raise InvalidInput(f"no bot called {name!r}: there are {', '.join(known)}")
    return name


def cards_unknown(view: Race, seat: int) -> bool:
    """Return whether the decision that this seat owes comes from cards that people dealt without entering
    them.
    """
    due = view.awaits()
    if due is None or due.do not in view.from_hand or not view.numbers:
        return False
    return not {"hand", "sets"}.intersection(view.secrets_of(seat))


def has_hands(game: type[Race]) -> bool:
    """Return whether cards are dealt in this game, which a bot must know to play them."""
    return game.drawn is not Race.drawn


def check_seats(opening: Race, deal: str, played_by: Sequence[str]) -> None:
    """Raise ValidationError, or InvalidInput, unless bots of these strengths can play this game.

    `played_by` is by seat; "": a person.

    >>> from companion.games.giro import GiroGaloppo
    >>> check_seats(GiroGaloppo.new(["Ada", "Ben"]), "people", ["", "easy"])
    """
    if not any(played_by):
        return
    if len(played_by) != len(opening.seats):
        raise InvalidInput("bots must have one entry for each seat")
    for seat, strength in enumerate(played_by):
        if strength and strength not in all_strengths():
            raise InvalidInput(f"there is no bot {strength!r}: take {', '.join(all_strengths())}")
        if strength and deal != "companion" and has_hands(type(opening)):
            raise validation_error(
                _DEALT_BY_PEOPLE,
                text=opening.seats[seat],
            )
        if strength and kind_of(strength) == "thinker" and not find_spec("numpy"):
            raise validation_error(_NO_NUMPY)


_DEALT_BY_PEOPLE = N_(
    "{text} is played by the companion, which does not know these cards: let the companion deal"
)
_NO_NUMPY = N_("thinking ahead needs NumPy: install it, or choose another bot")
_NO_ROBOT = N_("{text} is no robot: a companion.bots.players.Robot is wanted, with title, means and plays")
_NAMELESS = N_("its robot has no title, or does not say what it does: both are read on the host's page")
_PLAYS_NOT = N_("its robot cannot play: {text} is no function of a view, a seat and chance")
_NO_NAME = N_("{text} is no name: small letters, digits and hyphens are wanted, such as first-frog")
