"""A hub that people look at: after an evening, and as a server that a browser can ask."""

from __future__ import annotations

import random
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import uvicorn
from a2wsgi import WSGIMiddleware
from flask import Flask
from sqlalchemy import Engine

from companion.http.files import PREFIX, Files
from companion.hub import database
from companion.hub.intake import Intake
from companion.hub.site.app import FOLDERS
from tests.support.hub.stories import PEOPLE, Evening

GAMES = ("galloping-pigs", "greyhounds", "galloping-horse", "giro-galoppo")


def after_an_evening(home: Path, tables: int = 2, games: int = 2) -> Engine:
    """Return the database of a hub after tables played, called table-0 and so on."""
    made = database.opened(f"sqlite:///{home / 'hub.sqlite'}")
    intake, rng = Intake(made), random.Random(4)
    for number in range(tables):
        evening = Evening(home / f"table-{number}", f"table-{number}", number)
        for game in range(games):
            evening.play(GAMES[(number + game) % len(GAMES)], tuple(rng.sample(PEOPLE, 3)))
        intake.take(evening.told())
        evening.close()
    return made


@contextmanager
def served(app: Flask) -> Iterator[str]:
    """Yield the address of a server for this app and the files of its pages."""
    wsgi: Any = app
    pages: Any = WSGIMiddleware(wsgi, workers=4)
    files = Files(FOLDERS)

    async def site(scope: Any, receive: Any, send: Any) -> None:
        if scope["path"].startswith(PREFIX):
            await files(scope, send)
        else:
            await pages(scope, receive, send)

    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(site, log_level="warning", lifespan="off"))
    thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive(), "the server did not start"
            thread.join(0.01)
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
        listening.close()
