"""What `make check-install` says where it cannot check, and the page that it writes of what it found."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.appliance import summary

ROOT = Path(__file__).parents[2]
NOWHERE = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST")} | {
    "PATH": "/nowhere"
}
CHECKS = (sys.executable, "-m", "pytest", "-p", "tests.appliance.summary", "-o", "python_files=check_*.py")


def test_where_no_debian_can_be_booted_it_fails_and_says_why() -> None:
    """Nothing is passed over in silence: not as an ordinary user, and not without what makes and boots one."""
    ran = subprocess.run([*CHECKS, "tests/appliance"], cwd=ROOT, env=NOWHERE, capture_output=True, text=True)
    assert ran.returncode not in (0, 5)
    assert re.search(
        r"nothing was checked: .*(sudo make check-install|apt-get install debootstrap)", ran.stderr
    )
    assert "Traceback" not in ran.stdout + ran.stderr


def test_who_wants_none_of_it_says_so() -> None:
    """CHECK_INSTALL=skip passes, and says that nothing was checked; it is nothing that a machine decides by itself."""
    makefile = (ROOT / "Makefile").read_text("utf-8")
    [skipped, checked] = re.findall(
        r"^ifeq \(\$\(CHECK_INSTALL\),skip\)\n(.*)\nelse\n(.*)\nendif", makefile, re.MULTILINE
    )[0]
    assert "NOT CHECKED" in skipped
    assert "tests/appliance" in checked


def test_each_check_is_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each line has the result on each system; a file that no longer exists is left out."""
    monkeypatch.setattr(summary, "FOUND", tmp_path)
    law = {"law": "It `runs | there`.", "seconds": 2.4}
    when = {"date": "2026-01-02", "machine": "a PC", "commit": "abc"}
    for file in ("check_install.py", "check_gone.py"):
        for on, outcome in (("one", "passed"), ("two", "failed")):
            found = {"file": file, "on": on, **when, "checks": [{**law, "outcome": outcome}]}
            (tmp_path / f"{file}.{on}.json").write_text(json.dumps(found))
    told = summary.page()
    assert "| It runs / there | passed, 2 s | failed, 2 s |" in told
    assert "- two: 0 of 1 passed, in 0 minutes; 2026-01-02, abc, on a PC" in told
    assert "check_gone" not in told


CHECK = '''"""What it is about."""
import pytest

@pytest.mark.parametrize("on", ["one", "two"])
def test_it(on):
    """The law."""
    assert on == "one"

@pytest.mark.parametrize("on", ["one", "two"])
def test_other(on):
    """The other law."""
'''


ALL = [("The law.", "one", "passed"), ("The other law.", "one", "passed"), ("The law.", "two", "failed"), ("The other law.", "two", "passed")]  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize(("more", "noted"), [((), ALL), (("-k", "two"), ALL[2:]), (("-k", "other"), [])])
def test_only_what_ran_whole_is_noted(
    more: tuple[str, ...], noted: list[tuple[str, str, str]], tmp_path: Path
) -> None:
    """A part of a file's checks on a system says nothing about it.

    Only here: a page of `make check-install` that notes a run that was not whole.
    """
    (tmp_path / "check_it.py").write_text(CHECK)
    plugin = "import sys; from pathlib import Path; from tests.appliance import debian; debian.why_not = lambda: None; from tests.appliance import summary; summary.FOUND = Path(sys.argv.pop(1)); import pytest; sys.exit(pytest.main(sys.argv[1:], plugins=[summary]))"
    command = [sys.executable, "-c", plugin, str(tmp_path / "found"), "-c", str(ROOT / "pyproject.toml")]
    given = ["-p", "no:cacheprovider", "-o", "python_files=check_*.py", f"--summary={tmp_path / 'page.md'}"]
    subprocess.run(
        [*command, *given, *more, str(tmp_path / "check_it.py")], cwd=ROOT, capture_output=True, check=False
    )
    kept = [json.loads(at.read_text()) for at in sorted((tmp_path / "found").iterdir())]
    outcomes = [(check["law"], one["on"], check["outcome"]) for one in kept for check in one["checks"]]
    assert outcomes == noted
