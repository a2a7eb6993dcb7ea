"""The Flask app that the pages of a table and of a hub build on."""

from __future__ import annotations

from threading import RLock
from typing import Any

from flask import Flask, Request
from flask.json.provider import DefaultJSONProvider
from flask.templating import Environment
from jinja2 import Template
from msgspec import to_builtins
from werkzeug.exceptions import HTTPException
from werkzeug.routing import MapAdapter


class _Json(DefaultJSONProvider):
    """The JSON of templates: replies too, and keys in their own order."""

    sort_keys = False

    @staticmethod
    def default(o: Any) -> Any:
        """Return a reply as JSON objects."""
        return to_builtins(o)


class _Templates(Environment):
    """The templates; each is compiled once, also if several threads need it at the same time."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._loading = RLock()  # a template loads those that it extends

    def get_template(self, *args: Any, **more: Any) -> Template:
        """Return a template, compiled."""
        with self._loading:
            return super().get_template(*args, **more)


class Site(Flask):
    """A Flask app that can render a page for any request, also if its Host header is no name at all."""

    json_provider_class = _Json
    jinja_environment = _Templates

    def create_url_adapter(self, request: Request | None) -> MapAdapter | None:
        """Return the adapter that makes the addresses in a page.

        Werkzeug has none for a Host such as `a..b` or a label of 64 letters, and then not even the page that
        refuses the request can be rendered: its addresses are made as for localhost.
        """
        try:
            return super().create_url_adapter(request)
        except HTTPException:
            if request is None:
                raise
            return self.url_map.bind("localhost", request.root_path, path_info=request.path)
