"""Giro Galoppo."""

from companion.games.giro.rules import GiroGaloppo

__all__ = ["GiroGaloppo"]
