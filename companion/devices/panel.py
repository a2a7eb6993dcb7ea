"""The panel: three buttons, a lamp and a buzzer on the Pi's pins, through gpiozero."""

from __future__ import annotations

import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, Final, Literal, NamedTuple, get_args

from companion.devices import gpio_library, lgpio_in_peace
from companion.devices.readings import PartIs, Pressed, Tell
from companion.devices.tunes import TUNES, Note, Tune
from companion.message import N_, Sentence
from companion.pins import PI_PINS

Button = Literal["confirm", "undo", "next"]
BUTTONS: Final[tuple[Button, ...]] = get_args(Button)
Colour = Literal["off", "green", "yellow", "red", "blue"]

SETTLE_S = 0.02  # a button counts when its level was constant for so long
LATE_S = 1.0  # the longest that an edge comes late on a busy machine; after that it was lost

LIGHTS: Final[dict[str, tuple[int, int, int]]] = {  # red, green, blue
    "off": (0, 0, 0),
    "green": (0, 1, 0),
    "yellow": (1, 1, 0),
    "red": (1, 0, 0),
    "blue": (0, 0, 1),
}


class Edge(NamedTuple):
    """A contact opened or closed: which, the time in seconds, and whether it is down since."""

    button: Button
    at: float
    down: bool


class Settling:
    """Debouncing: a level counts when it was constant for SETTLE_S, by the times of its edges alone.

    So a press counts even if it is polled late, when the button is up again. An edge itself may come late: a
    level that the button does not have any more is not counted.

    >>> settling = Settling()
    >>> settling.edge(Edge("undo", 1.0, True)), settling.settled(1.01)
    ([], [])
    >>> settling.edge(Edge("undo", 1.1, False)), settling.settled(2.0)
    (['undo'], [])
    """

    def __init__(self) -> None:
        self.moving: dict[Button, Edge] = {}
        self.down: set[Button] = set()
        self._polled = 0.0

    def edge(self, edge: Edge) -> list[Button]:
        """Process an edge; return the button if the level before it was a press."""
        before = self.moving.get(edge.button)
        pressed = self._accepted(before) if before and edge.at - before.at >= SETTLE_S else []
        self.moving[edge.button] = edge
        return pressed

    def due(self) -> float | None:
        """Return the next time to poll `settled`."""
        first = min((edge.at for edge in self.moving.values()), default=None)
        return None if first is None else max(first, self._polled) + SETTLE_S

    def settled(self, now: float, is_down: Callable[[Button], bool] | None = None) -> list[Button]:
        """Return the buttons that are down by now and were not before.

        `is_down` reads a button: where it differs from the last edge, the next edge is on its way.
        """
        self._polled = now
        pressed: list[Button] = []
        for edge in [edge for edge in self.moving.values() if now - edge.at >= SETTLE_S]:
            if is_down is None or is_down(edge.button) == edge.down:
                del self.moving[edge.button]
                pressed += self._accepted(edge)
            elif now - edge.at >= LATE_S:
                self.moving[edge.button] = edge._replace(at=now, down=not edge.down)
        return pressed

    def _accepted(self, edge: Edge) -> list[Button]:
        """Accept the level after this edge; return the button, if it is a press."""
        if not edge.down:
            self.down.discard(edge.button)
        elif edge.button not in self.down:
            self.down.add(edge.button)
            return [edge.button]
        return []


