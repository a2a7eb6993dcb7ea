"""Small things kept beside the matches (the PIN's hash, the last options): each has a name and a type."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Key(Generic[T]):
    """The name under which a thing is kept, the type it has, and what counts while nothing is kept."""

    name: str
    kind: Any
    default: T
