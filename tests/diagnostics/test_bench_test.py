"""`companion bench-test`: what was never measured is walked through, judged, and written to a file."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import pytest
from click.testing import CliRunner
from click.testing import Result as Ran

from companion.cli import main
from companion.devices.health import RangeTest
from companion.diagnostics.bench_tests import (
    BENCH_TESTS,
    BenchTest,
    Do,
    Fact,
    Looks,
    Number,
    Step,
    Told,
    Yes,
    named,
)
from companion.diagnostics.bench_walk import Facts, Result, facts_of, report, verdict, walked

EVERY = pytest.mark.parametrize("test", BENCH_TESTS, ids=[test.name for test in BENCH_TESTS])


@dataclass
class Maker:
    """Answers each question from a row; `-` cannot tell."""

    answers: deque[Any]
    did: list[str] = field(default_factory=list)

    def does(self, text: str) -> None:
        self.did.append(text)

    def number(self, text: str, unit: str) -> float | None:
        return cast(float | None, self._next())

    def words(self, text: str) -> str | None:
        return cast(str | None, self._next())

    def yes(self, text: str) -> bool | None:
        return cast(bool | None, self._next())

    def _next(self) -> Any:
        answer = self.answers.popleft()
        return None if answer == "-" else answer


@dataclass
class Parts:
    """Readers that see each of two tags at a share of polls, and the messages they cause."""

    shares: deque[tuple[float, float]]
    told: deque[float | None] = field(default_factory=deque)
    polls: list[int] = field(default_factory=list)

    def look(self, step: Looks, polls: int) -> RangeTest:
        self.polls.append(polls)
        one, other = self.shares[0] if len(self.shares) == 1 else self.shares.popleft()
        return RangeTest(step.at, polls, {"04A1": round(one * polls), "04B2": round(other * polls)})

    def facts(self, seconds: int) -> Facts:
        return dict.fromkeys(facts_of(None, None), self.told.popleft())


def a_test(*steps: Step) -> BenchTest:
    return BenchTest("it", "what", "assumed", "proof", "strip", "needs", steps)


def walk(test: BenchTest, answers: Iterable[Any] = (), share: tuple[float, float] = (1, 1)) -> list[Result]:
    return list(walked(test, Maker(deque(answers)), Parts(deque([share]))))


# --- what is judged ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("step", "answer", "passes"),
    [
        (Number("volts", "V", 3.15, 3.45), 3.3, True),
        (Number("volts", "V", 3.15, 3.45), 3.1, False),
        (Number("volts", "V", 3.15, 3.45), "-", None),
        (Number("milliamperes", "mA", most=0.5), 0.5, True),
        (Yes("is it so?"), True, True),
        (Yes("is it so?"), False, False),
        (Yes("is it so?"), "-", None),
    ],
)
def test_an_answer_within_its_limits_passes(step: Step, answer: Any, passes: bool | None) -> None:
    [result] = walk(a_test(step), [answer])
    assert (result.passes, result.decides) == (passes, True)


@pytest.mark.parametrize(
    "step", [Do("solder"), Told("which Pi?"), Number("how many", ""), Looks("looks", "pad", 5)]
)
def test_what_is_only_told_decides_nothing(step: Step) -> None:
    [result] = walk(a_test(step), [7])
    assert not result.decides


@pytest.mark.parametrize(
    ("step", "share", "passes"),
    [
        (Looks("a piece", "middle", 1000, least=0.999), (0.999, 0), True),
        (Looks("a piece", "middle", 1000, least=0.999), (0.998, 0), False),
        (Looks("no ghost", "left", 1000, most=0.0), (0, 0), True),
        (Looks("no ghost", "left", 1000, most=0.0), (0.002, 0), False),
        (Looks("both", "middle", 1000, least=1.0, tags=2), (1, 1), True),
        (Looks("both", "middle", 1000, least=1.0, tags=2), (1, 0.9), False),
    ],
)
def test_a_share_of_looks_within_its_limits_passes(
    step: Looks, share: tuple[float, float], passes: bool
) -> None:
    """Of several tags the one seen least counts."""
    [result] = walk(a_test(step), share=share)
    assert result.passes is passes


def test_ten_thousand_looks_are_asked_for_in_parts() -> None:
    """A reader can be asked for 500 at once; all are counted together."""
    parts = Parts(deque([(1, 0)]))
    [result] = walked(a_test(Looks("ghosts", "left", 1200)), Maker(deque()), parts)
    assert (parts.polls, result.answer) == ([500, 500, 200], {"04A1": 1200, "04B2": 0})


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        ([True, 3.3], "passes"),
        ([True, 9], "fails"),
        ([True, "-"], "not decided"),
        (["-", 9], "fails"),  # one failure is enough
    ],
)
def test_the_verdict(answers: list[Any], said: str) -> None:
    test = a_test(Yes("is it so?"), Told("by the way"), Number("volts", "V", 3, 4))
    assert verdict(test, walk(test, [answers[0], "words", answers[1]])) == said


def test_a_walk_that_was_stopped_is_not_decided() -> None:
    test = a_test(Yes("is it so?"), Yes("and that?"))
    assert verdict(test, walk(test, [True, True])[:1]) == "not decided"


# --- the tests that there are --------------------------------------------------------------------


def right(step: Step) -> Any:
    """Return an answer that is expected."""
    match step:
        case Number(_, _, least, most) | Fact(_, _, _, least, most):
            return least if least is not None else most if most is not None else 1.0
        case Yes():
            return True
    return "words"


def ideal(test: BenchTest) -> tuple[Maker, Parts]:
    """Return a maker and parts that answer as expected."""
    shares = deque(
        (1.0, 1.0) if step.most > 0 else (0.0, 0.0)
        for step in test.steps
        if isinstance(step, Looks)
        for _ in range(0, step.polls, 500)
    )
    asked = deque(right(step) for step in test.steps if isinstance(step, Number | Yes | Told))
    told = deque(right(step) for step in test.steps if isinstance(step, Fact))
    return Maker(asked), Parts(shares + deque([(0.0, 0.0)]), told)


@EVERY
def test_each_passes_where_all_is_as_taken_for_true_and_a_wrong_step_fails_it(test: BenchTest) -> None:
    maker, parts = ideal(test)
    results = list(walked(test, maker, parts))
    assert verdict(test, results) == "passes"
    deciding = [n for n, result in enumerate(results) if result.decides]
    assert deciding
    for n in deciding:
        wrong = [*results[:n], results[n]._replace(passes=False), *results[n + 1 :]]
        assert verdict(test, wrong) == "fails"


def test_each_has_a_name_of_its_own() -> None:
    assert len({test.name for test in BENCH_TESTS}) == len(BENCH_TESTS)


@EVERY
def test_a_test_that_asks_of_hardware_page_does_not_hold_the_parts(test: BenchTest) -> None:
    """/hardware is a running companion's; readers look only where none runs."""
    told = [step.text for step in test.steps if isinstance(step, Number | Yes)]
    asks_running = any("/hardware" in text or "companion doctor" in text for text in told)
    holds = any(isinstance(step, Looks | Fact) for step in test.steps)
    assert not (asks_running and holds)


