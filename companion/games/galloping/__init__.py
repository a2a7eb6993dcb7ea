"""Galloping Pigs and Galloping Horse."""

from companion.games.galloping import presenter as presenter
from companion.games.galloping.rules import GallopingHorse, GallopingPigs

__all__ = ["GallopingHorse", "GallopingPigs"]
