"""A walk through a bench test: the questions, the answers, and whether they prove the assumption.

The person and the parts are parameters, so a test can answer as a maker would.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, Literal, NamedTuple, Protocol

from companion.devices.health import PadHealth, RangeTest, TrackHealth
from companion.diagnostics.bench_tests import (
    BenchTest,
    Do,
    Fact,
    FactName,
    Number,
    Polls,
    Remark,
    Step,
    Yes,
)

Verdict = Literal["passes", "fails", "not decided"]
Facts = Mapping[FactName, float | None]
BATCH: Final = 500  # polls of a reader in one go


class Person(Protocol):
    """The person who acts and answers; None as an answer: unknown."""

    def does(self, text: str) -> None:
        """Wait until the person has done this."""

    def number(self, text: str, unit: str) -> float | None:
        """Return a figure that the person reads."""

    def yes(self, text: str) -> bool | None:
        """Return the person's answer to a yes-no question."""

    def words(self, text: str) -> str | None:
        """Return the person's answer in words."""


class Bench(Protocol):
    """The parts on the bench."""

    def poll(self, step: Polls, polls: int) -> RangeTest:
        """Poll so often as the step asks; TimeoutError, with a message, if the part is silent."""

    def facts(self, seconds: int) -> Facts:
        """Return the parts' figures after so many seconds."""


class Result(NamedTuple):
    """The result of a step; `passes` None: it decides nothing, or the answer is unknown."""

    step: Step
    answer: Any
    passes: bool | None

    @property
    def decides(self) -> bool:
        """True if the verdict depends on this step."""
        match self.step:
            case Do() | Remark():
                return False
            case Polls(least=least, most=most):
                return least > 0 or most < 1
            case Number(least=least, most=most) | Fact(least=least, most=most):
                return least is not None or most is not None
        return True


def walked(test: BenchTest, person: Person, bench: Bench) -> Iterator[Result]:
    """Yield the results as they come; TimeoutError when a part is silent."""
    for step in test.steps:
        yield _carried_out(step, person, bench)


def _carried_out(step: Step, person: Person, bench: Bench) -> Result:
    match step:
        case Do(text):
            person.does(text)
            return Result(step, None, None)
        case Polls():
            return _polled(step, bench)
        case Number(text, unit, least, most):
            return _within(step, person.number(text, unit), least, most)
        case Yes(text):
            answer = person.yes(text)
            return Result(step, answer, answer)
        case Remark(text):
            return Result(step, person.words(text), None)
        case Fact(_, fact, seconds, least, most):
            return _within(step, bench.facts(seconds)[fact], least, most)


def _polled(step: Polls, bench: Bench) -> Result:
    hits: Counter[str] = Counter()
    for done in range(0, step.polls, BATCH):
        hits.update(bench.poll(step, min(BATCH, step.polls - done)).hits)
    seen = [n / step.polls for _, n in hits.most_common(step.tags)]
    share = seen[-1] if len(seen) == step.tags else 0.0
    result = _within(step, share, step.least, step.most)
    return result._replace(answer=dict(hits))


def _within(step: Step, figure: float | None, least: float | None, most: float | None) -> Result:
    if figure is None:
        return Result(step, None, None)
    passes = (least is None or figure >= least) and (most is None or figure <= most)
    return Result(step, figure, passes)


def verdict(test: BenchTest, results: Iterable[Result]) -> Verdict:
    """Return the verdict of all steps that decide: one failure fails, an unknown one leaves it open."""
    deciding = [result.passes for result in results if result.decides]
    if False in deciding:
        return "fails"
    asked = sum(Result(step, None, None).decides for step in test.steps)
    return "passes" if len(deciding) == asked and None not in deciding else "not decided"


def facts_of(track: TrackHealth | None, pad: PadHealth | None) -> Facts:
    """Return the parts' figures; None where there is no such part, or it has not reported.

    >>> facts_of(TrackHealth(sweep_ms=77), None)["sweep_ms"]
    77
    """
    sensors = track.sensors if track is not None else ()
    return {
        "sweep_ms": track and track.sweep_ms,
        "faulty_sensors": sum(sensor.fault is not None for sensor in sensors) if sensors else None,
        "missed_polls": sum(sensor.misses for sensor in sensors) if sensors else None,
        "pad_restarts": pad and pad.restarts,
        "hurt_lines": track and track.hurt,
    }


def report(test: BenchTest, results: Iterable[Result], **circumstances: Any) -> dict[str, Any]:
    """Return the report to send in: the verdict, each step with its answer, and the circumstances."""
    results = tuple(results)
    return {
        "bench_test": 1,
        "name": test.name,
        "assumed": test.assumed,
        "verdict": verdict(test, results),
        **circumstances,
        "steps": [_as_entry(result) for result in results],
    }


_KINDS: Final = {Polls: "looks", Remark: "told"}
"""The names of steps in a report, where they differ from those of their classes."""


def _as_entry(result: Result) -> dict[str, Any]:
    step = result.step
    kind = _KINDS.get(type(step), type(step).__name__.lower())
    entry: dict[str, Any] = {"step": kind, **step._asdict()}
    return {**entry, "answer": result.answer, "passes": result.passes if result.decides else None}
