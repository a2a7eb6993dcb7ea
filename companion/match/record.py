"""The race record: one game as a text file, JSON Lines, decisions only; and its replay."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from functools import partial
from itertools import accumulate
from typing import Any, NoReturn

import msgspec

from companion import games
from companion.errors import InvalidInput
from companion.games.forms import shown
from companion.games.judge import IllegalDecision, checked
from companion.games.race import Race
from companion.games.terms import Decision

VERSION = 1
CLOCK_NOT_SET = "the clock of this table was not set: when this game was played is not known"  # a note
_REMARKS = ("at", "note")
_NO_OPTIONS = frozenset({"cls", "seats", "start"})  # parameters of `Race.new` that are not options
_LONGEST_NUMBER = 18  # digits; no number of any game comes near


class RecordError(InvalidInput):
    """A line of a record cannot be read or is against the rules; `line` counts from 1, the header is 1."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"{line}: {reason}")
        self.line, self.reason = line, reason


@dataclass(frozen=True)
class Header:
    """The first line: the game, the players by seat (clockwise), the starter, and the options given."""

    game: str
    seats: tuple[str, ...]
    start: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)

    def opening(self) -> Race:
        """Return the position before the first decision; InvalidInput says what the game does not allow."""
        game = games.find_by_name(self.game)
        for name in sorted(_NO_OPTIONS.intersection(self.options)):
            raise InvalidInput(f"options: unknown key {name!r}")
        return game.new(self.seats, self.start, **self.options)

    def line(self, note: str | None = None) -> str:
        """Return the header as a record line, with this note for readers, if there is one."""
        data = {"record": VERSION, "game": self.game, "seats": list(self.seats), "start": self.start}
        return _json({**data, "options": dict(self.options), **({"note": note} if note else {})})


@dataclass(frozen=True)
class Replay:
    """The result of replaying a record: the position, the decisions applied, and the first error, if any."""

    header: Header | None
    race: Race | None
    decisions: tuple[Decision, ...] = ()
    error: RecordError | None = None

    def positions(self) -> list[Race]:
        """Return the position before the first decision, and that after each of them; none
        without a header.
        """
        if self.header is None:
            return []
        return [
            *accumulate(self.decisions, lambda race, made: race.after(made), initial=self.header.opening())
        ]

    def answer(self) -> dict[str, Any]:
        """Return the output of `companion replay --json`."""
        error = self.error and {"line": self.error.line, "reason": self.error.reason}
        race = self.race
        return {
            "game": race.name if race else None,
            "lines": len(self.decisions),
            "finished": race is not None and race.awaits() is None,
            "error": error,
            "next": awaited(race) if race else None,
            "standings": standings(race) if race else [],
            "state": race.state() if race else None,
        }


def awaited(race: Race) -> dict[str, Any] | None:
    """Return `next` in the format of the record's answer: the due decision and the seats that owe it."""
    due = race.awaits()
    return None if due is None else {"do": due.do, "seats": sorted(due.seats)}


def standings(race: Race) -> list[dict[str, Any]]:
    """Return the standings in the format of the record's answer."""
    return [standing._asdict() for standing in race.standings()]


def decision_line(race: type[Race] | Race, decision: Decision) -> dict[str, Any]:
    """Return the object of a decision's record line.

    >>> from companion.games.galloping import GallopingPigs
    >>> decision_line(GallopingPigs, Decision("play", 0, "red"))
    {'do': 'play', 'seat': 0, 'card': 'red'}
    """
    form = race.forms[decision.do]
    seat = {"seat": decision.seat} if form.seat else {}
    return {"do": decision.do, **seat, **form.written(decision.what)}


def decision_of(race: type[Race] | Race, line: Mapping[str, Any]) -> Decision:
    """Parse the decision of a record line's object; InvalidInput if it is not well formed.

    >>> from companion.games.galloping import GallopingPigs
    >>> decision_of(GallopingPigs, {"do": "line-up", "seat": 1, "order": ["red", "blue"]})
    Decision(do='line-up', seat=1, what=('red', 'blue'))
    """
    if "do" not in line:
        raise InvalidInput("the key 'do' is missing")
    do = line["do"]
    if not isinstance(do, str) or do not in race.forms:
        raise InvalidInput(f"unknown decision {shown(do)}; {race.name} has {', '.join(race.forms)}")
    form = race.forms[do]
    line = _without_remarks(line)
    key = next((name for name in form.names() if name in line), form.names()[0])
    _check_keys(line, ["do", *(["seat"] if form.seat else []), key], do)
    return Decision(do, _whole(line, "seat") if form.seat else None, form.read(key, line[key]))


def written(header: Header, decisions: Iterable[Decision], note: str | None = None) -> str:
    """Return the whole record as text, a line each, ending in a line end; a note is in its header."""
    race = games.find_by_name(header.game)
    lines = (_json(decision_line(race, decision)) for decision in decisions)
    return "".join(f"{line}\n" for line in (header.line(note), *lines))


