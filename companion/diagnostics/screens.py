"""Screens: the parts of a page that a device's browser could not draw, as the page has reported them.

Held in memory only, without names, addresses or anything from the game.
"""

from __future__ import annotations

import re
import threading
from typing import Final, Literal, NamedTuple

from companion.diagnostics.doctor import Finding
from companion.message import N_, Sentence

Part = Literal["page", "sentence", "course", "standings", "odds", "story", "panels", "hand", "board"]
Device = Literal["phone", "tablet", "television", "computer"]

MOST: Final = 20  # findings; the latest are stored


class Browser(NamedTuple):
    """The browser of a device, as it presents itself."""

    device: Device
    name: str

    @classmethod
    def of(cls, user_agent: str) -> Browser:
        """Return the browser that sends this header; its name is empty if it is not known.

        >>> Browser.of("Mozilla/5.0 (iPhone; CPU iPhone OS 15_3) Version/15.3 Mobile/15E148 Safari/604.1")
        Browser(device='phone', name='Safari 15.3')
        >>> Browser.of("Mozilla/5.0 (Web0S; Linux/SmartTV) Chrome/94.0.4606.128 Safari/537.36")
        Browser(device='television', name='Chrome 94')
        """
        found_devices = (kind for kind, sign in _DEVICES if re.search(sign, user_agent))
        device: Device = next(found_devices, "computer")
        for name, sign in _NAMES:
            if found := re.search(sign + r"/(\d{1,4})(\.\d{1,3})?", user_agent):
                minor = (found[2] or "") if name == "Safari" else ""
                return cls(device, f"{name} {found[1]}{minor}")
        return cls(device, "")


_DEVICES: Final[tuple[tuple[Device, str], ...]] = (  # the first that fits; tablets call themselves phones too
    ("television", r"SmartTV|SMART-TV|Web0S|Tizen|BRAVIA|GoogleTV|AFT[A-Z]|HbbTV|TV;"),
    ("tablet", r"iPad|Tablet|Silk|Kindle|Android(?!.*Mobile)"),
    ("phone", r"iPhone|iPod|Android|Mobile"),
)
_NAMES: Final = (  # most browsers also name those that they are like
    ("Edge", "Edg(?:A|iOS)?"),
    ("Opera", "OPR"),
    ("Samsung Internet", "SamsungBrowser"),
    ("Silk", "Silk"),
    ("Firefox", "(?:Firefox|FxiOS)"),
    ("Chrome", "(?:Chrome|CriOS|HeadlessChrome)"),
    ("Safari", "Version"),
)


class ScreenError(NamedTuple):
    """A part of a page that a browser could not draw; `where` is the script and its line, or empty."""

    browser: Browser
    page: str
    part: Part
    where: str


class ScreenErrors:
    """The errors that pages have reported since the start, the latest last; thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._errors: dict[ScreenError, None] = {}

    def add(self, error: ScreenError) -> bool:
        """Keep an error; return False if the same has been reported already."""
        with self._lock:
            is_new = error not in self._errors
            self._errors.pop(error, None)
            self._errors[error] = None
            while len(self._errors) > MOST:
                del self._errors[next(iter(self._errors))]
            return is_new

    def findings(self) -> tuple[Finding, ...]:
        """Return them as the doctor's findings."""
        with self._lock:
            errors = tuple(self._errors)
        return tuple(_finding(error) for error in errors)


def _finding(error: ScreenError) -> Finding:
    device = {"then_device": Sentence(_DEVICE[error.browser.device])}
    browser = error.browser.name
    which = Sentence(_NAMED, {**device, "browser": browser}) if browser else Sentence(_UNNAMED, device)
    what = Sentence(_CANNOT[error.part], {"then_which": which})
    where = f"/{error.page}" + (f", {error.where}" if error.where else "")
    return Finding("screen", "hint", (), what, Sentence(_WHY, {"where": where}), _TRY)


def sign(part: Part) -> Sentence:
    """Return the sentence for the person at the device itself."""
    return Sentence(_CANNOT[part], {"then_which": Sentence(_THIS)})


_THIS: Final = N_("This browser")
_DEVICE: Final = {
    "phone": N_("a phone's browser"),
    "tablet": N_("a tablet's browser"),
    "television": N_("a television's browser"),
    "computer": N_("a computer's browser"),
}
_NAMED: Final = N_("{then_device} ({browser})")
_UNNAMED: Final = "{then_device}"
_CANNOT: Final[dict[Part, str]] = {
    "page": N_("{then_which} cannot show all of the page"),
    "sentence": N_("{then_which} cannot show what is to be done"),
    "course": N_("{then_which} cannot show the track"),
    "standings": N_("{then_which} cannot show the standings"),
    "odds": N_("{then_which} cannot show the odds"),
    "story": N_("{then_which} cannot show what has happened"),
    "panels": N_("{then_which} cannot show a panel"),
    "hand": N_("{then_which} cannot show a hand of cards"),
    "board": N_("{then_which} cannot show the result"),
}
_WHY: Final = N_("it is too old for that, or this is a mistake in the companion ({where})")
_TRY: Final = (
    Sentence(N_("update the browser, or open /plain there: it needs no scripts")),
    Sentence(N_("report it, with what is in brackets")),
)
