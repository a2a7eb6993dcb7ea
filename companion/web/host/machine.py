"""The settings that an owner may change on the host's page: what the table has, and whether it speaks.

They are in companion.toml. Only the lines that change are written; the file as it was stays next to it.
"""

from __future__ import annotations

import json
import re
import shutil
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec
from flask import Blueprint, current_app
from msgspec import Meta

from companion.errors import ConflictError
from companion.http.request import as_json, body, done
from companion.http.roles import needs
from companion.message import N_, Sentence
from companion.reply import Done
from companion.settings import PAD_KINDS, Settings, SettingsError, TrackKind, load, read
from companion.store.backup import write_private

machine_api = Blueprint("machine", __name__)

Value = bool | int | str


class MachineSettings(msgspec.Struct, forbid_unknown_fields=True):
    """What this table has, from the next start on; `pad` none: cards are tapped, `voice`: the Pi speaks."""

    pad: str
    panel: bool
    track: TrackKind
    spaces: Annotated[int, Meta(ge=1, le=40)]
    voice: bool
    language: Literal["en", "fr", "de"]


def machine_settings() -> MachineSettings | None:
    """Return the settings in the file; None if it has a mistake, or there is no file for them."""
    path = _path()
    if path is None:
        return None
    try:
        return _shown(load(path, Settings()))
    except SettingsError:
        return None


@machine_api.put("/api/machine")
@needs("host")
@as_json
def put_machine() -> Done:
    """Write the settings that an owner may change; they count from the next start."""
    wanted, path = body(MachineSettings), _path()
    before = machine_settings()
    if path is None or before is None:
        raise ConflictError("settings", Sentence(_MISTAKE))
    if wanted.pad not in ("none", before.pad, *PAD_KINDS):
        raise ConflictError("settings", Sentence(_NO_PAD, {"text": wanted.pad}))
    try:
        text = path.read_text("utf-8-sig") if path.exists() else ""
        changed = with_values(text, _values(before, wanted))
        read(changed, Settings())
        if path.exists():
            shutil.copy2(path, path.with_name(f"{path.name}.old"))
        new = path.with_name(f"{path.name}.new")
        with suppress(FileNotFoundError):
            new.unlink()
        write_private(changed.encode(), new)
        new.replace(path)
    except (OSError, SettingsError) as error:
        raise ConflictError("settings", Sentence(_UNWRITTEN, {"text": str(error)})) from None
    return done()


def _path() -> Path | None:
    path: Path | None = current_app.config["COMPANION_SETTINGS"]
    return path


def _shown(machine: Settings) -> MachineSettings:
    return MachineSettings(
        pad=machine.pad_kind or "none",
        panel=machine.panel,
        track=machine.track.kind,
        spaces=machine.track.spaces,
        voice=machine.sound.voice != "off",
        language=machine.sound.language,
    )


def _values(before: MachineSettings, wanted: MachineSettings) -> dict[tuple[str, str], Value]:
    """Return the values that change, by section and key."""
    every: dict[str, tuple[str, str, Value]] = {
        "pad": ("", "pad", False if wanted.pad == "none" else wanted.pad),
        "panel": ("", "panel", wanted.panel),
        "track": ("track", "kind", wanted.track),
        "spaces": ("track", "spaces", wanted.spaces),
        "voice": ("sound", "voice", "auto" if wanted.voice else "off"),
        "language": ("sound", "language", wanted.language),
    }
    changed = (every[name] for name in every if getattr(before, name) != getattr(wanted, name))
    return {(section, key): value for section, key, value in changed}


def with_values(text: str, values: dict[tuple[str, str], Value]) -> str:
    r"""Return the text of settings with other values by section and key; comments and all else stay.

    >>> with_values('pad = true  # mine\n[track]\nkind = "tag"\n', {("", "pad"): "usb"})
    'pad = "usb"  # mine\n[track]\nkind = "tag"\n'
    >>> with_values("", {("sound", "voice"): "auto"})
    '[sound]\nvoice = "auto"\n'
    """
    lines = text.splitlines()
    for (section, key), value in values.items():
        heads = [n for n, line in enumerate(lines) if line.lstrip().startswith("[")]
        head = next((n for n in heads if re.match(rf"\s*\[\s*{section}\s*\]", lines[n])), None)
        if section and head is None:
            head = len(lines)
            lines.append(f"[{section}]")
        first = 0 if head is None else head + 1
        last = next((n for n in heads if n >= first), len(lines))
        line = f"{key} = {json.dumps(value)}"
        for n in range(first, last):
            if found := re.fullmatch(rf"""\s*{key}\s*=\s*("[^"]*"|'[^']*'|[^#\s]+)(.*)""", lines[n]):
                lines[n] = f"{line}{found[2]}"
                break
        else:
            lines.insert(first, line)
    return "".join(f"{line}\n" for line in lines)


_MISTAKE: Final = N_("companion.toml has a mistake: companion settings, typed on the Pi, shows where")
_NO_PAD: Final = N_("there is no reader {text}")
_UNWRITTEN: Final = N_("the settings cannot be written: {text}")
