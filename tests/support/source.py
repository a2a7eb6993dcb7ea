"""Python source as a tree."""

from __future__ import annotations

import ast
import gc
from pathlib import Path


def parsed(path: Path) -> ast.Module:
    """Return the tree of a Python file.

    No garbage is collected meanwhile: a finalizer that runs in the middle makes the parser of Python 3.11.2,
    the one of Debian 12, raise SystemError (python/cpython#106905).
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        return ast.parse(path.read_text(encoding="utf-8"))
    finally:
        if collecting:
            gc.enable()
