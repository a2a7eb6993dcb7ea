"""A voice on this machine: `piper` or `espeak-ng`, a separate program for each sentence.

It never blocks its caller: one sentence at a time, of those that wait only the newest, each limited in time.
A failure is logged once; the screens show everything anyway.
"""

from __future__ import annotations

import logging
import os
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

from companion.settings import SoundSettings

LATE = 6.0  # seconds; a sentence that waited longer is dropped
LONGEST = 20.0  # seconds; a program that takes longer hangs

log = logging.getLogger(__name__)

Command = tuple[str, ...]


def commands(sound: SoundSettings) -> list[list[Command]]:
    """Return the programs that may speak, the first choice first; each a pipeline that passes its
    sound on.

    The first of a pipeline reads the text from its input: a name that begins with a dash is no option there.
    """
    play: Command = ("aplay", "-q", "-")  # says it where there is no sound card; espeak-ng by itself does not
    piper: list[Command] = [("piper", "--model", sound.model or "", "--output_file", "-"), play]
    espeak: list[Command] = [("espeak-ng", "-v", sound.language, "--stdin", "--stdout"), play]
    with_model = [piper] if sound.model else []
    return {"off": [], "piper": [piper], "espeak-ng": [espeak], "auto": [*with_model, espeak]}[sound.voice]


class Voice:
    """Says sentences aloud, if this machine has a program for that; `longest`: seconds that one may take."""

    def __init__(
        self,
        sound: SoundSettings,
        clock: Callable[[], float] = time.monotonic,
        longest: float = LONGEST,
    ) -> None:
        self._sound, self._clock, self.longest = sound, clock, longest
        self._turn = threading.Condition()
        self._waiting: tuple[str, float] | None = None
        self._running: list[subprocess.Popen[bytes]] = []
        self._stopped = self._failed = False
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Search for a program; without one nothing is said, and the log gives advice."""
        wanted = commands(self._sound)
        row = next((row for row in wanted if all(shutil.which(command[0]) for command in row)), None)
        if row is None:
            missing = sorted(
                {command[0] for row in wanted for command in row if not shutil.which(command[0])}
            )
            if missing:
                log.warning(
                    'no voice: %s not found; install it, or write voice = "off" under [sound]',
                    ", ".join(missing),
                )
            return
        self._thread = threading.Thread(target=self._attend, args=(row,), name="voice", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop speaking, at once."""
        with self._turn:
            self._stopped = True
            self._kill()
            self._turn.notify()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def say(self, text: str) -> None:
        """Say the text now or after the present one, unless a newer one comes; return at once."""
        with self._turn:
            self._waiting = text, self._clock()
            self._turn.notify()

    def _attend(self, row: Sequence[Command]) -> None:
        while True:
            with self._turn:
                self._turn.wait_for(lambda: self._stopped or self._waiting is not None)
                if self._stopped or self._waiting is None:
                    return
                (text, since), self._waiting = self._waiting, None
            if self._clock() - since < LATE:
                self._speak(row, text)

    def _speak(self, row: Sequence[Command], text: str) -> None:
        try:
            problem = self._run_programs(row, text)
        except OSError as error:
            problem = error.strerror or str(error)
        except subprocess.TimeoutExpired:
            problem = f"it took more than {self.longest:.0f} seconds"
        with self._turn:
            self._kill()
            ended, self._running = self._running, []
            logged = self._stopped or self._failed
            self._failed = self._failed or bool(problem)
        for program in ended:
            program.wait()
            for pipe in (program.stdin, program.stdout):
                if pipe is not None:
                    pipe.close()
        if problem and not logged:
            log.warning("the voice failed: %s", problem)

    def _run_programs(self, row: Sequence[Command], text: str) -> str:
        """Say it to the end; return the error message, "" without an error."""
        programs: list[subprocess.Popen[bytes]] = []
        for number, command in enumerate(row, 1):
            program = subprocess.Popen(
                command,
                stdin=programs[-1].stdout if programs else subprocess.PIPE,
                stdout=subprocess.PIPE if number < len(row) else subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # its child processes end with it
            )
            if programs and (pipe := programs[-1].stdout) is not None:
                pipe.close()  # the next one has it: if that ends, this one must notice
            programs.append(program)
            with self._turn:
                self._running.append(program)
                if self._stopped:
                    return ""
        if (to_say := programs[0].stdin) is not None:
            with to_say:
                to_say.write(text.encode() + b"\n")
        until = time.monotonic() + self.longest
        ends = [program.wait(max(0.0, until - time.monotonic())) for program in programs]
        failed = [(command[0], end) for command, end in zip(row, ends, strict=True) if end]
        return "{} ended with {}".format(*failed[-1]) if failed else ""

    def _kill(self) -> None:
        for program in self._running:
            if program.poll() is None:
                with suppress(ProcessLookupError):  # ended by itself since, and another thread waited for it
                    os.killpg(program.pid, signal.SIGKILL)
