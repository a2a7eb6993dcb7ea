"""A card pad of PC/SC: a reader on USB such as an ACR122U, through pcscd and the package `pyscard`.

The service reports cards that come and go; their UID is read with the pseudo-APDU FF CA 00 00 00 [PC/SC part
3, Get Data]. Only this file imports the package, and only when such a pad is started: it is optional, its
licence (LGPL 2.1 or later) is not ours. Numbers are those of PC/SC part 5 and of pcsclite.h.
"""

from __future__ import annotations

import importlib
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Any, Final

from companion.devices.health import PadFault, PadHealth, RangeTest
from companion.devices.no_reader import NoReader
from companion.devices.readings import PadSeen, Tell
from companion.devices.standing import PolledPad, with_version
from companion.devices.uid_text import of_hex
from companion.message import N_, Sentence

RETRY_S: Final = 1.0
LOOK_MS: Final = 250  # how long the service is waited for, before an order is looked for
TEST_S: Final = 5.0  # limit of a range test, in addition to its polls
POLL_S: Final = 0.05
GET_UID: Final = (0xFF, 0xCA, 0x00, 0x00, 0x00)
WELL: Final = (0x90, 0x00)

SUCCESS, TIMEOUT = 0, 0x8010000A
FAULTS: Final[dict[int, PadFault]] = {
    0x80100009: "absent",  # SCARD_E_UNKNOWN_READER
    0x80100017: "absent",  # SCARD_E_READER_UNAVAILABLE
    0x8010002E: "absent",  # SCARD_E_NO_READERS_AVAILABLE
    0x8010000B: "taken",  # SCARD_E_SHARING_VIOLATION
    0x8010006A: "no leave",  # SCARD_W_SECURITY_VIOLATION: polkit has refused
}
"""The meanings of results; any other: the service is not there."""
GONE: Final = 0x4 | 0x8  # SCARD_STATE_UNKNOWN, SCARD_STATE_UNAVAILABLE
PRESENT, MUTE = 0x20, 0x200
EVENTS: Final = 16  # above these bits of a state are counted the cards that came and went
USER, SHARED, ANY_PROTOCOL, LEAVE = 0, 2, 3, 0
WITHOUT_CONTACT: Final = (
    "picc",
    "contactless",
    "nfc",
)  # in names, where a reader has a slot for chips as well


def chosen(readers: Sequence[str], named: str | None) -> str:
    """Return the name of the reader that `named` names, or the only one; raise NoReader.

    >>> chosen(["ACS ACR1252 [SAM Interface] 01 00", "ACS ACR1252 [PICC Interface] 00 00"], None)
    'ACS ACR1252 [PICC Interface] 00 00'
    """
    if named is not None:
        fit = [one for one in readers if named.strip().lower() in one.lower()]
        if not fit:
            raise NoReader("absent", readers)
        return fit[0]
    without = [one for one in readers if any(word in one.lower() for word in WITHOUT_CONTACT)]
    for some in (without, readers):
        if len(some) == 1:
            return some[0]
        if some:
            raise NoReader("several", some)
    raise NoReader("absent")


