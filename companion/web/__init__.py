"""Pages, stream, API and words on the wire. No rules here: everything is asked of the table."""

from companion.web.app import create_app

__all__ = ["create_app"]
