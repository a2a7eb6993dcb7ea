"""The command with which a table joins a club's hub."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import unquote, urlsplit

import click

from companion.cli.common import data_directory, data_option, one_line, reason, settings_option

PASSWORD = "mqtt-password"


@click.command("join-club")
@click.argument("line")
@data_option
@settings_option
def join_club(line: str, data: Path | None, settings: Path | None) -> None:
    """Publish what happens at this table to a club's hub. LINE is what `companion hub add-table` printed
    there.

    It writes the password to a private file, and [mqtt] to the settings.
    """
    from companion.plain_text import NotPlainTextError, decoded
    from companion.settings import Settings, SettingsError, read

    data = data or data_directory()
    settings = settings or data / "companion.toml"
    section, password = section_of(line, data / PASSWORD)
    try:
        text = decoded(settings.read_bytes()) if settings.exists() else ""
    except NotPlainTextError as error:
        raise click.ClickException(f"{settings}: {reason(error)}") from None
    if any(one.strip() == "[mqtt]" for one in text.splitlines()):
        raise click.ClickException(
            f"{settings} has [mqtt] already: delete that part first if the table is to join this club"
        )
    joined = f"{text}{section}" if not text or text.endswith("\n") else f"{text}\n{section}"
    try:
        read(joined, Settings(), str(settings))
    except SettingsError as error:
        raise click.ClickException(reason(error)) from None
    data.mkdir(parents=True, exist_ok=True)
    file = data / PASSWORD
    file.unlink(missing_ok=True)
    with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as new:
        new.write(f"{password}\n")
    settings.write_text(joined, "utf-8")
    click.echo(f"this table joins the club from its next start: {one_line(str(settings))} says how")


def section_of(line: str, password_file: Path) -> tuple[str, str]:
    """Return the part of the settings that this line means, and its password; UsageError for no such line.

    >>> print(section_of("mqtt://window-2:abc@hub.lan/cafe", Path("/data/mqtt-password"))[0])
    [mqtt]
    host = "hub.lan"
    user = "window-2"
    password_file = "/data/mqtt-password"
    prefix = "cafe"
    table = "window-2"
    <BLANKLINE>
    """
    from json import dumps

    try:
        url = urlsplit(line.strip())
        port = url.port
    except ValueError:
        url, port = urlsplit(""), None
    if url.scheme not in ("mqtt", "mqtts") or not url.hostname or not url.username or not url.password:
        raise click.UsageError(
            "this is not a line of companion hub add-table: mqtt://table:password@host/companion is one"
        )
    values: dict[str, object] = {"host": url.hostname}
    if port is not None:
        values["port"] = port
    values |= {"user": unquote(url.username), "password_file": str(password_file)}
    if url.scheme == "mqtts":
        values["tls"] = True
    if prefix := unquote(url.path).strip("/"):
        values["prefix"] = prefix
    values["table"] = unquote(url.username)
    lines = [f"{key} = {dumps(value, ensure_ascii=False)}" for key, value in values.items()]
    return "\n".join(["[mqtt]", *lines, ""]), unquote(url.password)
