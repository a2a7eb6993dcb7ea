"""`make audit` says what it knows: vulnerable, sound, or unknown; pip-audit is played by a script."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
SOUND = {"name": "flask", "version": "3.1.3", "vulns": []}
HURT = {
    "name": "urllib3",
    "version": "2.0.0",
    "vulns": [{"id": "PYSEC-2023-192", "fix_versions": ["2.0.6"], "aliases": [], "description": ""}],
}
UNKNOWN = {"name": "rich", "skip_reason": "Dependency not found on PyPI and could not be audited: rich (14)"}


def audited(tmp_path: Path, answer: str, complaint: str = "", status: int = 0) -> tuple[int, str]:
    """Return the audit's exit status and what it prints, where pip-audit answers like this."""
    fake = tmp_path / "pip-audit"
    fake.write_text(
        f"#!{sys.executable}\nimport sys\nassert 'requirements.lock' in ' '.join(sys.argv)\n"
        f"print({answer!r})\nprint({complaint!r}, file=sys.stderr)\nsys.exit({status})\n"
    )
    fake.chmod(0o755)
    return run(fake)


def run(program: Path) -> tuple[int, str]:
    command = [sys.executable, str(ROOT / "tools" / "audit.py"), str(program)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    return ended.returncode, ended.stdout + ended.stderr


def of(*packages: dict[str, Any]) -> str:
    return json.dumps({"dependencies": packages, "fixes": []})


def test_what_is_vulnerable_is_named_and_fails(tmp_path: Path) -> None:
    status, said = audited(tmp_path, of(SOUND, HURT), "Found 1 known vulnerability", status=1)
    assert status == 1
    assert "VULNERABLE: urllib3 2.0.0: PYSEC-2023-192, mended in 2.0.6\n" in said


def test_what_is_sound_passes(tmp_path: Path) -> None:
    assert audited(tmp_path, of(SOUND)) == (0, "1 packages audited, 0 known vulnerabilities\n")


@pytest.mark.parametrize(
    ("answer", "complaint", "status", "reason"),
    [
        (
            of(SOUND, UNKNOWN),
            "No known vulnerabilities found",
            0,
            "1 of 2 packages, the first: Dependency not",
        ),
        ("", "ERROR:pip_audit._cli:connection refused", 1, "ERROR:pip_audit._cli:connection refused"),
        ("Usage: …", "", 2, "pip-audit said nothing"),
        (of(), "No known vulnerabilities found", 0, "pip-audit looked at no package"),
    ],
    ids=["nobody knows a package", "nobody answers", "another program", "no package"],
)
def test_where_nobody_can_tell_it_says_so_and_passes(
    tmp_path: Path, answer: str, complaint: str, status: int, reason: str
) -> None:
    """pip-audit says "no known vulnerabilities" also where it asked no service: that is not passed on."""
    ended, said = audited(tmp_path, answer, complaint, status)
    assert ended == 0
    assert said.startswith(f"NOT AUDITED: {reason}")


def test_one_that_nobody_knows_hides_none_that_is_vulnerable(tmp_path: Path) -> None:
    status, said = audited(tmp_path, of(UNKNOWN, HURT), status=1)
    assert status == 1
    assert "VULNERABLE: urllib3" in said
    assert "NOT AUDITED: 1 of 2" in said


def test_without_pip_audit_it_says_so_and_passes(tmp_path: Path) -> None:
    status, said = run(tmp_path / "pip-audit")
    assert status == 0
    assert said.startswith("NOT AUDITED: ")
    assert "No such file" in said
