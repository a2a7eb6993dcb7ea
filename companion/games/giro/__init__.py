"""Giro Galoppo."""

from companion.games.giro import presenter as presenter
from companion.games.giro.rules import GiroGaloppo

__all__ = ["GiroGaloppo"]
