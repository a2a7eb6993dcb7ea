"""Commands about the installed companion as a service: start, stop, restart, its log, and its state."""

from __future__ import annotations

import subprocess

import click

from companion.cli.common import failure, say
from companion.cli.health import answer_at
from companion.cli.installed import UNIT, USUAL_PORT, installed_port, is_active
from companion.message import N_


def _check_installed() -> None:
    if installed_port() is None:
        raise failure(N_("no companion is installed on this machine; one in a terminal ends with Ctrl+C"))


def _change(what: str) -> None:
    """Start, stop or restart the service; end the command if that fails."""
    _check_installed()
    if subprocess.run(["systemctl", what, UNIT]).returncode:
        raise failure(N_("that did not work; companion logs shows the last messages"))


@click.command()
def start() -> None:
    """Start the installed companion, if it was stopped."""
    _change("start")
    _print_address()


@click.command()
def stop() -> None:
    """Stop the installed companion until `companion start`, or until the machine starts again."""
    _change("stop")
    say(N_("the companion is stopped; a game goes on where it was after companion start"))


@click.command()
def restart() -> None:
    """Stop the installed companion and start it again, such as after a change of the settings."""
    _change("restart")
    _print_address()


@click.command()
@click.option("--lines", type=click.IntRange(1), default=50, show_default=True, help="How many messages.")
@click.option("--follow", is_flag=True, help="Go on with new ones until Ctrl+C.")
def logs(lines: int, follow: bool) -> None:
    """Show the last messages of the installed companion."""
    _check_installed()
    shown = ["journalctl", "--no-pager", "--unit", UNIT, "--lines", str(lines)]
    try:
        raise SystemExit(subprocess.run([*shown, *(["--follow"] if follow else [])]).returncode)
    except KeyboardInterrupt:
        raise SystemExit(0) from None


@click.command()
def status() -> None:
    """Say whether the installed companion runs and works, and where its pages are; ends with 1 if not."""
    _check_installed()
    port = installed_port() or USUAL_PORT
    if not is_active():
        raise failure(N_("the companion does not run: companion start starts it, companion logs says why"))
    try:
        answer = answer_at(port)
    except (OSError, ValueError) as error:
        raise failure(
            N_("the companion runs but does not answer ({text}): companion restart may help"), text=error
        ) from None
    if not answer["ok"]:
        raise failure(N_("the companion runs, but: {text}"), text=answer["why"])
    say(N_("companion {version} runs and works"), version=answer["version"])
    _print_address()


def _print_address() -> None:
    """Print where the pages are, or how to get into a network."""
    from companion.http.network import LOOPBACK, own_address, url

    address = own_address()
    if address == LOOPBACK:
        say_no_network()
        return
    pages = url(address, installed_port() or USUAL_PORT)
    say(N_("its pages: {address}/ on the tablet, {address}/host for the host"), address=pages)


def say_no_network() -> None:
    """Print what to do where neither tablet nor phone can reach this machine."""
    say(N_("This machine is in no network yet, so no tablet or phone can reach it. Do one of these:"))
    say(N_("- plug a network cable into it"))
    say(N_("- join your Wi-Fi: sudo nmtui, then Activate a connection"))
    say(N_("- let it make a Wi-Fi for the table: sudo companion install --hotspot"))
    say(N_("Then companion status shows the address; a screen at this machine shows it above the login."))
