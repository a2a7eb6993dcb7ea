"""The Pico under the track: it polls the readers and reports to the Pi which tag is on which space.

May use MicroPython's modules and no other room. It knows no game and no rules.
"""

import binascii
import gc
import os
import sys

import clock
import link
import machine
import pins
import usb
from board import Board, has_fast
from rc522 import GAINS, MOST_POWER
from scanner import WARM, Scanner
from spaces import Spaces
from switches import Switches

FIRMWARE = "1.1.0"
HEARTBEAT_MS = 500
QUIET_MS = 20000  # without a change, then a heartbeat every second is enough: no game is on
QUIET_HEARTBEAT_MS = 1000
COLLECT = 4  # heartbeats between two collections of garbage, of 11 ms each (measured on an emulated Pico)
REST_MS = 50  # between polls of a track that has no power or no reader
SELDOM = 4  # polls of a reader between two of the supply and of the Pi; a change is sent at once
PATIENCE_MS = 5000  # of the watchdog: the longest thing done in one go takes a tenth
MOST_POLLS = 1000
KINDS = ("tag", "present", "none")

WATCHDOG_BASE, WATCHDOG_BASE_2 = 0x40058000, 0x400D8000  # of the RP2040, and of the RP2350 in a Pico 2
SCRATCH4 = 0x1C
RAN_OUT = 0x6AB73121  # the SDK's watchdog_enable leaves this there; machine.reset() leaves 0

feeder = None  # the timer that feeds the watchdog after Ctrl+C: one without a reference is garbage, and stops


def started_by() -> str:
    """Return the cause of the Pico's start: "power", "watchdog" or "soft". Called before a watchdog runs
    again.

    machine.reset() works by the watchdog too: only the SDK's mark shows whether its time ran out.
    """
    cause = machine.reset_cause()
    if cause == machine.PWRON_RESET:
        return "power"
    if cause != machine.WDT_RESET:
        return "soft"
    base = WATCHDOG_BASE_2 if "RP2350" in board_name() else WATCHDOG_BASE
    return "watchdog" if machine.mem32[base + SCRATCH4] == RAN_OUT else "soft"


def board_name() -> str:
    """Return the kind of Pico, in MicroPython's words."""
    return getattr(sys.implementation, "_machine", "not a Pico")


class Sensing:
    """The sensors: the spaces with their kinds, the readers and the switches under them."""

    def __init__(self, board: Board, kinds, powers=(), warm: int = WARM, gains=()) -> None:
        self.board = board
        self.kinds = kinds
        self.powers = powers
        self.gains = gains
        self.spaces = Spaces(len(kinds))
        tagged = [i for i, kind in enumerate(kinds) if kind == "tag"]
        present = [i for i, kind in enumerate(kinds) if kind == "present"]
        self.scanner = Scanner(board, self.spaces, tagged, powers, warm, gains) if tagged else None
        self.switches = Switches(self.spaces, present) if present else None
        self.power = "off" if tagged else "on"  # switches run on the Pico's own
        self.most_ma = 250 + 24 * len(tagged)  # a quarter above what two fields and idle readers may draw
        self._much = 0

    def faulty(self):
        """Return the faults by space, in the format of `hi`."""
        faults = {}
        for part in (self.scanner, self.switches):
            if part is not None:
                faults.update(part.faults)
        return [[i, faults[i]] for i in sorted(faults)]

    def check_power(self) -> bool:
        """Return whether readers may be on. Too much current at two polls in a row pulls their reset for
        good.
        """
        if self.scanner is None:
            return True
        if not self.board.powered():
            self._dark("off")
            return False
        if self.power == "over":
            return False
        self._much = self._much + 1 if self.board.milliamperes() > self.most_ma else 0
        if self._much > 1:
            self._dark("over")
        return self.power != "over"

    def _dark(self, power: str) -> None:
        self.board.off()
        self.scanner.forget()
        self._much = 0
        self.power = power

    def reset(self) -> None:
        """Reset and test everything, also after too much current."""
        if self.scanner is not None:
            self._dark("off")

    def poll(self):
        """Poll everything once; yield wherever there is time to talk."""
        if self.switches is not None:
            self.switches.poll()
            yield
        if self.scanner is not None and self.check_power():
            if self.power != "on":
                self.board.start()
                self.scanner.start()
                self.power = "on"
            polls = 0
            for _ in self.scanner.sweep():
                polls += 1
                if polls % SELDOM and not self.spaces.changed:
                    continue
                yield
                if self.power != "on" or not self.check_power():  # reset meanwhile, or gone dark
                    return

    def idle(self) -> bool:
        """Return whether nothing could be polled, so that a rest is due."""
        if self.switches is not None:
            return False
        return self.scanner is None or self.power != "on" or len(self.scanner.faults) == len(self.kinds)


