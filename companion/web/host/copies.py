"""Backups over HTTP: complete on this machine itself, without secrets elsewhere."""

from __future__ import annotations

from pathlib import Path

from flask import Blueprint, Response, current_app

from companion.diagnostics.figures import FIGURES
from companion.errors import ConflictError
from companion.http.request import table
from companion.http.roles import is_local_request, needs
from companion.message import N_, Sentence
from companion.store import backup
from companion.store.file import JournalError, now
from companion.table.preferences import LAST_GAME, PEOPLE, SWITCHES

copies_api = Blueprint("copies", __name__)

_EXPORTED = {PEOPLE.name, LAST_GAME.name, FIGURES.name, *(key.name for key in SWITCHES.values())}
_EXPORTED_OF_EACH_GAME = ("chart ", "computed ", "explain ")


@copies_api.get("/api/backup")
@needs("host")
def get_backup() -> Response:
    """Return boards, tags, settings and past games as one file; on this machine itself also all secrets."""
    settings: Path | None = current_app.config["COMPANION_SETTINGS"]
    try:
        text = None if settings is None else backup.settings_in(settings)
        copied = table().journal.copy()
    except (backup.BackupError, JournalError) as error:
        raise ConflictError("copy", Sentence(_NO_COPY, {"text": str(error)})) from None
    content = backup.whole(copied, text) if is_local_request() else backup.public(copied, text, is_exported)
    name = backup.name_for(now())
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, mimetype="application/vnd.sqlite3", headers=headers)


def is_exported(name: str) -> bool:
    """Return True if the value stored under this name may leave the machine: no secrets, and no seats.

    >>> is_given_out("chart greyhounds"), is_given_out("pin"), is_given_out("signing key")
    (True, False, False)
    """
    return name in _EXPORTED or name.startswith(_EXPORTED_OF_EACH_GAME)


_NO_COPY = N_("no copy can be made: {text}")
