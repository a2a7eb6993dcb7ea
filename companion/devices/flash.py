"""Copying the firmware to the Pico under the track, and rolling back to the version before.

Unproven: no real Pico was at hand. It is tested against MicroPython's own prompt, in its virtual machine and
on an emulated RP2040, with cables pulled, power loss at every write, a full memory and damaged bytes; the
test with a Pico is in wiring.md.

On the Pico `/app` is the firmware, `/app.old` the one before, `/app.new` one that is being copied, and
`/main.py` firmware/launcher.py, which starts the newest version that can start; a foreign one is saved as
`/main.old.py`. Running files are not touched before the new files are complete.
"""

from __future__ import annotations

import ast
import contextlib
import errno
import hashlib
import io
import re
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import serial
from mpremote.transport import TransportError, TransportExecError
from mpremote.transport_serial import SerialTransport

from companion import firmware
from companion.devices.track import pico_port
from companion.errors import CompanionError
from companion.firmware import link
from companion.message import N_, Sentence
from companion.processes import users

OLDEST = (1, 22)  # MicroPython: the version the firmware was compiled for and run on
ANSWER_S = 5.0  # for the prompt to come
WORD_S = 15.0  # for the Pico to restart and send its hello
PIECE = 512  # bytes that go over at once
HERE = Path(firmware.__path__[0])
LAUNCHER = "launcher.py"
# how every version of the launcher begins, and of firmware that was copied to the top by hand
OURS = (b'"""The Pico\'s /main.py: starts the firmware', b'"""The Pico under the track: ')

Progress = Callable[[str, int, int], None]
"""Called with the name of the file being copied, and the bytes copied so far and in all."""


class FlashError(CompanionError):
    """The reason why the firmware could not be copied, and advice; the Pico runs the same version
    as before.
    """


def _failed(text: str, /, **values: Any) -> FlashError:
    return FlashError(Sentence(text, values))


class Version(NamedTuple):
    """A firmware version and its wire protocol; None where it is unknown."""

    firmware: str | None
    protocol: int | None

    def __str__(self) -> str:
        if self.firmware is None:
            return "none"
        return f"{self.firmware}, protocol {'unknown' if self.protocol is None else self.protocol}"


def version_of(main: str, wire: str) -> Version:
    """Return the version that the files main.py and link.py name.

    >>> str(version_of('FIRMWARE = "1.0.0"', "PROTOCOL = 2"))
    '1.0.0, protocol 2'
    """
    named = re.search(r'^FIRMWARE = "([^"]*)"', main, re.MULTILINE)
    spoken = re.search(r"^PROTOCOL = (\d+)", wire, re.MULTILINE)
    return Version(named and named[1], int(spoken[1]) if spoken else None)


def version_here(home: Path = HERE) -> Version:
    """Return the version that this companion brings."""
    return version_of(*((home / name).read_text("utf-8") for name in ("main.py", "link.py")))


class Versions(NamedTuple):
    """The versions on a Pico: MicroPython, the firmware, the one before."""

    micropython: tuple[int, ...]
    now: Version
    before: Version


# What the Pico itself does, in its own Python. Wherever it is stopped, one of /app and /app.old is whole.
ON_THE_PICO = """
import os, sys, hashlib, binascii
def there(path):
    try:
        os.stat(path)
        return True
    except OSError:
        return False
def drop(path):
    if there(path):
        for name in os.listdir(path):
            os.remove(path + "/" + name)
        os.rmdir(path)
def says(path, word):
    if there(path):
        with open(path, "rb") as file:  # a foreign file may be no text
            for line in file:
                if line.startswith(word + b" = "):
                    return line.decode()
    return ""
def version(app):
    return (says(app + "/main.py", b"FIRMWARE"), says(app + "/link.py", b"PROTOCOL"))
def checksum(path):
    sum = hashlib.sha256()
    with open(path, "rb") as file:
        piece = file.read(512)
        while piece:
            sum.update(piece)
            piece = file.read(512)
    return binascii.hexlify(sum.digest()).decode()
def switch():
    if there("/app"):
        drop("/app.old")
        os.rename("/app", "/app.old")
    os.rename("/app.new", "/app")
def back():
    drop("/app.new")
    os.rename("/app", "/app.new")
    os.rename("/app.old", "/app")
    os.rename("/app.new", "/app.old")
def kept(ours):
    if not there("/main.py"):
        return ""
    with open("/main.py", "rb") as file:
        first = file.readline()
    if any(first.startswith(begin) for begin in ours):
        return ""
    sum, n, name = checksum("/main.py"), 1, "/main.old.py"
    while there(name) and checksum(name) != sum:
        n += 1
        name = "/main.old" + str(n) + ".py"
    if not there(name):
        with open("/main.py", "rb") as file:
            with open("/main.new", "wb") as copy:
                piece = file.read(512)
                while piece:
                    copy.write(piece)
                    piece = file.read(512)
        os.rename("/main.new", name)
    return name
"""


