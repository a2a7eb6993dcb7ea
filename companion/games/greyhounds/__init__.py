"""Greyhounds."""

from companion.games.greyhounds.rules import Greyhounds

__all__ = ["Greyhounds"]