class ButtonPanel:
    """Buttons, lamp and buzzer on the pins of companion.toml; no `pin_factory`: the Pi's own, by lgpio."""

    def __init__(self, pins: Mapping[str, int] = PI_PINS, pin_factory: Any = None) -> None:
        self.pins, self.pin_factory = pins, pin_factory
        self._own_factory: Any = None
        self._orders: queue.SimpleQueue[Edge | tuple[Note, ...] | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._buttons: dict[Button, Any] = {}
        self._changed: dict[
            Button, Callable[[float, int], None]
        ] = {}  # gpiozero has only weak references to them
        self._lamp: Any = None
        self._buzzer: Any = None
        self._colour: Colour = "off"
        self._holding = threading.Lock()  # the table lights the lamp while another thread may stop the panel

    def start(self, tell: Tell) -> None:
        """Listen to the buttons and report when one is pressed; never raise."""
        self._tell = tell
        try:
            self._take_pins()
        except Exception as problem:  # after any error of a GPIO library there are the buttons on the screen
            self._let_go()
            tell(PartIs("panel", "tap", why_not(problem)))
            return
        self.lamp(self._colour)
        self._thread = threading.Thread(target=self._attend, name="panel", daemon=True)
        self._thread.start()
        tell(PartIs("panel", "ok"))

    def stop(self) -> None:
        """Switch lamp and buzzer off and release the pins."""
        if self._thread is not None:
            self._orders.put(None)
            self._thread.join()
            self._thread = None
        self._let_go()

    def lamp(self, colour: Colour) -> None:
        """Light the lamp; a colour set before the start shows from the start on."""
        with self._holding:
            self._colour = colour
            if self._lamp is not None:
                self._lamp.value = LIGHTS[colour]

    def beep(self, tune: Tune) -> None:
        """Play a tune and return at once; a newer tune ends an older one."""
        if self._thread is not None:
            self._orders.put(TUNES[tune])

    def _take_pins(self) -> None:
        lgpio_in_peace()
        import gpiozero

        factory = self.pin_factory
        if factory is None:
            from gpiozero.pins.lgpio import LGPIOFactory  # by name: never silently another library

            factory = self._own_factory = LGPIOFactory()
        for name in BUTTONS:
            # no gpiozero.Button: it has a thread each that polls ten times a second
            button = gpiozero.DigitalInputDevice(self.pins[name], pull_up=True, pin_factory=factory)
            self._buttons[name] = button
            button.pin.when_changed = self._changed[name] = self._edge_of(name)
        self._lamp = gpiozero.RGBLED(
            *(self.pins[f"lamp_{colour}"] for colour in ("red", "green", "blue")),
            pwm=False,
            pin_factory=factory,
        )
        self._buzzer = gpiozero.TonalBuzzer(
            self.pins["buzzer"], mid_tone=gpiozero.tones.Tone("A5"), pin_factory=factory
        )

    def _edge_of(self, name: Button) -> Callable[[float, int], None]:
        """Return what is called with each new level of a button, and the kernel's time of it."""

        def changed(at: float, level: int) -> None:
            now = time.monotonic()
            self._orders.put(Edge(name, at if 0 <= now - at < LATE_S else now, not level))

        return changed

    def _is_down(self, name: Button) -> bool:
        return bool(self._buttons[name].is_active)

    def _let_go(self) -> None:
        with self._holding:
            for part in (*self._buttons.values(), self._lamp, self._buzzer):
                if part is not None:
                    part.close()
            self._buttons, self._lamp, self._buzzer = {}, None, None
            if self._own_factory is not None:
                self._own_factory.close()  # a part that is closed leaves its pin claimed
                self._own_factory = None

    def _attend(self) -> None:
        """Debounce edges and play tunes until the panel is stopped; sleep while nothing happens."""
        settling = Settling()
        tune: deque[Note] = deque()
        next_note: float | None = None
        while True:
            dues = [due for due in (settling.due(), next_note) if due is not None]
            pressed: list[Button] = []
            try:
                order = self._orders.get(timeout=max(0.0, min(dues) - time.monotonic()) if dues else None)
            except queue.Empty:
                pass
            else:
                if order is None:
                    return
                if isinstance(order, Edge):
                    pressed = settling.edge(order)
                else:
                    tune, next_note = deque(order), time.monotonic()
            if self._orders.empty():  # an edge that waits may say that this level did not last
                pressed += settling.settled(time.monotonic(), self._is_down)
            for button in pressed:
                self._tell(Pressed(button))
            if next_note is not None and time.monotonic() >= next_note:
                next_note = self._play(tune)

    def _play(self, tune: deque[Note]) -> float | None:
        """Begin the next note; return the time of its end, or None after the last one."""
        if not tune:
            self._buzzer.stop()
            return None
        tone, seconds = tune.popleft()
        if tone is None:
            self._buzzer.stop()
        else:
            self._buzzer.play(tone)
        return time.monotonic() + seconds


NO_PI = Sentence(N_("this is no Raspberry Pi, which a panel needs: use the buttons on the screen"))
BUSY = Sentence(N_("another program uses the panel's pins: end it, or use the buttons on the screen"))


def why_not(problem: Exception) -> Sentence:
    """Return why the panel cannot be used, and advice, for a person."""
    if isinstance(problem, ImportError):
        if not gpio_library.is_pi():
            return NO_PI
        library = problem.name or str(problem)
        return Sentence(
            N_("the panel needs the library {library}: run make setup, or use the buttons on the screen"),
            {"library": library},
        )
    if gpio_library.is_busy(problem):
        return BUSY
    return Sentence(
        N_("the panel's pins cannot be used ({problem}): use the buttons on the screen, and see wiring.md"),
        {"problem": str(problem)},
    )
