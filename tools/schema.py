"""`make schema`: the replies to pages and programs, as docs/openapi.yaml and the scripts' types.

Both are made of the structs that the companion sends (companion/reply.py), so they cannot differ from them.
The part above the mark in docs/openapi.yaml is written by hand: the paths, and what the rules define.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec
import yaml

import companion.http.health
import companion.hub.site
import companion.publishing.elsewhere
import companion.web.app
import companion.web.stream
from companion.reply import NAMED, Reply

ROOT: Final = Path(__file__).parents[1]
PAPER: Final = ROOT / "docs" / "openapi.yaml"
TYPES: Final = ROOT / "companion" / "web" / "replies.d.ts"
_LOADED: Final = (
    companion.hub.site,
    companion.publishing.elsewhere,
    companion.web.app,
    companion.http.health,
    companion.web.stream,
)
"""These know every reply."""
MARK: Final = "    # --- from here on written by `make schema`, of the structs that are sent ---\n"

_REFERENCE: Final = re.compile(re.escape(NAMED) + r"(\w+)")

Schema = dict[str, Any]


def replies() -> list[type[Reply]]:
    """Return every kind of reply, by name."""
    return sorted(set(_below(Reply)), key=lambda reply: reply.__name__)


def _below(reply: type[Reply]) -> Iterator[type[Reply]]:
    for kind in reply.__subclasses__():
        yield kind
        yield from _below(kind)


def schemas() -> dict[str, Schema]:
    """Return the JSON schema of each, as msgspec makes it, with everything required that is always sent."""
    kinds = replies()
    _, made = msgspec.json.schema_components(kinds, ref_template=NAMED + "{name}")
    for kind in kinds:
        _always_sent(made[kind.__name__], kind)
    return made


def _always_sent(schema: Schema, kind: type[Reply]) -> None:
    schema["description"] = inspect.cleandoc(schema["description"])
    left_out = {f.encode_name for f in msgspec.structs.fields(kind) if f.default is msgspec.UNSET}
    schema["required"] = [name for name in schema["properties"] if name not in left_out]
    for described in schema["properties"].values():
        described.pop("default", None)


# --- docs/openapi.yaml ---------------------------------------------------------------------------


def paper() -> str:
    """Return the whole of docs/openapi.yaml with these schemas at its end."""
    text = PAPER.read_text(encoding="utf-8")
    by_hand, made = text.partition(MARK)[0], schemas()
    parts = {name: _on_paper(made[name]) for name in sorted(_referred(by_hand, made))}
    written = yaml.dump(
        parts, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=110, default_flow_style=None
    )
    return by_hand + MARK + "".join(f"    {line}".rstrip() + "\n" for line in written.splitlines())


def _referred(text: str, made: Mapping[str, Schema]) -> set[str]:
    """Return the schemas that a text refers to, directly or indirectly."""
    names, waiting = set[str](), set(_REFERENCE.findall(text)) & made.keys()
    while waiting:
        name = waiting.pop()
        names.add(name)
        waiting |= set(_REFERENCE.findall(json.dumps(made[name]))) & made.keys() - names
    return names


def _on_paper(node: Any) -> Any:
    """Return a schema without parts that a reader does not need: titles, and the type next to a reference."""
    if isinstance(node, list):
        return [_on_paper(inner) for inner in node]
    if not isinstance(node, dict):
        return node
    if node.keys() == {"anyOf"} and all(one.keys() == {"type"} for one in node["anyOf"]):
        return {"type": [one["type"] for one in node["anyOf"]]}
    unneeded = (
        {"title"}
        if "properties" in node
        else {"type", "items"}
        if "$ref" in node or "oneOf" in node
        else set()
    )
    return {key: _on_paper(value) for key, value in node.items() if key not in unneeded}


class _Dumper(yaml.SafeDumper):  # type: ignore[misc]  # PyYAML has no types
    """Writes texts of several lines as blocks, quotes words that mean truth in YAML, and uses no aliases."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text else '"' if text in ("on", "off", "no", "yes") else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _text)


# --- the scripts' types --------------------------------------------------------------------------

HEAD: Final = "// Written by `make schema` of the structs that the companion sends: edit those.\n"
BY_HAND: Final = {"Decision": "Line", "Chart": "Chart"}
"""What the scripts' own types.d.ts says more of than that it is an object."""


def types() -> str:
    """Return companion/web/replies.d.ts: an interface for each reply."""
    made = schemas()
    return HEAD + "".join(f"\n{_interface(name, schema, made)}" for name, schema in made.items())


def _interface(name: str, schema: Schema, made: Mapping[str, Schema]) -> str:
    lines = schema["description"].splitlines()
    said = (
        f"/** {lines[0]} */"
        if len(lines) == 1
        else "\n".join(["/**", *(f" * {s}".rstrip() for s in lines), " */"])
    )
    fields = [
        f"  {key}{'' if key in schema['required'] else '?'}: {typescript(value, made)};"
        for key, value in schema["properties"].items()
    ]
    return "\n".join([said, f"interface {name} {{", *fields, "}"]) + "\n"


def typescript(node: Schema, made: Mapping[str, Schema]) -> str:
    """Return a schema in TypeScript."""
    reference: str = node.get("$ref", "").removeprefix(NAMED)
    if reference in made:
        return reference
    if reference in BY_HAND:
        return BY_HAND[reference]
    if "anyOf" in node:
        return " | ".join(dict.fromkeys(typescript(one, made) for one in node["anyOf"]))
    if "enum" in node:
        return " | ".join(json.dumps(value) for value in node["enum"])
    match node.get("type"):
        case "array" if "prefixItems" in node:
            return f"[{', '.join(typescript(one, made) for one in node['prefixItems'])}]"
        case "array":
            item = typescript(node["items"], made)
            return f"({item})[]" if " " in item and not item.endswith("[]") else f"{item}[]"
        case "object":
            inner = node.get("additionalProperties")
            return f"Record<string, {typescript(inner, made) if isinstance(inner, dict) else 'unknown'}>"
    return _PLAIN[node["type"]] if "type" in node else "unknown"


_PLAIN: Final = {
    "integer": "number",
    "number": "number",
    "string": "string",
    "boolean": "boolean",
    "null": "null",
}


def main() -> None:
    """Write both."""
    PAPER.write_text(paper(), encoding="utf-8")
    TYPES.write_text(types(), encoding="utf-8")


if __name__ == "__main__":
    main()