class Pico:
    """A Pico's MicroPython at its prompt."""

    def __init__(self, prompt: SerialTransport) -> None:
        self.prompt = prompt
        self.run(ON_THE_PICO)

    def run(self, code: str) -> str:
        """Run code and return its output; raise FlashError with the last line of its traceback."""
        try:
            return str(self.prompt.exec(code).decode())
        except TransportExecError as problem:
            reason = problem.error_output.strip().splitlines()[-1]
            raise _failed(
                N_("the Pico cannot do it ({why}): it runs what it ran before"), why=reason
            ) from None

    def ask(self, expression: str) -> object:
        """Return the value of an expression."""
        return ast.literal_eval(self.run(f"print(repr({expression}))").strip())

    def versions(self) -> Versions:
        """Return the versions on it."""
        micropython, now, before, flat = (
            self.ask(of)
            for of in (
                "tuple(sys.implementation[1])",
                'version("/app")',
                'version("/app.old")',
                'version("")',
            )
        )
        assert isinstance(micropython, tuple)
        of = [version_of(*texts) for texts in (now, before, flat) if isinstance(texts, tuple)]
        # firmware that was copied by hand is at the top
        return Versions(
            tuple(n for n in micropython if isinstance(n, int)), of[0] if of[0].firmware else of[2], of[1]
        )

    def room(self) -> int:
        """Return the free bytes of its file system."""
        free = self.ask('(lambda s: s[0] * s[3])(os.statvfs("/"))')
        assert isinstance(free, int)
        return free

    def copy(self, files: Mapping[str, bytes], progress: Progress) -> None:
        """Write the files to /app.new; raise FlashError if a file read back has another checksum."""
        total, done = sum(map(len, files.values())), 0
        self.run('drop("/app.new")\nos.mkdir("/app.new")')
        for name, content in files.items():
            self._write(f"/app.new/{name}", content, partial(_report_progress, progress, name, done, total))
            done += len(content)
        for name, content in files.items():
            if self.ask(f'checksum("/app.new/{name}")') != hashlib.sha256(content).hexdigest():
                raise _failed(
                    N_(
                        "{name} did not arrive whole: try again, with another cable if it happens again; "
                        "the Pico runs what it ran before"
                    ),
                    name=name,
                )

    def _write(self, path: str, content: bytes, progress: Callable[[int], None]) -> None:
        try:
            self.prompt.fs_writefile(path, content, PIECE, progress_callback=lambda n, _: progress(n))
        except (OSError, TransportExecError) as problem:
            if isinstance(problem, serial.SerialException):
                raise
            raise _failed(
                N_(
                    "the Pico takes no more at {name}: delete what you do not need on it; "
                    "it runs what it ran before"
                ),
                name=Path(path).name,
            ) from None

    def keep_main(self) -> str:
        """Copy a foreign /main.py to a second file, so that it is never missing; return the copy's path, or
        "".
        """
        return str(self.ask(f"kept({OURS!r})"))

    def launch_by(self, launcher: bytes) -> None:
        """Replace /main.py with the launcher, in one step."""
        if self.ask('there("/main.py") and checksum("/main.py")') != hashlib.sha256(launcher).hexdigest():
            self._write("/main.new", launcher, lambda _: None)
            self.run('os.rename("/main.new", "/main.py")')

    def start_anew(self) -> None:
        """Reset the Pico; its port disappears with it."""
        with contextlib.suppress(OSError, TransportError):
            self.prompt.exec_raw_no_follow("import machine; machine.reset()")


def _report_progress(progress: Progress, name: str, before: int, total: int, written: int) -> None:
    progress(name, before + written, total)


@contextlib.contextmanager
def at_the_prompt(port: str) -> Iterator[Pico]:
    """Yield the Pico at a port, its program interrupted, and restart it at the end; raise FlashError.

    There is no soft reset: once the firmware's watchdog runs, it must be fed.
    """
    try:
        with contextlib.redirect_stdout(io.StringIO()):  # mpremote prints output that it does not understand
            prompt = SerialTransport(port, timeout=ANSWER_S)
    except (TransportError, OSError):
        raise FlashError(why_not(port)) from None
    try:
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                prompt.enter_raw_repl(soft_reset=False, timeout_overall=ANSWER_S)
        except TransportError:
            raise _failed(
                N_(
                    "no MicroPython answers at {port}: hold BOOTSEL while you plug the Pico in, copy "
                    "MicroPython's UF2 file for your Pico to the disk that appears, and try again"
                ),
                port=port,
            ) from None
        pico = Pico(prompt)
        try:
            yield pico
        finally:
            pico.start_anew()
    except (TransportError, OSError) as problem:
        raise _failed(
            N_(
                "the Pico at {port} was lost ({why}): plug it in again and try again; "
                "it runs what it ran before"
            ),
            port=port,
            why=problem or type(problem).__name__,
        ) from None
    finally:
        with contextlib.suppress(OSError):
            prompt.close()


