"""Part of `make schema`: docs/operations.md, a table of all operations, from docs/openapi.yaml."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import yaml

ROOT: Final = Path(__file__).parents[1]
API: Final = ROOT / "docs" / "openapi.yaml"
PAGE: Final = ROOT / "docs" / "operations.md"
METHODS: Final = ("get", "put", "post", "patch", "delete")
HEAD: Final = """\
# All operations

<!-- written by `make schema` from openapi.yaml: edit that -->

What a running companion answers in short. Bodies, answers and refusals in full: [openapi.yaml](openapi.yaml).
How to ask, with examples: [the interface](api.md).
"""

Api = Mapping[str, Any]


def page(api: Api) -> str:
    """Return the whole page."""
    return HEAD + "".join(f"\n{_table(tag, api)}" for tag in api["tags"])


def _table(tag: Mapping[str, str], api: Api) -> str:
    rows = "".join(f"| {' | '.join(row)} |\n" for row in _rows(tag["name"], api))
    said = " ".join(tag["description"].split())
    return (
        f"## {tag['name'].capitalize()}\n{said}\n\n| | what | given | answered |\n|---|---|---|---|\n{rows}"
    )


def _rows(tag: str, api: Api) -> Iterator[tuple[str, str, str, str]]:
    for path, item in api["paths"].items():
        for method in METHODS:
            if method in item and tag in item[method]["tags"]:
                does = item[method]
                asked = ", ".join((*_parameters(does, item, api), *_body(does, api)))
                yield f"`{method.upper()} {path}`", _cell(does["summary"]), asked, _answer(does, api)


def _parameters(does: Api, item: Api, api: Api) -> Iterator[str]:
    """Yield the query parameters; the path shows the others, and Origin goes with every change."""
    for parameter in (*item.get("parameters", ()), *does.get("parameters", ())):
        given = _followed(parameter, api)
        if given["in"] == "query":
            yield f"`?{given['name']}`"


def _body(does: Api, api: Api) -> Iterator[str]:
    for media in _followed(does.get("requestBody", {}), api).get("content", {}).values():
        schema = _followed(media["schema"], api)
        needed = schema.get("required", ())
        for name in schema.get("properties", ()):
            yield f"`{name}`" if name in needed else f"`{name}`?"


def _answer(does: Api, api: Api) -> str:
    found = {
        _named(media["schema"]) or kind
        for kind, media in _followed(does["responses"]["200"], api).get("content", {}).items()
    }
    return _cell(", ".join(f"`{name}`" for name in sorted(found)))


def _named(schema: Api) -> str:
    return str(schema.get("$ref", "")).rpartition("/")[2]


def _followed(node: Api, api: Api) -> Api:
    while "$ref" in node:
        found: Any = api
        for part in node["$ref"].removeprefix("#/").split("/"):
            found = found[part]
        node = found
    return node


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(yaml.safe_load(API.read_text(encoding="utf-8"))), encoding="utf-8")


if __name__ == "__main__":
    main()
