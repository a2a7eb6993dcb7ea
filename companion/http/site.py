"""The Flask app that the pages of a table and of a hub build on."""

from __future__ import annotations

from typing import Any

from flask import Flask, Request
from flask.json.provider import DefaultJSONProvider
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


class Site(Flask):
    """A Flask app that can render a page for any request, also if its Host header is no name at all."""

    json_provider_class = _Json

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
