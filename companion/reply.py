"""Replies: what pages and programs get as JSON.

They are structs, of which `make schema` makes docs/openapi.yaml and the scripts' types. A field that is UNSET
is left out of the JSON.
"""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias, dataclass_transform

import msgspec
from msgspec import Meta

NAMED = "#/components/schemas/"
"""Where docs/openapi.yaml has what a reference names."""


class _ByKeyword(msgspec.StructMeta):
    """Makes every field of every subclass one that is given by its name."""

    def __new__(mcs, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **config: Any) -> Any:
        return super().__new__(mcs, name, bases, namespace, **{"kw_only": True, **config})


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(msgspec.field,))
class Reply(msgspec.Struct, frozen=True, forbid_unknown_fields=True, metaclass=_ByKeyword):
    """Something that is sent as JSON, its fields in this order and no others."""


def encoded(reply: object) -> bytes:
    """A reply as compact JSON in UTF-8."""
    return msgspec.json.encode(reply)


def by_hand(*names: str) -> Meta:
    """A value that docs/openapi.yaml describes by hand, under one of these names."""
    references = [{"$ref": NAMED + name} for name in names]
    return Meta(extra_json_schema=references[0] if len(names) == 1 else {"oneOf": references})


def one_of(*values: str | None) -> Meta:
    """A text, one of these."""
    return Meta(extra_json_schema={"enum": list(values)})


Entry: TypeAlias = Annotated[int, by_hand("Entry")]
Seat: TypeAlias = Annotated[int, by_hand("Seat")]
Colour: TypeAlias = Annotated[str, by_hand("Colour")]
GameName: TypeAlias = Annotated[str, by_hand("Game")]
SeatNames: TypeAlias = Annotated[list[str], by_hand("Seats")]
Uid: TypeAlias = Annotated[str, by_hand("Uid")]
Means: TypeAlias = Annotated[str, by_hand("Means")]
Options: TypeAlias = Annotated[dict[str, Any], by_hand("Options")]
Line: TypeAlias = Annotated[dict[str, Any], by_hand("Decision")]
"""A line of the record."""
StartedLine: TypeAlias = Annotated[
    dict[str, Any], Meta(description="A line of the record that lacks what is chosen, under its key.")
]

Zone: TypeAlias = Annotated[str, one_of("track", "gate", "home", "out")]
Animal: TypeAlias = Annotated[str, Meta(examples=["pig", "horse", "dog"])]
Unit: TypeAlias = Annotated[str, one_of("", "food", "money")]
Text: TypeAlias = Annotated[str, Meta(min_length=1)]
When: TypeAlias = Annotated[str, Meta(extra_json_schema={"format": "date-time"})]
Count: TypeAlias = Annotated[int, Meta(ge=0)]
Spaces: TypeAlias = Annotated[list[int], by_hand("Spaces")]
"""Spaces of a course, from 1."""


class Done(Reply):
    """Done and synced; the journal's last entry by now."""

    seq: Entry
