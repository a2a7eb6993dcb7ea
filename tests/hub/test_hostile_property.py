"""After any messages of one table the hub goes on, and what it stores of another table stays the same.

100,000 generated messages on each database in `make nightly`, a few of them in `make test`.
"""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import strategies as st
from sqlalchemy import Engine

from companion.hub.intake import Intake
from companion.hub.site import create_hub
from companion.hub.validation import TableMessage
from companion.publishing.sealed import Sealed
from tests.hub.test_hostile import (  # noqa: F401 - fixtures
    EVENT,
    VIEW,
    everything_of,
    everywhere,
    record,
    signed_by_the_attic,
    story,
    with_seats,
)
from tests.support.hub.databases import emptied
from tests.support.hub.many import in_rounds, without_delay

AT_ONCE = 50  # messages of an example

LETTERS = st.characters(codec="utf-8") | st.sampled_from("\0\u202e\u200b\u2028\ufeff\U000e0001é")
TEXTS = st.text(LETTERS, max_size=12) | st.sampled_from(
    ["", " ", "A" * 300, "../../x", "window-2", "\\u0000"]
)
NUMBERS = st.integers() | st.sampled_from([-1, 0, 2**31 - 1, 2**31, 2**63, 2**64, 10**30]) | st.floats()
TIMES = st.datetimes().map(lambda at: at.isoformat()) | st.sampled_from(
    ["garbage", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "2026-11-28T19:00:00Z"]
)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS | TIMES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=4,
)
PAGE = {
    "seq": 1,
    "pages": {
        "en": VIEW
        | {
            "match": {"id": 1, "game": "g", "title": "t", "animal": "a", "seats": ["Eva"], "finished": False},
            "standings": [{"seat": 0, "name": "Eva", "kept": 1, "place": None, "now": True}],
            "odds": {"rows": [{"seat": 0, "name": "Eva", "p": 0.5}]},
        }
    },
}


def places(document: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the path of every value in a JSON document."""
    if isinstance(document, dict):
        inner = list(document.items())
    elif isinstance(document, list):
        inner = list(enumerate(document))
    else:
        return []
    return [found for key, value in inner for found in ((*path, key), *places(value, (*path, key)))]


def value_at(document: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        document = document[key]
    return document


@st.composite
def changed(draw: st.DrawFn, document: Any) -> Any:
    """Return the document with some values replaced."""
    document = deepcopy(document)
    for _ in range(draw(st.integers(0, 3))):
        if not (found := places(document)):
            break
        *path, last = draw(st.sampled_from(found))
        value_at(document, tuple(path))[last] = draw(VALUES)
    return document


@st.composite
def rewritten(draw: st.DrawFn, lines: list[str]) -> list[str]:
    """Return lines of a record that a table could sign: changed, missing, twice or in another order."""
    lines = list(lines)
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(lines) - 1) | st.just(0))
        match draw(st.sampled_from(["value", "text", "less", "twice", "swap", "end"])):
            case "value":
                lines[at] = json.dumps(draw(changed(json.loads(lines[at])))) if is_json(lines[at]) else "{}"
            case "text":
                lines[at] = draw(st.text(LETTERS, max_size=45) | VALUES.map(json.dumps))
            case "less" if len(lines) > 1:
                del lines[at]
            case "twice":
                lines[at:at] = [lines[at]] * draw(st.sampled_from([1, 2, 500]))
            case "swap":
                other = draw(st.integers(0, len(lines) - 1))
                lines[at], lines[other] = lines[other], lines[at]
            case _:
                del lines[at + 1 :]
    return [line.replace("\n", " ") for line in lines]


def is_json(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict | list)
    except ValueError:
        return False


def messages(record: Sealed) -> st.SearchStrategy[TableMessage]:  # noqa: F811
    """Return messages of a table called attic: true ones with values changed, and what is none."""
    kinds = st.sampled_from(["here", "page", "events", "records", "nothing"])
    event = changed(EVENT).map(lambda one: TableMessage("attic", "events", json.dumps(one).encode()))
    page = changed(PAGE).map(lambda one: TableMessage("attic", "page", json.dumps(one).encode()))
    claims = st.fixed_dictionaries(
        {},
        optional={"match": st.integers(-1, 2**40), "entry": st.integers(-1, 2**40), "at": TIMES | TEXTS},
    )
    lines = st.lists(st.text(LETTERS, min_size=1, max_size=45), min_size=2, max_size=2, unique=True).map(
        lambda names: with_seats(record, *names)
    )
    signed = st.builds(lambda claim, lines: signed_by_the_attic(record, lines, **claim), claims, lines)
    wrong = rewritten(record.lines).map(lambda lines: signed_by_the_attic(record, lines))
    true = json.loads(signed_by_the_attic(record).payload)
    forged = changed(true).map(lambda one: TableMessage("attic", "records", json.dumps(one).encode()))
    noise = st.builds(
        TableMessage, st.just("attic") | TEXTS.filter(lambda name: name != "window-2"), kinds, st.binary()
    )
    here = st.builds(
        TableMessage, st.just("attic"), st.just("here"), st.sampled_from([b"here", b"gone", b"?"])
    )
    here = st.builds(
        TableMessage, st.just("attic"), st.just("here"), st.sampled_from([b"here", b"gone", b"?"])
    )
    return event | page | signed | wrong | forged | noise | here


@pytest.mark.parametrize(
    "examples", [6, pytest.param(2000, marks=pytest.mark.nightly)], ids=["300 messages", "100,000 messages"]
)
@pytest.mark.filterwarnings("ignore:Generating overly large repr")  # of what fails
@pytest.mark.parametrize("later", [False, True], ids=["at once", "by the judge"])
def test_no_message_of_one_table_stops_the_hub_or_changes_another(
    everywhere: Engine,  # noqa: F811
    story: list[TableMessage],  # noqa: F811
    record: Sealed,  # noqa: F811
    later: bool,
    examples: int,
) -> None:
    """Hostile messages of the attic come before and amid the story of window-2.

    Only here: a message of a kind that no one has thought of, which stops the intake, the judge or a page.
    """
    emptied(everywhere)
    Intake(everywhere).take(story)
    expected = everything_of(everywhere, "window-2")
    site = create_hub(everywhere).test_client()

    def holds(hostile: list[TableMessage]) -> None:
        emptied(everywhere)
        intake, half = Intake(everywhere, later), len(hostile) // 2
        with without_delay(hostile):
            intake.take(hostile[:half])
        with without_delay(hostile):
            intake.take([*story[:9], *hostile[half:], *story[9:]])
        waits = True
        while waits:
            with without_delay(hostile):
                waits = intake.settle()
        assert everything_of(everywhere, "window-2") == expected
        for path in ("/", "/tables.json", "/games", "/people"):
            assert site.get(path).status_code == 200, path

    in_rounds(examples, st.lists(messages(record), min_size=AT_ONCE, max_size=AT_ONCE), holds)
