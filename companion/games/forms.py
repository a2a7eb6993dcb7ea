"""Formats of decisions in the record and of a game's options, and their validation."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any, Literal, NamedTuple

from companion.errors import InvalidInput, validation_error
from companion.message import N_

OptionKind = Literal["flag", "number", "choice", "seat", "order", "chart"]


class Option(NamedTuple):
    """A choice made before the game, asked for on the host page.

    `kind` is "flag" (yes or no), "number" (a whole number from `low` to `high`), "choice" (one of the names
    in `choices`, each with its label). Others: "seat" (one, or None), "order" (all the seats), "chart" (data
    of the printed game, stored under the option's name). Seats, orders and charts are validated by the game
    itself in `new`; `default` None means: left out.
    """

    name: str
    default: Any
    label: str
    help: str
    low: int = 0
    high: int = 0
    kind: OptionKind = "number"
    choices: Mapping[str, str] = {}


class Fields(NamedTuple):
    """The shape of a JSON object with exactly these keys; in a decision it is the named tuple `make`."""

    make: Callable[..., Any]
    shapes: Mapping[str, Any]


class Keyed(NamedTuple):
    """The value of a decision whose record line may have one of several keys: the key and its value."""

    key: str
    value: Any


class Form(NamedTuple):
    """The format of a decision's record line: whether it names a seat, its key and the shape of its value.

    `shape` is int, str, Fields, or a list of one shape; with `nullable` the value may be null. Where the line
    has one of several keys, `key` is "" and `shape` gives each key's shape; the decision is then a Keyed.
    """

    seat: bool
    key: str
    shape: Any
    nullable: bool = False

    def names(self) -> tuple[str, ...]:
        """Return the keys of which a line has exactly one."""
        return (self.key,) if self.key else tuple(self.shape)

    def read(self, key: str, value: Any) -> Any:
        """Return the decision's value for `value` under `key`, lists as tuples; InvalidInput if it does not
        fit.

        >>> Form(True, "order", [str]).read("order", ["red", "blue"])
        ('red', 'blue')
        >>> Form(False, "hands", [[str]]).read("hands", [["red"], [1]])
        Traceback (most recent call last):
        companion.errors.InvalidInput: hands must be a list of lists of texts, not [["red"], [1]]
        """
        shape = self.shape if self.key else self.shape[key]
        if self.nullable and value is None:
            return None
        if not _fits(value, shape):
            expected = _described(shape) + (" or null" if self.nullable else "")
            raise InvalidInput(f"{key} must be {expected}, not {shown(value)}")
        return _read(value, shape) if self.key else Keyed(key, _read(value, shape))

    def written(self, what: Any) -> dict[str, Any]:
        """Return the key and value of a decision's line.

        >>> Form(False, "", {"sets": [[int]], "last": [int]}).written(Keyed("last", (1, 2)))
        {'last': [1, 2]}
        """
        key, value = (self.key, what) if self.key else what
        return {key: _written(value)}


def _described(shape: Any, many: bool = False) -> str:
    if isinstance(shape, list):
        return f"{'lists' if many else 'a list'} of {_described(shape[0], True)}"
    if isinstance(shape, Fields):
        return f"{'objects' if many else 'an object'} with {', '.join(shape.shapes)}"
    one, several = {int: ("a whole number", "whole numbers"), str: ("text", "texts")}[shape]
    return several if many else one


def _fits(value: Any, shape: Any) -> bool:
    if isinstance(shape, list):
        return isinstance(value, list | tuple) and all(_fits(v, shape[0]) for v in value)
    if isinstance(shape, Fields):
        return (
            isinstance(value, dict)
            and value.keys() == shape.shapes.keys()
            and all(_fits(value[key], inner) for key, inner in shape.shapes.items())
        )
    return type(value) is shape


def _read(value: Any, shape: Any) -> Any:
    if isinstance(shape, list):
        return tuple(_read(v, shape[0]) for v in value)
    if isinstance(shape, Fields):
        return shape.make(**{key: _read(value[key], inner) for key, inner in shape.shapes.items()})
    return value


def _written(value: Any) -> Any:
    if isinstance(value, tuple):
        if hasattr(value, "_asdict"):
            return {key: _written(v) for key, v in value._asdict().items()}
        return [_written(v) for v in value]
    return value


def shown(value: object) -> str:
    """Return a value that does not fit as JSON for an error message; a long one is cut.

    >>> shown(None), shown("nine"), shown([True, Decimal("9.0")])
    ('null', '"nine"', '[true, "9.0"]')
    """
    text = str(value) if isinstance(value, Decimal) else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 40 else f"{text[:37]}…"


def whole_number(what: str, value: object, low: int, high: int) -> int:
    """Return `value` if it is a whole number from `low` to `high`; otherwise raise InvalidInput, which names
    `what`.
    """
    if type(value) is not int:
        raise validation_error(N_("{what} must be a whole number, not {text}"), what=what, text=shown(value))
    if not low <= value <= high:
        raise validation_error(
            N_("{what} must be {low} to {high}, not {text}"), what=what, low=low, high=high, text=value
        )
    return value
