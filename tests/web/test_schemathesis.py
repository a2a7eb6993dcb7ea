"""docs/openapi.yaml as strangers read it: Schemathesis asks what it allows and forbids; nothing breaks on it.

Its requests are made from the paper alone, by people who do not know this program; tests/web/test_openapi.py asks with
words of the table. The app, the journal and the table are the real ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.web.test_roles import ADDRESSES, House, begun, house_of

__all__ = ["begun", "house_of"]  # fixtures
FILE = Path(__file__).parents[2] / "docs" / "openapi.yaml"
EXAMPLES = 5  # of an operation, in each role and in each way
BESIDE = ("/events", "/healthz", "/api/openapi.yaml")  # outside Flask: tests/web/test_roles.py asks them
CHECKS: Any = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    response_headers_conformance,
]
# what can be said no with: malformed, forbidden, nowhere, another method, not now, too large
STATUSES = {200, 400, 403, 404, 405, 409, 413, 429}


def operations(schema: Any) -> Iterator[Any]:
    for found in schema.get_all_operations():
        operation = found.ok()
        if operation.path not in BESIDE:
            yield operation


@pytest.mark.nightly
@pytest.mark.parametrize("role", ["host", "table", "visitor"])
def test_whatever_the_paper_allows_or_forbids_is_answered_as_it_says(
    house_of: Callable[[str], House], role: str, soak: int
) -> None:
    """For any role, each status, media type and shape of an answer is documented, and none is a server error.

    Only here: a request that docs/openapi.yaml allows or forbids in a way that our own generator does not
    try.
    """
    statuses: Counter[int] = Counter()
    schema = schemathesis.openapi.from_path(FILE)
    for operation in operations(schema):
        house = house_of("cards")
        for mode in GenerationMode:
            ask_all(operation, mode, house, role, EXAMPLES * (1 if soak == 1 else 20), statuses)
    print(f"{role}: {statuses.total():,} requests, by status: {dict(sorted(statuses.items()))}")
    assert set(statuses) <= STATUSES
    assert statuses[200] > 50
    assert statuses[400] > 20


def at(house: House, role: str) -> Callable[[dict[str, Any], Any], Any]:
    """Return the app, asked by this role's device, with any cookies that the request has made up."""

    def app(environ: dict[str, Any], start_response: Any) -> Any:
        device = {"REMOTE_ADDR": ADDRESSES[role], "HTTP_COOKIE": house.cookies.get(role, "")}
        return house.app({**environ, **device}, start_response)

    return app


def ask_all(
    operation: Any, mode: GenerationMode, house: House, role: str, examples: int, statuses: Counter[int]
) -> None:
    """Ask for one operation as often as that; what is wrong with an answer is raised."""
    headers = {"Origin": "http://localhost", "Accept-Encoding": "identity"}

    @settings(max_examples=examples, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
    @given(case=operation.as_strategy(generation_mode=mode))
    def ask(case: Case[Any]) -> None:
        case.headers = type(case.headers)(
            {**case.headers, **headers}
        )  # a wrong Origin would be refused for that alone
        answer = case.call(headers=headers, app=at(house, role))
        statuses[answer.status_code] += 1
        case.validate_response(answer, checks=CHECKS)

    with suppress(Unsatisfiable) if mode is GenerationMode.NEGATIVE else nullcontext():
        ask()  # where nothing can be said, nothing wrong can be
