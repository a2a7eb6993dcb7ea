"""Write the table of rooms in CONTRIBUTING.md, from the import contract and each room's docstring.

`make rooms`. The order is that of the layers in pyproject.toml. The first paragraph of a room's docstring is
what the room is for; a paragraph that begins with "May use" says what it may use. A room without one imports
no other.
"""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parents[1]
PAGE: Final = ROOT / "CONTRIBUTING.md"
BEGIN: Final = "<!-- rooms: made by tools/rooms_page.py -->\n"
END: Final = "<!-- end of rooms -->\n"
USES: Final = "May use "


class Room(NamedTuple):
    """A room: its file or folder in companion/, what it is for, what it may use."""

    name: str
    purpose: str
    uses: str


def rooms(root: Path = ROOT) -> Iterator[Room]:
    """Yield the rooms, from the top layer down."""
    contracts = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    [layers] = [contract["layers"] for contract in contracts if contract["type"] == "layers"]
    for layer in layers:
        for module in layer.split("|"):
            yield _room(root, module.strip(" ()").removeprefix("companion."))


def _room(root: Path, name: str) -> Room:
    place = root / "companion" / name
    if not place.is_dir():
        name, file = f"{name}.py", place.with_suffix(".py")
    elif (place / "__init__.py").exists():
        name, file = f"{name}/", place / "__init__.py"
    else:  # the firmware, which is a program of its own
        name, file = f"{name}/", place / "main.py"
    paragraphs = _paragraphs(file)
    uses = next((text for text in paragraphs if text.startswith(USES)), f"{USES}no other room.")
    return Room(name, paragraphs[0], uses.removeprefix(USES))


def _paragraphs(file: Path) -> list[str]:
    """Return the paragraphs of a module's docstring, each on one line."""
    text = ast.get_docstring(ast.parse(file.read_text("utf-8"))) or ""
    return [" ".join(part.split()) for part in text.split("\n\n")]


def table(root: Path = ROOT) -> str:
    """Return the table as Markdown.

    >>> table().splitlines()[0]
    '| room | what it is for | what it may use |'
    """
    lines = ["| room | what it is for | what it may use |", "|---|---|---|"]
    for room in rooms(root):
        lines.append(f"| `{room.name}` | {_cell(room.purpose)} | {_cell(room.uses)} |")
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    """Return a text for a table, beginning with a capital.

    >>> _cell("every room | and none.")
    'Every room \\\\| and none.'
    """
    return (text[:1].upper() + text[1:]).replace("|", "\\|")


def page(text: str, root: Path = ROOT) -> str:
    """Return the text of CONTRIBUTING.md with the table as it is now."""
    before, _, rest = text.partition(BEGIN)
    _, mark, after = rest.partition(END)
    if not mark:
        raise SystemExit(f"{PAGE.name} has no place for the table of rooms: {BEGIN.strip()} … {END.strip()}")
    return before + BEGIN + table(root) + END + after


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text("utf-8")), "utf-8")