def test_a_report_can_be_read_without_the_program() -> None:
    test = a_test(Number("volts", "V", 3, 4), Told("which?"))
    said = report(test, walk(test, [3.3, "that one"]), when="today", mock=False)
    assert json.loads(json.dumps(said))["steps"] == [
        {
            "step": "number",
            "text": "volts",
            "unit": "V",
            "least": 3,
            "most": 4,
            "answer": 3.3,
            "passes": True,
        },
        {"step": "told", "text": "which?", "answer": "that one", "passes": None},
    ]


# --- the command ---------------------------------------------------------------------------------


def command(*more: str, stdin: str = "") -> Ran:
    return CliRunner().invoke(main, ["bench-test", *more], input=stdin, catch_exceptions=False)


def test_without_a_name_all_are_listed() -> None:
    said = command().stdout
    assert all(test.name in said for test in BENCH_TESTS)


def test_a_walk_on_modelled_hardware(tmp_path: Path) -> None:
    """The real drivers look at modelled chips; the file says that it proves nothing."""
    to = tmp_path / "result.json"
    done = command("first-light", "--mock", "--data", str(tmp_path), "--to", str(to), stdin="\n\nA Pi 4\n")
    assert done.exit_code == 0, done.stderr
    assert f"first-light: passes. Written to {to}" in done.stdout
    said = json.loads(to.read_text("utf-8"))
    assert (said["verdict"], said["mock"], said["stopped_by"]) == ("passes", True, None)
    assert said["steps"][-1]["answer"] == "A Pi 4"
    assert said["doctor"]["pad"]["state"] == "ok"


@pytest.mark.nightly
def test_three_neighbours_on_the_modelled_track(tmp_path: Path) -> None:
    """Two tags above the middle reader are both seen at each of 1,000 polls.

    Only here: a bench test of the track that the modelled chips do not complete, or that loses polls.
    """
    to = tmp_path / "result.json"
    done = command("collision", "--mock", "--data", str(tmp_path), "--to", str(to), stdin="\n")
    assert done.exit_code == 0, done.stdout
    looks = json.loads(to.read_text("utf-8"))["steps"][1]
    assert sorted(looks["answer"].values()) == [1000, 1000]


def test_what_was_answered_before_ctrl_c_is_kept(tmp_path: Path) -> None:
    """Here the input ends, which click tells in the same way."""
    to = tmp_path / "result.json"
    done = command("one-supply-off", "--to", str(to), stdin="\nzero\n0,4\n")
    said = json.loads(to.read_text("utf-8"))
    assert "zero is no number" in done.stdout
    assert (said["verdict"], said["stopped_by"]) == ("not decided", "stopped")
    assert [step["answer"] for step in said["steps"]] == [None, 0.4]


def test_a_test_that_fails_ends_with_1(tmp_path: Path) -> None:
    answers = "no\n" * len(named("watchdog").steps)
    done = command("watchdog", "--to", str(tmp_path / "r.json"), stdin=answers)
    assert done.exit_code == 1
    assert "watchdog: fails." in done.stdout


def test_a_name_that_there_is_not(tmp_path: Path) -> None:
    done = command("warp-drive")
    assert done.exit_code == 2
    assert "there is no test warp-drive: companion bench-test lists them" in done.stderr


def test_a_file_that_is_there_stays(tmp_path: Path) -> None:
    to = tmp_path / "result.json"
    to.write_text("mine")
    done = command("watchdog", "--to", str(to))
    assert (done.exit_code, to.read_text()) == (1, "mine")
    assert "is there already: name another file with --to" in done.stderr


def test_a_track_that_the_settings_do_not_name(tmp_path: Path) -> None:
    (tmp_path / "companion.toml").write_text('pad = false\n[track]\nkind = "none"\n')
    done = command("reset", "--mock", "--data", str(tmp_path), "--to", str(tmp_path / "r.json"))
    assert done.exit_code == 1
    assert "this test needs the track: see [track] in companion.toml" in done.stderr