def replayed(text: bytes) -> Replay:
    """Replay the record's decisions, each judged by the rules, up to the end or the first error."""
    lines = _lines(text)
    try:
        header, race = _opening(next(lines, (1, None)))
    except RecordError as error:
        return Replay(None, None, error=error)
    decisions: list[Decision] = []
    for number, line in lines:
        try:
            decision = _read(number, partial(decision_of, race), line)
            race = checked(race, decision)
        except (RecordError, IllegalDecision) as error:
            named = error if isinstance(error, RecordError) else RecordError(number, _reason(race, error))
            return Replay(header, race, tuple(decisions), named)
        decisions.append(decision)
    return Replay(header, race, tuple(decisions))


def _reason(race: Race, error: IllegalDecision) -> str:
    from companion.translate import Words  # the edge: a seat is named, not numbered

    return Words.english().text(error.sentence, race)


def _opening(first: tuple[int, bytes | None]) -> tuple[Header, Race]:
    number, line = first
    if line is None:
        raise RecordError(1, "there is no header: the first line names the game and the seats")

    def opened(data: dict[str, Any]) -> tuple[Header, Race]:
        header = header_of(data)
        return header, header.opening()

    opening: tuple[Header, Race] = _read(number, opened, line)
    return opening


def header_of(data: Mapping[str, Any]) -> Header:
    """Parse the header from this object; InvalidInput if it is not well formed."""
    version = data.get("record", VERSION)  # a missing key is reported below
    if type(version) is not int or version != VERSION:
        raise InvalidInput(f"unknown record version {shown(version)}: this program reads version {VERSION}")
    _check_keys(data, ["record", "game", "seats"], "header", optional=("start", "options"))
    if not isinstance(data["game"], str):
        raise InvalidInput(f"game must be a name, not {shown(data['game'])}")
    options = data.get("options", {})
    if not isinstance(options, dict):
        raise InvalidInput(f"options must be an object, not {shown(options)}")
    if not isinstance(data["seats"], list):
        raise InvalidInput(f"seats must be a list of names, not {shown(data['seats'])}")
    start = _whole(data, "start") if "start" in data else 0
    return Header(data["game"], tuple(data["seats"]), start, options)


def _lines(text: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the lines that are not blank, with their numbers; a line ends at LF or CRLF and nowhere else."""
    for number, line in enumerate(text.split(b"\n"), 1):
        line = line.removesuffix(b"\r")
        if line.strip(b" \t"):
            yield number, line


def _read(number: int, meaning: Any, line: bytes) -> Any:
    """Parse a line as JSON, pass the object to `meaning`, and return the result.

    Raises RecordError with the number of the line for anything invalid, and IllegalDecision unchanged.
    """
    try:
        return meaning(_object(line))
    except IllegalDecision:
        raise
    except RecursionError:
        raise RecordError(number, "not a line of a record: nested too deeply") from None
    except ValueError as error:
        raise RecordError(number, str(error)) from None


def _object(line: bytes) -> dict[str, Any]:
    if line.startswith(b"\xef\xbb\xbf"):
        raise InvalidInput("the line starts with a byte-order mark: save the file as UTF-8 without one")
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError:
        raise InvalidInput("the line is not UTF-8 text") from None
    try:
        value = json.loads(
            text,
            object_pairs_hook=_keys_once,
            parse_int=_int,
            parse_float=_decimal,
            parse_constant=_no_constant,
        )
    except json.JSONDecodeError as error:
        what = error.msg.removesuffix(" at")
        raise InvalidInput(f"not a line of JSON: {what} at column {error.colno}") from None
    if not isinstance(value, dict):
        raise InvalidInput("a line must be an object in braces")
    return _without_remarks(value)


def _without_remarks(line: Mapping[str, Any]) -> dict[str, Any]:
    """Return the line without the keys that have no effect."""
    for key in _REMARKS:
        if not isinstance(line.get(key, ""), str):
            raise InvalidInput(f"{key} must be text, not {shown(line[key])}")
    return {key: line[key] for key in line if key not in _REMARKS}


def _int(digits: str) -> int | Decimal:
    return int(digits) if len(digits) <= _LONGEST_NUMBER else Decimal(digits)


def _decimal(text: str) -> Decimal:
    try:
        return Decimal(text)
    except InvalidOperation:
        raise InvalidInput(f"the number {shown(text)} is out of all bounds") from None


def _no_constant(name: str) -> NoReturn:
    raise InvalidInput(f"not a line of JSON: {name} is no number")


def _keys_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = [key for key, _ in pairs]
    for key in keys:
        if keys.count(key) > 1:
            raise InvalidInput(f"the key {key!r} stands twice in one object")
    return dict(pairs)


def _check_keys(
    data: Mapping[str, Any], needed: list[str], what: str, optional: tuple[str, ...] = ()
) -> None:
    for key in needed:
        if key not in data:
            raise InvalidInput(f"{what}: the key {key!r} is missing")
    for key in data:
        if key not in needed and key not in optional:
            raise InvalidInput(f"{what}: unknown key {key!r}")


def _whole(data: Mapping[str, Any], key: str) -> int:
    value = data[key]
    if type(value) is not int:
        raise InvalidInput(f"{key} must be a whole number, not {shown(value)}")
    return value


_numbers = msgspec.json.Encoder(decimal_format="number")  # odds keep every digit


def _json(value: Any) -> str:
    return msgspec.json.format(_numbers.encode(value), indent=0).decode()
