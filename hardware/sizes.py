"""The sizes of the parts to print, as hardware/models/*.scad has them: one source for prints and
computations.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Final

MODELS: Final = Path(__file__).resolve().parent / "models"
_LINE: Final = re.compile(r"^(\w+) = ([^;]+);", re.MULTILINE)
_INCLUDE: Final = re.compile(r"^include <(.+)>", re.MULTILINE)
_OPERATORS: Final[Mapping[type[ast.operator], Callable[[float, float], float]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


@cache
def sizes(name: str = "sizes") -> Mapping[str, float]:
    """Return the sizes of a file in hardware/models and of the files that it includes, in millimetres.

    A value that is no plain arithmetic (a list, a condition, a function) is left out.
    """
    text = (MODELS / f"{name}.scad").read_text(encoding="utf-8")
    found: dict[str, float] = {}
    for included in _INCLUDE.findall(text):
        found |= sizes(included.removesuffix(".scad"))
    for key, value in _LINE.findall(text):
        try:
            found[key] = _value(ast.parse(value, mode="eval").body, found)
        except (SyntaxError, ValueError):
            continue
    return found


def _value(node: ast.expr, known: Mapping[str, float]) -> float:
    """Evaluate plain arithmetic; ValueError for anything else."""
    match node:
        case ast.Constant(value=int() | float() as number):
            return number
        case ast.Name(id=name) if name in known:
            return known[name]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand, known)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            return _OPERATORS[type(op)](_value(left, known), _value(right, known))
    raise ValueError(ast.unparse(node))
