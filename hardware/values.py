"""Every resistor and capacitor with a value ten times too large and ten times too small: which law finds it,
or why it does no harm. Makes hardware/values.md.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from hardware import tiers
from hardware.bench import HIGH
from hardware.checks import findings
from hardware.circuit import Circuit, Part, valued
from hardware.laws_of_power import leaks
from hardware.laws_of_values import EDGE_NS, edge_times, ways
from hardware.parts import HC, ohms
from hardware.subject import Subject
from hardware.tables import markdown, together

CIRCUITS: Final[Mapping[str, Callable[[], Circuit]]] = {
    "card pad": tiers.pad,
    "panel": tiers.panel,
    "3 readers": lambda: tiers.reader_track(tiers.STRIP),
    "22 readers, monitor": lambda: tiers.reader_track(monitor=True),
    "22 switches": tiers.presence_track,
}
TYPES: Final = ("resistor", "shunt", "capacitor", "electrolytic")
_PREFIXES: Final = {
    "pF": 1e-12,
    "nF": 1e-9,
    "µF": 1e-6,
    "mF": 1e-3,
    "mΩ": 1e-3,
    "Ω": 1.0,
    "kΩ": 1e3,
    "MΩ": 1e6,
}


class Wrong(NamedTuple):
    """A part with a wrong value, and the circuit with it."""

    circuit: Circuit
    part: Part
    factor: float
    value: str


def times(value: str, factor: float) -> str:
    """Return a value times a factor, with a unit that `parts.ohms` reads.

    >>> times("4.7 kΩ", 10), times("100 nF", 0.1)
    ('47 kΩ', '10 nF')
    >>> times("100 kΩ", 10), times("0.05 Ω", 0.1), times("470 µF", 10)
    ('1 MΩ', '0.005 Ω', '4.7 mF')
    """
    number, unit = value.split(" ")
    amount = float(number) * _PREFIXES[unit] * factor
    family = [each for each in _PREFIXES if each[-1] == unit[-1] and each != "mΩ"]
    chosen = next((each for each in reversed(family) if amount >= _PREFIXES[each] * 0.999), family[0])
    return f"{amount / _PREFIXES[chosen]:.4g} {chosen}"


def every_wrong_value(circuit: Circuit) -> Iterator[Wrong]:
    """Yield every resistor and capacitor one decade up and one decade down."""
    for part in circuit.of_type(*TYPES):
        for factor in (10.0, 0.1):
            yield wrong_value(circuit, part, factor)


def wrong_value(circuit: Circuit, part: Part, factor: float) -> Wrong:
    """Return a part of a circuit with its value times a factor."""
    value = times(part.value, factor)
    return Wrong(valued(circuit, part.ref, value), part, factor, value)


def found_by(wrong: Wrong) -> str | None:
    """Return the first law that finds a wrong value; None if none does."""
    return next((law for law, _ in findings(wrong.circuit)), None)


# -- why the others do no harm: each reason with the figures of that very circuit


class Excuse(NamedTuple):
    """A wrong value that no law finds: the use of its part as a regular expression, the factor, and a
    function that says why it does no harm.
    """

    use: str
    factor: float
    why: Callable[[Wrong], str]


def _quieter(wrong: Wrong) -> str:
    before = ohms(times(wrong.value, 0.1))
    return (
        f"the buzzer is quieter: {HIGH / ohms(wrong.value) * 1000:.1f} mA at an edge, not "
        f"{HIGH / before * 1000:.0f}"
    )


def _slow_edge(wrong: Wrong) -> str:
    it = Subject(wrong.circuit)
    mine = [edge_times(it).get(wrong.circuit.at(wrong.part.ref, pin) or "", 0.0) for pin in (1, 2)]
    return f"its slowest edge takes {max(mine):.0f} ns, {EDGE_NS:.0f} are allowed"


def _in_time(wrong: Wrong) -> str:
    left = min(way.most - way.taken for way in ways(Subject(wrong.circuit)))
    return f"the answer is still in time, with {left:.0f} ns left of half a period"


def _pull_down(wrong: Wrong) -> str:
    """Return why a stronger pull-down does no harm: the level of high, and what it costs its output."""
    it = Subject(wrong.circuit)
    net = wrong.circuit.at(wrong.part.ref, 1) or ""
    r = ohms(wrong.value)
    source = it.bench().transfer_ohms(it.working(), net)[net]
    output = source * r / (r - source)
    ma = HIGH / (r + output) * 1000
    return f"high is still {HIGH * r / (r + output):.1f} V; it costs the output {ma:.1f} mA"


def _few_leaks(wrong: Wrong) -> str:
    it, net = Subject(wrong.circuit), wrong.circuit.at(wrong.part.ref, 1) or ""
    low = [(bench, drives) for bench, volts, drives in map(it.played, it.scenes) if volts.get(net) == 0.0]
    most = max(bench.volts(drives, leaks(it, 1))[net] or 0.0 for bench, drives in low)
    return f"there are few inputs: their leaks lift it to {most:.2f} V at most, low ends at {HC.vil}"


def _one_pull_up(wrong: Wrong) -> str:
    r, output = ohms(wrong.value), HC.ohms
    low = HIGH * output / (r + output)
    return f"the last chip still makes it low, {low:.2f} V, with {(HIGH - low) / r * 1000:.1f} mA"


def _one_leak(wrong: Wrong) -> str:
    return f"one input's leak lowers it by {ohms(wrong.value) * 1e-6:.1f} V; nothing waits for its edge"


def _no_monitor(_: Wrong) -> str:
    return "without a monitor it only keeps the input at 0 V, and does that better"


def _better_monitor(wrong: Wrong) -> str:
    return f"the monitor holds the input; it reads {_short(wrong):.1f} % low by it, not 5"


def _short(wrong: Wrong) -> float:
    """Return by how many per cent the monitor reads low."""
    it = Subject(wrong.circuit)
    volts, _ = it.bench().settled(it.working())
    return (1 - (volts["TRACK CURRENT"] or 0.0) / 0.4) * 100


HARMLESS: Final = (
    Excuse(r"^in series with the buzzer$", 10, _quieter),
    Excuse(r"^in series with (A\d|the clock)$", 10, _slow_edge),
    Excuse(r"^(SCK|MOSI|MISO) of (group|reader) \d+$", 10, _in_time),
    Excuse(r"^(A\d|SCK|MOSI) low without the Pico$", 0.1, _pull_down),
    Excuse(r"^(A\d|SCK|MOSI) low without the Pico$", 10, _few_leaks),
    Excuse(r"^MISO \d+ low when silent$", 0.1, _pull_down),
    Excuse(r"^data high when the row is off$", 0.1, _one_pull_up),
    Excuse(r"^data high when the row is off$", 10, _one_leak),
    Excuse(r"^no current without a monitor", 0.1, _no_monitor),
    Excuse(r"^no current without a monitor", 10, _better_monitor),
)


def excuse(wrong: Wrong) -> Excuse | None:
    """Return the reason why a wrong value does no harm; None if there is none."""
    for each in HARMLESS:
        if each.factor == wrong.factor and re.search(each.use, wrong.part.use):
            return each
    return None


# -- the page

PAGE: Final = Path(__file__).resolve().parent / "values.md"
HEAD: Final = """# Wrong values

