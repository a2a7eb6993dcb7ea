"""No test depends on the machine's speed: each wait for an event that must come has enough time."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import pytest

TESTS: Final = Path(__file__).parents[1]
LEAST_S: Final = 30.0

TIMEOUT_AT: Final = {"wait": 0, "join": 0, "result": 0, "settimeout": 0, "wait_for": 1, "until": 1}
"""Methods that wait, and the place of the timeout among their arguments."""

VIRTUAL: Final = {"emulation", "evening", "vm", "line", "desk", "match", "table", "begun", "trusting", "self"}
"""Names of objects with a virtual clock, which their `wait` and `until` turn."""

ALLOWED: Final = {
    "devices/test_flash.py: Serial(timeout=0.2)": "one read in a loop of PATIENCE_S",
    "devices/test_flash_emulated.py: Serial(timeout=1)": "one read in a loop of PATIENCE_S",
    "devices/test_flash_emulated.py: Serial(timeout=5)": "one read in a loop of PATIENCE_S",
    "devices/test_fuzz.py: over.wait(0.01)": "a serial port without news: returns no bytes, and is read again",
    "devices/test_fuzz.py: over.wait(0.1)": "one poll of a loop without end",
    "machine/home.py: over.wait(1)": "one poll of a loop without end",
    "machine/home_inside.py: create_connection(timeout=PHONE_S)": "without Wi-Fi, people decide on the table's screen",
    "machine/night_inside.py: was_read.wait(READ_S)": "people lift the card and lay it again",
    "support/broker.py: _over.wait(0.1)": "a pause between two attempts to connect",
    "support/hub/hub_site.py: thread.join(0.01)": "one poll of a loop without end",
    "support/together/people.py: time.monotonic() + FOLLOWED_S": "people look again, and go on",
    "support/together/people.py: time.monotonic() + LAID_S": "people lift the card and lay it again",
}
"""Short timeouts that cannot fail a test, each with the reason."""


def timeouts(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """Yield each timeout of a node in words, and its expression."""
    if isinstance(node, ast.Call):
        whom, _, name = ast.unparse(node.func).rpartition(".")
        owner = whom.rpartition(".")[2]
        for keyword in node.keywords:
            if keyword.arg in ("timeout", "timeout_s") and name != "WDT":  # a Pico's watchdog
                yield f"{name}(timeout={ast.unparse(keyword.value)})", keyword.value
        at = TIMEOUT_AT.get(name)
        if owner and owner not in VIRTUAL and at is not None and len(node.args) > at:
            yield f"{owner}.{name}({ast.unparse(node.args[at])})", node.args[at]
    if (
        isinstance(node, ast.BinOp)
        and isinstance(node.op, ast.Add)
        and ast.unparse(node.left) == "time.monotonic()"
    ):
        yield ast.unparse(node), node.right


def number(node: ast.expr | None, names: Mapping[str, float]) -> float | None:
    """Return the value of a literal, or of a name for one; None for other expressions."""
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return float(ast.literal_eval(node))
    return names.get(node.id) if isinstance(node, ast.Name) else None


def short_timeouts(source: str) -> list[str]:
    """Return the timeouts below LEAST_S in the source of a module."""
    module = ast.parse(source)
    names = {
        ast.unparse(target): value
        for node in module.body
        if isinstance(node, ast.Assign | ast.AnnAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if (value := number(node.value, {})) is not None
    }
    found = [timeout for node in ast.walk(module) for timeout in timeouts(node)]
    return [words for words, node in found if (value := number(node, names)) is not None and value < LEAST_S]


def test_every_timeout_is_long_enough() -> None:
    found = {
        f"{path.relative_to(TESTS)}: {words}"
        for path in TESTS.rglob("*.py")
        for words in short_timeouts(path.read_text("utf-8"))
    }
    assert sorted(found - ALLOWED.keys()) == [], (
        f"wait PATIENCE_S of tests.support.client, not below {LEAST_S} s"
    )
    assert sorted(ALLOWED.keys() - found) == [], "ALLOWED names places that are gone"


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("event.wait(5)", ["event.wait(5)"]),
        ("SOON = 2.5\nthread.join(SOON)", ["thread.join(SOON)"]),
        ("SOON: Final = 2.5\nheard.get(timeout=SOON)", ["get(timeout=SOON)"]),
        ("client.until(lambda t: t, 2)", ["client.until(2)"]),
        ("end = time.monotonic() + 10", ["time.monotonic() + 10"]),
        ("event.wait(PATIENCE_S); event.wait(60); event.wait(); ', '.join(words)", []),
        ("evening.wait(5); told.until(4); counts.get(name, 0)", []),
    ],
)
def test_short_timeouts_are_found(source: str, found: list[str]) -> None:
    assert short_timeouts(source) == found
