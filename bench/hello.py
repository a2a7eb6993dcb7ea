"""The least a Flask page costs on the same server: uvicorn, a2wsgi, one page that says hello."""

from __future__ import annotations

import socket
from typing import Any

import uvicorn
from a2wsgi import WSGIMiddleware
from flask import Flask

app = Flask(__name__)


@app.get("/")
def hello() -> str:
    """Return the page."""
    return "hello, world"


def main() -> None:
    """Serve until stopped."""
    wsgi: Any = app  # Flask and a2wsgi name the types of WSGI differently
    with socket.create_server(("127.0.0.1", 0)) as listening:
        print(f"http://localhost:{listening.getsockname()[1]}/", flush=True)
        config = uvicorn.Config(WSGIMiddleware(wsgi, workers=4), log_level="warning", access_log=False)
        uvicorn.Server(config).run(sockets=[listening])


if __name__ == "__main__":
    main()
