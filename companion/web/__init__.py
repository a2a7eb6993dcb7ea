"""A table's pages, its API and its event stream. Each page has its handlers, template, script and style in
one folder.

May use `http/`, `views/` and the rooms below. It has no rules: every change is a command to the table.
"""

from companion.web.app import create_app

__all__ = ["create_app"]
