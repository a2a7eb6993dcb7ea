"""`make audit`: check the versions in requirements.lock for known vulnerabilities with pip-audit.

Where that is impossible, such as on a machine without the internet, it prints NOT AUDITED and why, and
succeeds. pip-audit itself would succeed too, but report no known vulnerability where it has asked no server.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

LOCK: Final = Path(__file__).parents[1] / "requirements.lock"
PROGRAM: Final = Path(sys.executable).with_name(
    "pip-audit"
)  # next to this Python, where make has installed it
PATIENCE_S: Final = 600  # it asks for each package, and a network that swallows everything never says no


def main(arguments: Sequence[str]) -> int:
    """Return the exit status: 1 if there is a known vulnerability. The first argument: another pip-audit."""
    try:
        found = report(arguments[0] if arguments else str(PROGRAM))
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        print(f"NOT AUDITED: {error}")
        return 0
    wrong = [line for package in found for line in lines_of(package)]
    print(*wrong, sep="\n", end="\n" if wrong else "")
    skipped = [package["skip_reason"] for package in found if "skip_reason" in package]
    if skipped:
        print(f"NOT AUDITED: {len(skipped)} of {len(found)} packages, the first: {skipped[0]}")
    else:
        print(f"{len(found)} packages audited, {len(wrong)} known vulnerabilities")
    return 1 if wrong else 0


def report(program: str) -> list[dict[str, Any]]:
    """Return pip-audit's report on each package. OSError if there is none, ValueError for no answer."""
    command = [program, "--requirement", str(LOCK), "--no-deps", "--disable-pip", "--format", "json"]
    answer = subprocess.run(
        [*command, "--progress-spinner", "off"], capture_output=True, text=True, timeout=PATIENCE_S
    )
    try:
        found: list[dict[str, Any]] = json.loads(answer.stdout)["dependencies"]
    except (ValueError, KeyError, TypeError):
        said = answer.stderr.strip().splitlines() or ["pip-audit said nothing"]
        raise ValueError(said[-1]) from None
    if not found:
        raise ValueError("pip-audit looked at no package")
    return found


def lines_of(package: Mapping[str, Any]) -> Iterable[str]:
    """Yield a line for each vulnerability of a package."""
    for known in package.get("vulns", []):
        mended = ", ".join(known.get("fix_versions", [])) or "nowhere yet"
        yield f"VULNERABLE: {package['name']} {package['version']}: {known['id']}, mended in {mended}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
