"""The commands of a hub over many tables, and the one that seals a table's games for it."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

import click

from companion.cli.common import data_directory, data_option, one_line, settings_option
from companion.cli.installed import installed

if TYPE_CHECKING:
    from companion.settings import MqttSettings

PORT = 8100
EXTRA = ("sqlalchemy", "alembic", "openskill")
"""The packages of the extra `hub` that every hub needs; psycopg is named by its database's address."""


@click.group(invoke_without_command=True)
@click.option(
    "--database",
    envvar="COMPANION_HUB_DATABASE",
    help="postgresql://user@host/name, or sqlite:///file.  [default: hub.sqlite in the data directory]",
)
@click.option(
    "--mqtt",
    metavar="ADDRESS",
    help="The tables' broker: mqtt://[user@]host[:port][/prefix], mqtts:// with TLS. "
    "Without it nothing is heard.",
)
@click.option(
    "--mqtt-password-file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="A file whose first line is the password of the user at the broker.",
)
@click.option(
    "--mqtt-ca",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Who vouches for the broker, where this machine does not know it.",
)
@click.option("--port", type=click.IntRange(1, 65535), default=PORT, show_default=True, help="Of its pages.")
@click.option(
    "--workers", type=click.IntRange(1, 64), default=1, show_default=True, help="Processes that serve."
)
@click.option("--host", "hosts", multiple=True, help="A name that it is reached by; may be given again.")
@click.option(
    "--proxy", "proxies", multiple=True, help="The address of a trusted proxy, in addition to this machine."
)
@click.option(
    "--keep",
    type=click.IntRange(1),
    default=400,
    show_default=True,
    help="Days for which single decisions are stored; results stay.",
)
@click.pass_context
def hub(
    context: click.Context,
    database: str | None,
    mqtt: str | None,
    mqtt_password_file: Path | None,
    mqtt_ca: Path | None,
    port: int,
    workers: int,
    hosts: tuple[str, ...],
    proxies: tuple[str, ...],
    keep: int,
) -> None:
    """Receive what many tables publish, and serve leagues and live pages over them, until Ctrl+C."""
    context.obj = database or _usual_database()
    if context.invoked_subcommand is not None:
        return
    _check_extra()
    from companion.http.sockets import listen
    from companion.hub.feed import Feed
    from companion.hub.health import Heartbeat, key_of
    from companion.hub.intake import Intake
    from companion.hub.judge import Judge
    from companion.hub.listener import Listener
    from companion.hub.retention import Retention
    from companion.hub.serve import Served, serve
    from companion.logs import start_logging

    start_logging("info")
    try:
        listening = listen(port)
    except OSError as error:
        raise click.ClickException(
            f"port {port}: {error.strerror}; end what uses it, or choose another with --port"
        ) from None
    engine = _engine(context)
    with engine.begin() as db:
        _print_code(db, renew=False)
    running: list[Any] = [Retention(engine, keep)]
    judge = listener = feed = None
    if mqtt is not None:
        broker = broker_at(mqtt, mqtt_password_file, mqtt_ca)
        judge, intake = Judge(context.obj), Intake(engine, later=True)
        intake.load()
        feed = Feed(_known_tables(engine), intake.may_show)
        listener = Listener(broker, intake, feed.receive)
        running += [feed, judge, listener]
    running.append(Heartbeat(engine, key_of(port), listener, judge))
    click.echo(f"the hub's pages: http://localhost:{port}/    Ctrl+C ends it; what was received stays.")
    for one in running:
        one.start()
    try:
        trusted = ("127.0.0.1", "::1", *proxies)
        served = Served(context.obj, hosts, trusted, key_of(port), feed.path if feed else None)
        serve(served, listening, workers)
    finally:
        listening.close()
        for one in reversed(running):
            one.stop()
        engine.dispose()