class Talk:
    """The Pico's end of the wire: every line numbered, every change reported."""

    def __init__(self, board: Board, dog, cause: str = "power") -> None:
        self.board = board
        self.dog = dog
        self.cause = cause
        self.boot = binascii.hexlify(os.urandom(4)).decode()
        self.number = 0
        self.lines = link.Lines()
        self.beat_at = self.changed_at = clock.ticks_ms()
        self.beats = 0
        self.quiet = False
        self.faulty = []
        self.pending_test = None  # a test that was asked for
        self.sensing = Sensing(board, ["tag"] * pins.READERS)
        self.power = self.sensing.power

    def say(self, kind: str, message: dict[str, object]) -> None:
        """Send one line, but none to a host that does not read: it notices the missed ones by the number."""
        message["n"] = self.number
        message["is"] = kind
        self.number += 1
        if usb.has_room():
            usb.write(link.encode(message))

    def send_hello(self) -> None:
        """Send the Pico's identity, the kind of sensor of each space and the faults."""
        sensing, scanner = self.sensing, self.sensing.scanner
        self.faulty = sensing.faulty()
        self.say(
            "hi",
            {
                "protocol": link.PROTOCOL,
                "firmware": FIRMWARE,
                "boot": self.boot,
                "board": board_name(),
                "cause": self.cause,
                "spaces": sensing.kinds,
                "faulty": self.faulty,
                "versions": scanner.versions if scanner else [],
                "steps": scanner.steps if scanner else [],
                "powers": scanner.powers() if scanner else [],
                "gains": scanner.gains() if scanner else [],
                "warm": scanner.warm if scanner else WARM,
            },
        )

    def send_snapshot(self) -> None:
        """Send the whole state."""
        self.sensing.spaces.changed.clear()
        self.say("snap", {"spaces": self.sensing.spaces.now})

    def changes(self) -> None:
        """Send the changes since the last report."""
        spaces = self.sensing.spaces
        if spaces.changed:
            self.changed_at = clock.ticks_ms()
            self.quiet = False
            changes = [[space, spaces.now[space]] for space in sorted(spaces.changed)]
            spaces.changed.clear()
            self.say("ev", {"changes": changes})

    def send_heartbeat(self) -> None:
        """Send a heartbeat every half second, and when the power comes or goes: it has a checksum of the
        reported state.
        """
        sensing, scanner = self.sensing, self.sensing.scanner
        every = QUIET_HEARTBEAT_MS if self.quiet else HEARTBEAT_MS
        late = clock.ticks_diff(clock.ticks_ms(), self.beat_at) >= every
        if sensing.power == self.power and not late:
            return
        self.power = sensing.power
        self.beat_at = clock.ticks_ms()
        # ticks wrap around after days: once it is quiet it stays so until something changes
        self.quiet = self.quiet or clock.ticks_diff(self.beat_at, self.changed_at) >= QUIET_MS
        if sensing.faulty() != self.faulty:
            self.send_hello()
        spaces = sensing.spaces
        if spaces.state is None:
            spaces.state = link.state_crc(spaces.now)
        self.say(
            "hb",
            {
                "sweep": scanner.sweep_ms if scanner else 0,
                "state": spaces.state,
                "power": self.power,
                "misses": scanner.detections.missed if scanner else [],
                "celsius": round(self.board.celsius(), 1),
                "volts": round(self.board.millivolts() / 1000, 2),
                "ma": self.board.milliamperes(4),
                "shared": scanner.detections.shared if scanner else [],
            },
        )
        if scanner is not None:
            for i in range(len(scanner.detections.missed)):
                scanner.detections.missed[i] = 0
        self.beats = (self.beats + 1) % COLLECT
        if not self.beats:
            gc.collect()  # here, at a time of our choosing: garbage of sweeps never piles up

    def handle_commands(self) -> None:
        """Carry out the Pi's commands; answer one that cannot be carried out with the reason."""
        received = usb.read()
        if not received:
            return
        for message in self.lines.feed(received):
            do = message.get("do")
            why = None
            if do == "tell":
                why = self.tell(message)
            elif do == "test":
                why = self.test(message)
            elif do == "reset":
                self.sensing.reset()
                self.send_hello()
                self.send_snapshot()
            else:
                why = "not known"
            if why is not None:
                self.say("no", {"why": why})

    def tell(self, message):
        """Sense the kinds that the Pi wants and report everything; return the reason if the command makes no
        sense.
        """
        kinds, powers, warm = message.get("spaces"), message.get("powers", []), message.get("warm", WARM)
        if not _all(kinds, _is_kind) or not 0 < len(kinds) <= pins.MOST_READERS:
            return "spaces: 1 to 40 of tag, present, none"
        if not _all(powers, _is_power) or len(powers) not in (0, len(kinds)):
            return "powers: one of 0 to 63 a space"
        gains = message.get("gains", [])
        if not _all(gains, _is_gain) or len(gains) not in (0, len(kinds)):
            return "gains: one of 18, 23, 33, 38, 43, 48 a space"
        if warm not in (1, 2) or warm is True:
            return "warm: 1 or 2"
        sensing = self.sensing
        now = (sensing.kinds, list(sensing.powers), sensing.scanner.warm if sensing.scanner else warm)
        if now != (kinds, powers, warm) or list(sensing.gains) != gains:
            self.board.off()
            self.sensing = Sensing(self.board, kinds, powers, warm, gains)
        self.send_hello()
        self.send_snapshot()
        return None

    def test(self, message):
        """Prepare a range test of one reader; return the reason if the command makes no sense."""
        space, polls, power = message.get("space"), message.get("polls"), message.get("power")
        if not _is_number(space) or not 0 <= space < len(self.sensing.kinds):
            return "space: there is no such space"
        if self.sensing.kinds[space] != "tag" or self.sensing.power != "on":
            return "space: no reader is there, or it has no power"
        if not _is_number(polls) or not 0 < polls <= MOST_POLLS:
            return "polls: 1 to 1000"
        if power is not None and not _is_power(power):
            return "power: 0 to 63"
        gain = message.get("gain")
        if gain is not None and not _is_gain(gain):
            return "gain: one of 18, 23, 33, 38, 43, 48"
        self.pending_test = (space, polls, power, gain)
        return None

    def run_pending_test(self) -> None:
        """Run the requested range test of a reader and send the result."""
        sensing, (space, polls, power, gain) = self.sensing, self.pending_test
        self.pending_test = None
        if sensing.power == "on" and sensing.scanner is not None and space in sensing.scanner.readers:
            for _ in sensing.scanner.examine(space, polls, power, gain):
                self.turn()
                if self.sensing is not sensing or sensing.power != "on" or not sensing.check_power():
                    break
            else:
                return self.say("test", sensing.scanner.found)
        return self.say("no", {"why": "the test was broken off"})

    def turn(self) -> None:
        """Send and receive everything that is due between two polls."""
        self.dog.feed()
        usb.flush()
        self.changes()
        self.handle_commands()
        self.send_heartbeat()


