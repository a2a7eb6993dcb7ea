"""The fan-out of bench.streams on Flask-SocketIO in threading mode: each POST /decide is sent to
all clients.

`python -m bench.socketio_server FILE`: FILE holds the table that is sent, as JSON. Nothing is judged and
nothing is written: this server only spreads.
"""

from __future__ import annotations

import json
import logging
import socket
import sys
from pathlib import Path

from flask import Flask, request
from flask_socketio import SocketIO


def make_app(table: dict[str, object]) -> tuple[Flask, SocketIO]:
    """Return the app; a decision's `seq` goes to every client, in the table."""
    app = Flask(__name__)
    # a ping would have to be answered by the readers, who only read
    spread = SocketIO(app, async_mode="threading", ping_interval=3600)

    @app.post("/decide")
    def decide() -> dict[str, object]:
        seq = request.get_json()["seq"]
        spread.emit("table", table | {"seq": seq})
        return {"seq": seq}

    return app, spread


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


def main() -> None:
    """Serve until stopped."""
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    app, spread = make_app(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))
    port = free_port()
    print(f"http://localhost:{port}/", flush=True)
    spread.run(app, host="127.0.0.1", port=port, allow_unsafe_werkzeug=True)


if __name__ == "__main__":
    main()
