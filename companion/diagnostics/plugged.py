"""All plug-ins together, from every room that accepts them."""

from __future__ import annotations

from typing import Any

from companion import games, plugins, translate
from companion.bots import players
from companion.devices import pads
from companion.plugins import Plugin


def every_plugin() -> tuple[Plugin[Any], ...]:
    """Return every plug-in of this machine, loaded; those for an unknown group come last."""
    return (
        *games.plugged(),
        *players.plugged(),
        *pads.plugged(),
        *translate.plugged(),
        *plugins.strays(),
    )


def broken() -> tuple[Plugin[Any], ...]:
    """Return the plug-ins that are broken, each with the reason."""
    return tuple(plugin for plugin in every_plugin() if plugin.why is not None)