def _all(values, is_right) -> bool:
    return isinstance(values, list) and all(is_right(value) for value in values)


def _is_kind(value) -> bool:
    return isinstance(value, str) and value in KINDS


def _is_number(value) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_power(value) -> bool:
    return _is_number(value) and 0 <= value <= MOST_POWER


def _is_gain(value) -> bool:
    return _is_number(value) and value in GAINS


def watch(talk: Talk) -> None:
    """Poll everything once, and run the requested test; rest if there was nothing to poll."""
    sensing = talk.sensing
    for _ in sensing.poll():
        talk.turn()
        if talk.sensing is not sensing:
            return
    if talk.pending_test is not None:
        talk.run_pending_test()
    talk.turn()
    if sensing.idle():
        clock.sleep_ms(REST_MS)


def main() -> None:
    """Watch the track for ever; after any end of this no field stays on.

    Ctrl+C gives the Pico to a person or to `companion flash`. A watchdog cannot be stopped once it runs, so a
    timer goes on feeding it then; any other end is our mistake, and the watchdog restarts the Pico.
    """
    global feeder
    if has_fast():
        from fast import crc_hqx

        link.crc_hqx = crc_hqx  # link.py imports nothing of ours: the Pi uses it too
    board, cause = Board(), started_by()
    dog = machine.WDT(timeout=PATIENCE_MS)
    try:
        talk = Talk(board, dog, cause)
        talk.send_hello()
        talk.send_snapshot()
        while True:
            watch(talk)
    except KeyboardInterrupt:
        feeder = machine.Timer(period=PATIENCE_MS // 4, callback=lambda _: dog.feed())
    finally:
        board.off()


if __name__ == "__main__":
    main()
