"""`companion replay --json` gives exactly the answers of the cases."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli import main

CASES = sorted((Path(__file__).parents[1] / "cases").glob("*/*.jsonl"))


def test_the_cases_are_there() -> None:
    """Every case has its answer, and none is lost by a wrong path."""
    assert len(CASES) > 40
    assert all(case.with_suffix(".json").exists() for case in CASES)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.parent.name}/{case.stem}")
def test_replay_answers_as_the_case_says(case: Path) -> None:
    """Same keys, types and order of lists; status and message as record.md has them."""
    expected = json.loads(case.with_suffix(".json").read_text(encoding="utf-8"))
    ran = CliRunner().invoke(main, ["replay", str(case), "--json"])
    answer = json.loads(ran.stdout)
    if expected["error"] is not None:
        reason = answer["error"].pop("reason")
        del expected["error"]["reason"]
        assert reason.strip()
        assert ran.stderr == f"{case}:{expected['error']['line']}: {reason}\n"
    assert json.dumps(answer, sort_keys=True) == json.dumps(expected, sort_keys=True)
    assert ran.exit_code == (0 if expected["error"] is None else 1)
