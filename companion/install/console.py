"""The text on a screen at the Pi before login: the table's address, and how to get into its Wi-Fi."""

from __future__ import annotations

from typing import Final

from companion.hotspot import ADDRESS, Hotspot
from companion.install.steps import File

PATH: Final = "/etc/issue.d/60-race-companion.issue"


def issue(hotspot: Hotspot | None) -> File:
    r"""Return the text above the login; agetty replaces \4 by the machine\'s address at that time.

    The password is there for the guests, as it would be on a note at the table.
    """
    lines = [
        "",
        "The race companion: open http://\\4/ on the tablet, http://\\4/watch on a phone.",
        "No number there? Then this machine is in no network yet: plug in a cable, or log in and type",
        "sudo nmtui (your Wi-Fi) or sudo companion install --hotspot (a Wi-Fi for the table).",
    ]
    if hotspot is not None:
        name, password = _plain(hotspot.name), _plain(hotspot.password)
        lines += [
            f"Where no known Wi-Fi is in reach, the Wi-Fi “{name}”, password {password},",
            f"has it at http://{ADDRESS}/",
        ]
    text = "".join(f"{line}\n" for line in (*lines, ""))
    return File(PATH, text, "the screen says where the table is", alone=True)


def _plain(text: str) -> str:
    """Return text without escapes of agetty's."""
    return text.replace("\\", "\\\\")
