"""Typed keys for small values stored with the matches (the PIN's hash, the last options)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Key(Generic[T]):
    """The name under which a value is stored, its type, and its default."""

    name: str
    kind: Any
    default: T
