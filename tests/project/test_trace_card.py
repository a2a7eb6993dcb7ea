"""A card takes a short way from the pad to the page: each question is asked once."""

from __future__ import annotations

from pathlib import Path

from tools import trace_card

MOST_CALLS_BETWEEN_FILES = 750  # 668 on 28 November 2026; 2,161 before there was one evaluation
MOST_FILES = 53
MOST_FUNCTIONS = 406  # on 29 November 2026, once what is remembered, such as a language's words, is there


def test_a_card_takes_few_calls_from_file_to_file(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    second.mkdir()
    trace_card.card(first)  # alone, this test must count as it does after others
    trace = trace_card.card(second)
    calls = {f"{Path(code.co_filename).name} {code.co_name}": count for code, count in trace.calls.items()}
    assert len(trace.files) <= MOST_FILES
    assert len(trace.calls) <= MOST_FUNCTIONS
    assert sum(trace.hops.values()) <= MOST_CALLS_BETWEEN_FILES
    assert calls["stream.py message"] >= 1, "the page was rendered"
