"""The command that asks a running companion about its health, for monitoring."""

from __future__ import annotations

from typing import Any, Final

import click

from companion.cli.installed import USUAL_PORT, installed_port

_PATIENCE: Final = 5.0  # seconds; a companion that hangs reports that in two


@click.command()
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    help="Where it serves its pages.  [default: the port of the installed companion, or 8000]",
)
def health(port: int | None) -> None:
    """Ask the companion on this machine whether a game can go on; ends with status 1 if not."""
    port = port or installed_port() or USUAL_PORT
    try:
        answer = answer_at(port)
    except (OSError, ValueError) as error:
        raise click.ClickException(f"no companion answers at port {port}: {error}; is it running?") from None
    if not answer["ok"]:
        raise click.ClickException(str(answer["why"]))
    click.echo(f"companion {answer['version']} works; it has served for {answer['uptime_s']} s")


def answer_at(port: int) -> dict[str, Any]:
    """Return the companion's answer; OSError if there is none, ValueError if it is no companion."""
    import json
    from http.client import HTTPConnection, HTTPException

    connection = HTTPConnection("127.0.0.1", port, timeout=_PATIENCE)
    try:
        connection.request("GET", "/healthz")
        answer = json.loads(connection.getresponse().read())
    except HTTPException as error:
        raise ValueError(f"what answers there speaks no HTTP ({type(error).__name__})") from None
    except ValueError:  # neither JSON nor text
        raise ValueError("what answers there is another program") from None
    finally:
        connection.close()
    if not isinstance(answer, dict) or not {"ok", "why", "version", "uptime_s"} <= answer.keys():
        raise ValueError("what answers there is another program")
    return answer