class PcscPad(PolledPad):
    """The reader that `named` names by a part of its name, or the one that is found."""

    def __init__(self, named: str | None = None) -> None:
        super().__init__(PadHealth(kind="pcsc", named=named is not None))
        self.named = named
        self._reported: PadSeen | None = None
        self._scard: Any = None

    def start(self, tell: Tell) -> None:
        """Watch the reader in a background thread and report the tag on it; never raise."""
        self._tell = tell
        self._stop.clear()
        try:
            self._scard = importlib.import_module("smartcard.scard")
        except ImportError:
            self._cannot(NoReader("no library"))
            return
        self._note(library=with_version("pyscard"))
        self._start_thread()

    def range_test(self, polls: int = 50) -> RangeTest:
        """Read the card `polls` times; raise TimeoutError when there is no reader."""
        return self._have_tested(polls, TEST_S + polls * POLL_S * 4, _SILENT)

    def _cannot(self, problem: NoReader) -> None:
        self._note(device=None, found=problem.found, lies=frozenset())
        self._reported = None  # when it is back, the tag there is reported again
        values = {"reader": self.named or "", "found": ", ".join(problem.found)}
        why = WHY_NAMED if problem.fault == "absent" and self.named else WHY[problem.fault]
        self._is_gone(Sentence(why, values), problem.fault)

    # --- the thread ------------------------------------------------------------------------------

    def _watch(self) -> None:
        """Search for service and reader each second until both are there, and again when one is gone."""
        while not self._stop.is_set():
            try:
                self._with_service()
            except NoReader as problem:
                self._cannot(problem)
                self._stop.wait(RETRY_S)

    def _with_service(self) -> None:
        context = self._well(self._scard.SCardEstablishContext(USER))
        try:
            reader = chosen(self._well(self._scard.SCardListReaders(context, [])), self.named)
            self._note(device=reader, found=())
            self._watch_cards(context, reader)
        finally:
            self._scard.SCardReleaseContext(context)

    def _well(self, result: Sequence[Any]) -> Any:
        """Return the value of a result; raise NoReader for one that is no success."""
        code = result[0] & 0xFFFFFFFF  # older packages give it with a sign
        if code != SUCCESS:
            raise NoReader(FAULTS.get(code, "no service"))
        return result[1]

    def _watch_cards(self, context: Any, reader: str) -> None:
        """Report cards that come and go until the reader fails (NoReader) or the pad is stopped."""
        state, known = 0, (False, -1)  # SCARD_STATE_UNAWARE; whether a card is there, and the events counted
        while not self._stop.is_set():
            if not self._tests.empty():
                self._test(lambda: self._uid(context, reader), *self._tests.get())
            result = self._scard.SCardGetStatusChange(context, LOOK_MS, [(reader, state)])
            if result[0] & 0xFFFFFFFF == TIMEOUT:
                continue
            [(_, state, _)] = self._well(result)
            if state & GONE:
                raise NoReader("absent")
            now = bool(state & PRESENT), state >> EVENTS
            if now == known:
                continue  # use of the card by another program is no news
            if known[0]:
                self._show(PadSeen(frozenset()))  # lifted, even if the next is there by now
            known = now
            uid = None if state & MUTE or not now[0] else self._uid(context, reader)
            self._is("ok")
            self._note(polls=self.health.polls + now[0])
            self._show(PadSeen(frozenset(filter(None, [uid])), unreadable=now[0] and uid is None))

    def _show(self, seen: PadSeen) -> None:
        if seen != self._reported:
            self._reported = seen
            self._note(lies=seen.tags, changed=time.monotonic())
            self._tell(seen)

    def _uid(self, context: Any, reader: str) -> str | None:
        """Return the UID of the card on the reader; None if it does not answer."""
        code, card, protocol = self._scard.SCardConnect(context, reader, SHARED, ANY_PROTOCOL)
        if code & 0xFFFFFFFF != SUCCESS:
            if FAULTS.get(code & 0xFFFFFFFF) == "taken":
                raise NoReader("taken", (reader,))
            return None
        try:
            code, answer = self._scard.SCardTransmit(card, protocol, list(GET_UID))
        finally:
            self._scard.SCardDisconnect(card, LEAVE)
        if code & 0xFFFFFFFF != SUCCESS or tuple(answer[-2:]) != WELL:
            return None
        return of_hex(bytes(answer[:-2]).hex().upper())

    def _test(self, look: Callable[[], str | None], polls: int, answer: Future[RangeTest]) -> None:
        hits: Counter[str] = Counter()
        for _ in range(polls):
            hits.update(filter(None, [look()]))
            self._stop.wait(POLL_S)
        if not answer.cancelled():
            answer.set_result(RangeTest("pad", polls, dict(hits)))


_SILENT: Final = Sentence(
    N_("the PC/SC reader does not answer: plug it in again, or tap the cards on the screen")
)
WHY: Final[dict[PadFault, str]] = {
    "absent": N_("no PC/SC reader is found: plug it in, or tap the cards on the screen"),
    "several": N_(
        "which of these is the PC/SC reader cannot be told: {found}; name it as usb_reader in companion.toml"
    ),
    "no leave": N_(
        "the PC/SC reader may not be used by this user: the hardware page says what to do, "
        "or tap the cards on the screen"
    ),
    "taken": N_("another program has the PC/SC reader {found}: end it, or tap the cards on the screen"),
    "no library": N_(
        "a PC/SC reader needs the package pyscard: run sudo apt install pcscd python3-pyscard, then "
        "python -m companion.install.bindings, or tap the cards on the screen"
    ),
    "no service": N_(
        "the service pcscd does not answer: run sudo apt install pcscd, then "
        "sudo systemctl enable --now pcscd.socket, or tap the cards on the screen"
    ),
}
WHY_NAMED: Final = N_(
    "no PC/SC reader {reader} is found, as usb_reader in companion.toml names it: plug it in, or name another"
)