Each resistor and capacitor of every tier with a value ten times too large and ten times too small, as one takes it
from the wrong bag: which law finds it, or why it does no harm. Made by `python -m hardware.values`; nothing was
measured. The laws are in `hardware/laws_of_*.py`:

- `levels` compares the worst leaks of all inputs, in both directions, with the level that is meant;
- `edges` and `answers_in_time` compare time constants with the edges that chips take and with the clock;
- `damping` has a range for each resistor in series;
- `pulls_in_time` and `dividers` check the resistors that hold a wire or an input of the ADC.

Parts of one value and one use share a line; a test tries each of them.
"""  # noqa: E501


def kind(part: Part) -> tuple[str, str, str]:
    """Return what parts of one line share: type, value, and use without numbers.

    A0 to A2 go to every group, A3 to A5 to the master decoder alone.
    """
    use = re.sub(r"\b(3V3 TRACK \d|U\d+|PAD1|RD\d+|PS\d)\b", "it", part.use)
    use = re.sub(r"\bA[0-2]\b", "A0–A2", re.sub(r"\bA[3-5]\b", "A3–A5", use))
    return part.type.name, part.value, re.sub(r"\b\d+\b", "n", use)


def verdict(wrong: Wrong) -> str:
    """Return what the page says of a wrong value."""
    law = found_by(wrong)
    if law is not None:
        return f"{wrong.value}: `{law}`"
    harmless = excuse(wrong)
    return f"{wrong.value}: harmless, {harmless.why(wrong)}" if harmless else f"{wrong.value}: **not found**"


def lines(circuit: Circuit) -> list[tuple[str, str, str, str]]:
    """Return a line for each kind of part: the parts, their use, and the verdicts of the first of them."""
    kinds: dict[tuple[str, str, str], list[Part]] = {}
    for part in circuit.of_type(*TYPES):
        kinds.setdefault(kind(part), []).append(part)
    found = []
    for (_, value, use), parts in kinds.items():
        refs = together(part.ref for part in parts)
        said = [verdict(wrong_value(circuit, parts[0], factor)) for factor in (10.0, 0.1)]
        found.append((refs, f"{value}, {parts[0].use if len(parts) == 1 else use}", *said))
    return [(a, b, c, d) for a, b, c, d in found]


def page() -> str:
    """Return the page."""
    head = ("parts", "value and use", "ten times too large", "ten times too small")
    tables = [f"## {name.capitalize()}\n\n{markdown(head, lines(make()))}" for name, make in CIRCUITS.items()]
    return "\n\n".join((HEAD.strip(), *tables)) + "\n"


def main() -> int:
    """Write, or with --check compare; return the exit status."""
    made = page()
    if "--check" in sys.argv[1:]:
        if not PAGE.exists() or PAGE.read_text(encoding="utf-8") != made:
            print(f"{PAGE.name} is not what the laws say: run python -m hardware.values", file=sys.stderr)
            return 1
        return 0
    PAGE.write_text(made, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