def why_not(port: str) -> Sentence:
    """Return why a port cannot be opened, and advice."""
    try:
        serial.Serial(port, exclusive=True).close()
    except OSError as problem:
        if problem.errno == errno.EACCES:
            return Sentence(_NO_LEAVE, {"port": port})
        if problem.errno in (errno.EBUSY, errno.EAGAIN):
            for program in users(port):
                return Sentence(_TAKEN_BY, {"port": port, "text": program})
            return Sentence(_TAKEN, {"port": port})
    return Sentence(_NOTHING, {"port": port})


_NO_LEAVE = N_("{port} may not be used: run sudo adduser $USER dialout, then log in again")
_TAKEN = N_("another program uses {port}: stop the companion first, then try again")
_TAKEN_BY = N_("another program uses {port}: {text} (its process); end it, then try again")
_NOTHING = N_("there is nothing at {port}: plug the Pico in, or name its port with --port")


def the_port(port: str | None) -> str:
    """Return the named port, or the one of the Pico; raise FlashError if there is none."""
    found = port or pico_port()
    if found is None:
        raise _failed(
            N_(
                "no Pico with MicroPython is plugged in: plug it in, or name its port with --port; on a new "
                "Pico hold BOOTSEL while you plug it in, and copy MicroPython's UF2 file to the disk "
                "that appears"
            )
        )
    return found


def check(port: str | None) -> Versions:
    """Return the versions on the Pico; raise FlashError."""
    with at_the_prompt(the_port(port)) as pico:
        return pico.versions()


def copy(
    port: str | None, progress: Progress, home: Path = HERE, saved: Callable[[str], object] = str
) -> tuple[Version, Version]:
    """Copy this companion's firmware; return the versions that ran before and that runs now. Raise
    FlashError.

    `saved` is called with the path on the Pico where a foreign /main.py is saved that ours replaces.
    """
    files = {path.name: path.read_bytes() for path in sorted(home.glob("*.py"))}
    launcher = files.pop(LAUNCHER)
    with at_the_prompt(the_port(port)) as pico:
        before = pico.versions()
        if before.micropython < OLDEST:
            has, wants = (".".join(map(str, version)) for version in (before.micropython, OLDEST))
            raise _failed(
                N_(
                    "the Pico has MicroPython {has}, and {wants} or newer is needed: hold BOOTSEL while you "
                    "plug it in, and copy a newer UF2 file to the disk that appears"
                ),
                has=has,
                wants=wants,
            )
        needed = sum(map(len, files.values())) + 4096 * (len(files) + 2)  # blocks of the file system
        if pico.room() < needed:
            raise _failed(
                N_(
                    "the Pico has {left} KB left and {needed} KB are needed: "
                    "delete what you do not need on it"
                ),
                left=pico.room() // 1024,
                needed=needed // 1024,
            )
        pico.copy(files, progress)
        if theirs := pico.keep_main():
            saved(theirs)
        pico.run("switch()")
        pico.launch_by(launcher)
    return before.now, who_speaks(port, version_here(home))


def back(port: str | None) -> tuple[Version, Version]:
    """Swap the firmware and the one before; return the versions that ran before and that runs now. Raise
    FlashError.
    """
    with at_the_prompt(the_port(port)) as pico:
        found = pico.versions()
        if found.before.firmware is None:
            raise _failed(N_("there is no version before on this Pico: nothing was changed"))
        pico.run("back()")
    return found.now, who_speaks(port, found.before)


def who_speaks(port: str | None, wanted: Version) -> Version:
    """Return the version that the Pico reports after its start; raise FlashError if it is
    another, or silent.
    """
    until = time.monotonic() + WORD_S
    while time.monotonic() < until:
        here = port or pico_port()
        hi = None
        if here is not None:
            with contextlib.suppress(OSError):  # the port is not there yet, or goes once more
                hi = _hi(here, until)
        if hi is not None:
            return _spoken(hi, wanted)
        time.sleep(0.2)
    raise _failed(
        N_(
            "the firmware is copied, but the Pico says nothing: pull its cable and plug it in again, then "
            "run companion flash --check; companion flash --back brings the version before"
        )
    )


def _hi(port: str, until: float) -> Mapping[str, object] | None:
    lines = link.Lines()
    with serial.Serial(port, timeout=0.2, exclusive=True) as line:
        line.write(b"\n" + link.encode({"do": "reset"}))  # its first word may be long gone
        while time.monotonic() < until:
            for message in lines.feed(line.read(line.in_waiting or 1)):
                if message.get("is") == "hi":
                    return message
    return None


def _spoken(hi: Mapping[str, object], wanted: Version) -> Version:
    speaks = Version(str(hi.get("firmware")), int(str(hi.get("protocol"))))
    if speaks != wanted:
        raise _failed(
            N_("the Pico was to run {wanted} and runs {now}: companion flash --check says what it has"),
            wanted=wanted,
            now=speaks,
        )
    return speaks
