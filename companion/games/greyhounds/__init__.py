"""Greyhounds."""

from companion.games.greyhounds import presenter as presenter
from companion.games.greyhounds.rules import Greyhounds

__all__ = ["Greyhounds"]