def _known_tables(engine: Any) -> list[tuple[str, bool, Any]]:
    from sqlalchemy import select

    from companion.hub.database import utc
    from companion.hub.schema import tables

    with engine.connect() as db:
        rows = db.execute(select(tables.c.name, tables.c.here, tables.c.heard)).all()
    return [(row.name, row.here, utc(row.heard)) for row in rows]


def broker_at(address: str, password_file: Path | None, ca: Path | None) -> MqttSettings:
    """Return the broker at an address such as mqtt://user@host:1883/prefix; UsageError for an invalid one.

    >>> broker_at("mqtts://hub@broker.lan/cafe", None, None).prefix
    'cafe'
    """
    from companion.settings import MqttSettings

    try:
        url = urlsplit(address)
        port = url.port
    except ValueError:
        url, port = urlsplit(""), None
    if url.scheme not in ("mqtt", "mqtts") or not url.hostname:
        raise click.UsageError(
            f"{address!r} is no broker: write mqtt://host, or mqtts://user@host:port/prefix"
        )
    if url.password is not None:
        raise click.UsageError(
            "a password stands in --mqtt-password-file: others can read a command's address"
        )
    return MqttSettings(
        url.hostname,
        port,
        user=unquote(url.username) if url.username else None,
        password_file=str(password_file) if password_file else None,
        tls=url.scheme == "mqtts",
        ca=str(ca) if ca else None,
        prefix=unquote(url.path).strip("/") or "companion",
    )


@hub.command("add-table")
@click.argument("name")
@click.option(
    "--broker",
    required=True,
    metavar="ADDRESS",
    help="As tables reach it: mqtt://hub.lan, mqtts:// with TLS, with a port or a prefix if it has one.",
)
@click.option(
    "--passwords",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("/etc/mosquitto/club-passwords"),
    show_default=True,
    help="Mosquitto's password file.",
)
def add_table(name: str, broker: str, passwords: Path) -> None:
    """Give the table NAME an account at the broker, and print the line with which it joins.

    Called again for the same table it makes a new password.
    """
    from companion.errors import InvalidInput
    from companion.hub.accounts import add, invitation

    broker_at(broker, None, None)
    try:
        line = invitation(broker, name, add(passwords, name))
    except InvalidInput as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        raise click.ClickException(f"{passwords}: {error.strerror}: run it with sudo") from None
    click.echo("Let the broker reload its passwords: sudo systemctl reload mosquitto")
    click.echo(f"Then at {name}, once:\n")
    click.echo(f"  companion join-club '{line}'\n")
    click.echo("Anyone who has this line can speak for the table: keep it secret.")


@hub.command()
@click.argument("table")
@click.pass_context
def accept(context: click.Context, table: str) -> None:
    """Let another machine be TABLE from now on: its records were rejected so far."""
    _check_extra()
    from companion.hub.intake import Intake

    count = Intake(_engine(context)).accept(table)
    click.echo(f"{one_line(table)} may have a new key; records that waited: {count}")


@hub.command("import")
@click.argument(
    "files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path)
)
@click.pass_context
def import_(context: click.Context, files: tuple[Path, ...]) -> None:
    """Import sealed records; each is replayed first and counts once, however often it comes.

    A table that was offline writes its own with `companion sealed`.
    """
    _check_extra()
    from companion.errors import InvalidInput
    from companion.hub.intake import Intake
    from companion.match.record import RecordError

    intake, refused = Intake(_engine(context)), 0
    for file in files:
        try:
            claim = intake.bring(file.read_bytes()).claim
            click.echo(f"{file}: game {claim.match} of {one_line(claim.table)}")
        except RecordError as error:
            refused += 1
            click.echo(f"{file}: line {error.line}: {one_line(error.reason)}", err=True)
        except (InvalidInput, OSError) as error:
            refused += 1
            click.echo(f"{file}: {one_line(str(error))}", err=True)
    if refused:
        raise SystemExit(1)


