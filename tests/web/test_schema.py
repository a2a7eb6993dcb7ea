"""One schema for what pages and programs get: the structs that are sent, the paper and the scripts' types agree."""

from __future__ import annotations

import inspect
import re
from typing import Any

import pytest

from companion.reply import NAMED, Reply
from companion.store.journal import Journal
from companion.table.table import Table
from tests.support.apps import create_app
from tests.web.test_openapi import METHODS, PAPER, Hand, followed
from tools import schema


def test_the_paper_is_made_of_what_is_sent() -> None:
    assert schema.PAPER.read_text(encoding="utf-8") == schema.paper(), "run make schema"


def test_the_scripts_types_are_made_of_what_is_sent() -> None:
    assert schema.TYPES.read_text(encoding="utf-8") == schema.types(), "run make schema"


def test_every_route_answers_what_the_paper_says(journal: Journal) -> None:
    """The type that a view returns is the one its 200 refers to."""
    app = create_app(Table(journal).open(), mock=Hand())
    compared = 0
    for rule in app.url_map.iter_rules():
        view = app.view_functions.get(rule.endpoint)
        returned = view and inspect.get_annotations(inspect.unwrap(view), eval_str=True).get("return")
        if not (isinstance(returned, type) and issubclass(returned, Reply)):
            continue
        path = PAPER["paths"][re.sub(r"<(?:int:)?(\w+)>", r"{\1}", rule.rule)]
        for method in {name.lower() for name in rule.methods or ()} & set(METHODS):
            answer = followed(path[method]["responses"]["200"])[0]["content"]["application/json"]["schema"]
            assert answer == {"$ref": NAMED + returned.__name__}, f"{method} {rule.rule}"
            compared += 1
    assert compared > 50


@pytest.mark.parametrize(
    ("described", "typed"),
    [
        ({"type": "integer"}, "number"),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, "string | null"),
        ({"type": "array", "items": {"type": "array", "items": {"$ref": NAMED + "Mark"}}}, "Mark[][]"),
        ({"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}]}, "[number, string]"),
        ({"enum": ["app", "table"]}, '"app" | "table"'),
        ({"type": "object", "additionalProperties": {"type": "number"}}, "Record<string, number>"),
        ({"$ref": NAMED + "Decision", "type": "object"}, "Line"),
        ({"$ref": NAMED + "Seat", "type": "integer"}, "number"),
    ],
)
def test_a_schema_as_typescript_has_it(described: dict[str, Any], typed: str) -> None:
    assert schema.typescript(described, {"Mark": {}}) == typed
