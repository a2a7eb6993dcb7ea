"""Any bytes in a file, a body or on the wire: an answer or a named refusal, never another exception."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from companion.errors import CompanionError
from tests.support.readers import READERS, Reader

NASTY = [
    b"\n", b"\r", b"\x00", b"\xff", b"\xed\xa0\x80", b"\xef\xbb\xbf", "\u2028".encode(), b"{", b"}", b"[", b"]", b'"', b"'''",
    b"\\", b",", b":", b"=", b".", b"#", b"true", b"null", b"nan", b"-inf", b"-", b"0", b"9.0", b"1e0", b"1e999999999999999999999",
    b"9" * 5000, b"[" * 3000, b"{a=" * 1000, b"x." * 3000, rb'"\ud800"', b"0x", b"1979-13-57", b"07:61:00", b"@", b"*0000",
]  # fmt: skip
WORD = re.compile(rb'"[^"\n]*"|[\w.]+')
ALL = [pytest.param(reader, id=name) for name, reader in READERS.items()]


def changed(files: tuple[bytes, ...]) -> st.SearchStrategy[bytes]:
    """Return a strategy for one of these files after a few changes, or for any bytes.

    Words and numbers are changed for others; bytes put in, taken out or doubled; the end torn off.
    """

    @st.composite
    def some(draw: st.DrawFn) -> bytes:
        text = draw(st.sampled_from(files))
        for _ in range(draw(st.integers(0, 3))):
            text = _another_word(draw, text)
        for _ in range(draw(st.integers(0, 2))):
            at, to = (draw(st.integers(0, len(text))) for _ in range(2))
            put = draw(
                st.sampled_from(NASTY) | st.binary(max_size=6) | st.just(text[min(at, to) : max(at, to)])
            )
            text = text[:at] + put + text[at + draw(st.sampled_from([0, 0, 1, 2, 9, 200])) :]
        return text[: draw(st.sampled_from([None, None, None, len(text) // 2, len(text) - 1]))]

    return some() | some() | some() | st.binary(max_size=200)


def _another_word(draw: st.DrawFn, text: bytes) -> bytes:
    words = list(WORD.finditer(text))
    if not words:
        return text
    one, other = (draw(st.sampled_from(words)) for _ in range(2))
    put = draw(
        st.sampled_from([other[0], b"0", b"-1", b"2", b"2.5", b"10000", b"true", b"null", b'""', b"[]"])
    )
    return text[: one.start()] + put + text[one.end() :]


def read_all(reader: Reader, examples: int) -> Counter[str]:
    """Read so many inputs, the same each time; return how many were answered and how many refused."""
    counted: Counter[str] = Counter()
    checks = [HealthCheck.data_too_large, HealthCheck.too_slow, HealthCheck.large_base_example]

    @settings(max_examples=examples, derandomize=True, database=None, suppress_health_check=checks)
    @given(changed(reader.files))
    @example(b"")
    @example(b"a = " + b"[" * 50_000)
    @example(b"a = " + b"9" * 5_000)
    @example(b"a = 1e999999999999999999999")
    @example(b'{"chart": ' + b"[" * 50_000)
    def read(said: bytes) -> None:
        try:
            reader.read(said)
        except CompanionError as refusal:
            counted["refused" if str(refusal).strip() else "refused without a reason"] += 1
        else:
            counted["answered"] += 1

    read()
    assert set(counted) <= {"answered", "refused"}
    return counted


@pytest.mark.parametrize("reader", ALL)
def test_what_is_badly_written_is_answered_or_refused(reader: Reader) -> None:
    assert read_all(reader, 100).total() >= 100


@pytest.mark.nightly
@pytest.mark.parametrize("reader", ALL)
def test_thousands_that_are_badly_written_are_answered_or_refused(reader: Reader, soak: int) -> None:
    """Each reader answers or refuses thousands of badly written inputs.

    Only here: an input that few changes of a good file lead to, and that raises an unnamed exception.
    """
    counted = read_all(reader, 3_000 * soak)
    print(f"{counted.total():,} inputs: {counted['answered']:,} answered, {counted['refused']:,} refused")
    assert counted["answered"], "some of them are good enough to be read to their end"