@hub.command()
@click.argument("directory", type=click.Path(file_okay=False, path_type=Path))
@click.pass_context
def export(context: click.Context, directory: Path) -> None:
    """Write every game that counts, sealed, and all results as results.csv and results.json, to DIRECTORY."""
    _check_extra()
    from companion.hub.results import as_csv, played, rows, sealed_games

    directory.mkdir(parents=True, exist_ok=True)
    with _engine(context).connect() as db:
        games = played(db)
        for name, body in sealed_games(db):
            (directory / name).write_text(body, "utf-8")
    (directory / "results.csv").write_text(as_csv(games), "utf-8", newline="")
    (directory / "results.json").write_text(json.dumps(rows(games), ensure_ascii=False, indent=1), "utf-8")
    click.echo(f"{len(games)} games are in {directory}")


@hub.command()
@click.pass_context
def code(context: click.Context) -> None:
    """Make a new code for the organisers; the former one becomes invalid."""
    with _engine(context).begin() as db:
        _print_code(db, renew=True)


@hub.command()
@click.argument("name")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.pass_context
def forget(context: click.Context, name: str, yes: bool) -> None:
    """Forget a player: results of others stay, of this one only that a person played."""
    _check_extra()
    from datetime import UTC, datetime

    from companion.hub.forgetting import forget as forgotten

    if not yes:
        click.confirm(f"forget {one_line(name)}? the organiser can undo it for 30 days", abort=True)
    with _engine(context).begin() as db:
        count = forgotten(db, name, datetime.now(UTC))
    click.echo(f"{one_line(name)} is forgotten, in {count} games")


@click.command()
@click.argument("directory", type=click.Path(file_okay=False, path_type=Path))
@click.option("--table", help="What it is called, if not as [mqtt] in the settings says, or the machine.")
@data_option
@settings_option
def sealed(directory: Path, table: str | None, data: Path | None, settings: Path | None) -> None:
    """Write this table's finished games, signed, to DIRECTORY, for a hub that missed them.

    `companion hub import` reads them there; a game that it knows counts once.
    """
    from msgspec.json import encode

    from companion.cli.common import machine_of, opened
    from companion.publishing.results import Results
    from companion.publishing.sealed import file_name

    if (here := installed(data)) is not None:
        given = {"--table": table, "--settings": None if settings is None else settings.absolute()}
        more = [word for option in given.items() if option[1] is not None for word in option if word]
        directory.mkdir(parents=True, exist_ok=True)
        with here.gathered(directory) as there:
            said = here.said_by("sealed", there, *more)
        click.echo(said.replace(str(there), str(directory)), nl=False)
        return
    data = data or data_directory()
    table = table or machine_of(settings, data, False).mqtt.name
    directory.mkdir(parents=True, exist_ok=True)
    count = 0
    with opened(data) as journal:
        for result in Results(journal, table, data).every():
            (directory / file_name(table, result.claim.match)).write_bytes(encode(result))
            count += 1
    click.echo(f"{count} games of {one_line(table)} are in {directory}")


def _usual_database() -> str:
    return f"sqlite:///{data_directory() / 'hub.sqlite'}"


def _check_extra() -> None:
    """Raise ClickException if a package is missing that a hub needs and a table does not."""
    for package in EXTRA:
        try:
            import_module(package)
        except ModuleNotFoundError as missing:
            raise click.ClickException(
                f"a hub needs {missing.name or package}, which a table does not: "
                "pip install 'race-companion[hub]'"
            ) from None


def _engine(context: click.Context) -> Any:
    _check_extra()
    from companion.errors import InvalidInput
    from companion.hub.database import opened

    if context.obj == _usual_database():
        data_directory().mkdir(parents=True, exist_ok=True)
    try:
        return opened(context.obj)
    except InvalidInput as error:
        raise click.ClickException(str(error)) from None


def _print_code(db: Any, renew: bool) -> None:
    from companion.hub.organiser import organiser_code, organiser_mark

    if renew or organiser_mark(db) is None:
        click.echo(f"the organiser's code, shown this once: {organiser_code(db)}")
