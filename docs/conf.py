"""How `make docs` makes the site: of all papers of the checkout, so that each link is the same in both."""

from __future__ import annotations

from pathlib import Path

import companion

ROOT = Path(__file__).parents[1]

project = "The race companion"
author = "the companion's makers"
version = release = companion.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc"]
autodoc_typehints = "none"  # the docstrings name the types that matter
autodoc_member_order = "bysource"
default_role = "code"  # docstrings put code between single backticks
root_doc = "docs/index"
include_patterns = [
    "*.md",
    "docs/*.md",
    "docs/decisions/*.md",
    "bench/results/*.md",
    "hardware/*.md",
    "hardware/models/README.md",
    "companion/locale/README.md",
    "examples/*/README.md",
]
exclude_patterns = [
    "build",
    ".venv",
    ".lowest",
    ".newest",
    "mutants",
    "fuzz",
    ".check-install",
    "tools",
    "tests",
    "data",
]
myst_heading_anchors = 4  # as GitHub has them
suppress_warnings = ["misc.highlighting_failure"]
highlight_language = "text"

html_theme = "furo"
html_title = f"The race companion {version}"
html_extra_path = ["site"]  # index.html, which opens docs/index.html
html_copy_source = False
html_show_search_summary = False  # it would fetch pages, which no browser does from a folder
html_show_sphinx = False
html_theme_options = {"navigation_with_keys": True}
