"""The Pico under the track: sweep the readers, tell the Pi what lies where. It knows no game and no rules.

Left for later: a presence-only track, the watchdog, the current monitor, polling at falling power.
"""

import binascii
import os

import clock
import link
import pins
import usb
from board import Board
from scanner import Scanner

FIRMWARE = "0.1.0"
HEARTBEAT_MS = 500
START_UP_MS = 5  # the readers' oscillators, after reset
REST_MS = 50  # between looks at a track that has no power or no reader


class Talk:
    """The Pico's end of the wire: every line numbered, every change told."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.boot = binascii.hexlify(os.urandom(4)).decode()
        self.number = 0
        self.lines = link.Lines()
        self.beat_at = clock.ticks_ms()
        self.faulty = None
        self.power = board.powered()
        self.scanner = Scanner(board, pins.READERS)

    def say(self, kind: str, message: dict[str, object]) -> None:
        """Send one line."""
        self.number += 1
        message["n"] = self.number
        message["is"] = kind
        usb.write(link.encode(message))

    def hi(self) -> None:
        """Who this is and which readers work."""
        self.faulty = sorted(self.scanner.faulty)
        self.say(
            "hi",
            {
                "protocol": link.PROTOCOL,
                "firmware": FIRMWARE,
                "boot": self.boot,
                "spaces": ["tag"] * len(self.scanner.spaces),
                "faulty": self.faulty,
            },
        )

    def snap(self) -> None:
        """The whole picture."""
        self.scanner.changed.clear()
        self.say("snap", {"spaces": self.scanner.spaces})

    def changes(self) -> None:
        """What has changed since it was last told."""
        changes = [[space, self.scanner.spaces[space]] for space in sorted(self.scanner.changed)]
        self.scanner.changed.clear()
        if changes:
            self.say("ev", {"changes": changes})
        if sorted(self.scanner.faulty) != self.faulty:
            self.hi()

    def beat(self) -> None:
        """Every half second, and when the power comes or goes: that the Pico lives, and what it has told."""
        power = self.board.powered()
        if power == self.power and clock.ticks_diff(clock.ticks_ms(), self.beat_at) < HEARTBEAT_MS:
            return
        self.power = power
        self.beat_at = clock.ticks_ms()
        state = link.state_crc(self.scanner.spaces)
        self.say("hb", {"sweep": self.scanner.sweep_ms, "state": state, "power": power})

    def heed(self) -> None:
        """Do what the Pi asks: another number of readers, hi and snap."""
        for message in self.lines.feed(usb.read()):
            if message.get("do") == "tell":
                self.scan(message.get("spaces"))
                self.hi()
                self.snap()

    def scan(self, readers) -> None:
        """Scan that many readers from the next sweep on."""
        known = isinstance(readers, int) and 0 < readers <= pins.MOST_READERS
        if known and readers != len(self.scanner.spaces):
            self.board.off()
            self.scanner = Scanner(self.board, readers)

    def turn(self) -> None:
        """Everything there is to say and hear between two polls."""
        self.changes()
        self.heed()
        self.beat()


def watch(board: Board, talk: Talk) -> None:
    """One sweep; without power or readers a rest instead."""
    if not board.powered():
        board.off()
        talk.scanner.forget()
    else:
        if board.spi is None:
            board.start()
            clock.sleep_ms(START_UP_MS)
            talk.scanner.start()
        scanner = talk.scanner
        for _ in scanner.sweep():
            talk.turn()
            if talk.scanner is not scanner or not board.powered():
                return  # the Pi wants another number of readers, or the track is dark
        if len(scanner.faulty) < len(scanner.spaces):
            return
    talk.turn()
    clock.sleep_ms(REST_MS)


def main() -> None:
    """Watch the track for ever; whatever ends this, no field stays on."""
    board = Board()
    talk = Talk(board)
    talk.hi()
    talk.snap()
    try:
        while True:
            watch(board, talk)
    finally:
        board.off()


if __name__ == "__main__":
    main()
