"""docs/check-install.md: what `make check-install` has found, a table for each file of checks.

    python -m pytest -p tests.appliance.summary --summary docs/check-install.md ...

What a file found on a system is replaced once all of its checks have run there; the rest stays, each with its own date.
"""

from __future__ import annotations

import ast
import inspect
import json
import os
import platform
import re
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.appliance.debian import KEPT, ROOT, why_not

FOUND = KEPT / "found"  # what each file's checks have found on each system, as JSON
HEAD = """\
# What `make check-install` found

Written by `make check-install SUMMARY=docs/check-install.md`, never by hand. Nobody here has a Raspberry Pi. What stands in
for one: a Debian made by debootstrap for Raspberry Pi OS, without its desktop, its kernel and its settings; a container of
systemd-nspawn for the machine, with a systemd of its own, on the kernel and the processor of a PC; a loopback for its
network. There are no pins, no Pico, no Wi-Fi, no screen and no SD card. The times are this machine's, which had other work to do.
"""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--summary FILE`: where to write the page; nowhere else."""
    parser.addoption("--summary", type=Path, help="write what the checks have found as a page")


def pytest_sessionstart(session: pytest.Session) -> None:
    """Fail, and say why once, where no Debian can be booted."""
    if (why := why_not()) is not None:
        pytest.exit(f"nothing was checked: {why}", returncode=1)


def pytest_configure(config: pytest.Config) -> None:
    """Note what is found, if a page is wanted."""
    if config.getoption("--summary"):
        config.pluginmanager.register(Noted(config.getoption("--summary")))


class Noted:
    """What each check came to, and how long it took with what was made for it."""

    def __init__(self, page: Path) -> None:
        self.page = page
        self.here = here()
        self.checks: dict[str, dict[str, Any]] = {}  # by node
        self.parts: set[tuple[str, str]] = set()  # files and systems of which not all was to run

    def pytest_deselected(self, items: list[pytest.Item]) -> None:
        self.parts |= {(item.path.name, system(item)) for item in items}

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        for item in session.items:
            if any("::" in word for word in session.config.args):
                self.parts.add((item.path.name, system(item)))
            law = inspect.getdoc(item.obj) or item.name  # type: ignore[attr-defined]
            self.checks[item.nodeid] = {
                "file": item.path.name,
                "on": system(item),
                "law": " ".join(law.split()),
                "seconds": 0.0,
                "outcome": "not run",
            }

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        check = self.checks[report.nodeid]
        check["seconds"] += report.duration
        if report.when == "call" or not report.passed:
            check["outcome"] = report.outcome

    def pytest_sessionfinish(self) -> None:
        FOUND.mkdir(parents=True, exist_ok=True)
        for file, on in {(check["file"], check["on"]) for check in self.checks.values()} - self.parts:
            checks = [check for check in self.checks.values() if (check["file"], check["on"]) == (file, on)]
            if all(check["outcome"] != "not run" for check in checks):
                name = re.sub(r"\W+", "-", on) or "all"
                found = {"file": file, "on": on, **self.here, "checks": checks}
                (FOUND / f"{file}.{name}.json").write_text(json.dumps(found, indent=1))
        self.page.write_text(page(), encoding="utf-8")


def system(item: pytest.Item) -> str:
    """Return the Debian that a check is tried on, as its parameters name it; empty where there is but one."""
    return item.nodeid.partition("[")[2].removesuffix("]")


def here() -> dict[str, str]:
    """Return when, on what machine, and of which commit."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    system = platform.freedesktop_os_release()["PRETTY_NAME"]
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.strip()
    papers = (":!docs", ":!*.md")  # this page is one
    same = subprocess.run(["git", "diff", "--quiet", "HEAD", "--", ".", *papers], cwd=ROOT).returncode == 0
    return {
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "machine": f"{platform.machine()}, {os.cpu_count()} processors, {memory:.0f} GB, {system}, "
        f"Linux {platform.release().split('-')[0]}",
        "commit": commit if same else f"{commit} and changes",
    }


def page() -> str:
    """Return the whole page, of what is known by now."""
    read = (json.loads(at.read_text()) for at in FOUND.glob("*.json"))
    found = sorted(read, key=lambda one: str(one["on"]))
    files = sorted({one["file"] for one in found if (ROOT / "tests/appliance" / one["file"]).exists()})
    return "\n".join(
        [HEAD, *(section(file, [one for one in found if one["file"] == file]) for file in files)]
    )


def section(file: str, found: list[dict[str, Any]]) -> str:
    """Return one file's section: its subject, and a line a check with a column for each system."""
    about = ast.get_docstring(ast.parse((ROOT / "tests/appliance" / file).read_text())) or ""
    title, *more = (part for part in about.split("\n\n") if part != "make check-install")
    rows: dict[str, dict[str, str]] = {}
    for one in found:
        for check in one["checks"]:
            said = f"{check['outcome']}, {check['seconds']:.0f} s"
            rows.setdefault(check["law"], {})[one["on"]] = said
    return "\n".join(
        [
            f"## {plain(title)}",
            *(f"{plain(part)}.\n" for part in more),
            f"Of `tests/appliance/{file}`; what was made for several checks is in the time of the first.",
            "",
            *(ran(one) for one in found),
            "",
            f"| | {' | '.join(one['on'] or 'outcome' for one in found)} |",
            f"|---{'|---' * len(found)}|",
            *(
                f"| {plain(law)} | {' | '.join(row.get(one['on'], '') for one in found)} |"
                for law, row in rows.items()
            ),
            "",
        ]
    )


def ran(one: dict[str, Any]) -> str:
    """Return how many of a system's checks passed, when, where and of which commit."""
    passed = sum(check["outcome"] == "passed" for check in one["checks"])
    minutes = sum(check["seconds"] for check in one["checks"]) / 60
    on = f"{one['on']}: " if one["on"] else ""
    return (
        f"- {on}{passed} of {len(one['checks'])} passed, in {minutes:.0f} minutes; "
        f"{one['date']}, {one['commit']}, on {one['machine']}"
    )


def plain(text: str) -> str:
    """Return a docstring in a page: no commands to be tried, no end of a table's cell."""
    return " ".join(text.replace("`", "").replace("|", "/").replace("<", "&lt;").split()).removesuffix(".")
