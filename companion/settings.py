"""`companion.toml`: the hardware and network of this table, read once, checked and frozen.

May use the pins, the levels of the log, plug-ins for readers, and `toml_mistakes.py`.
"""

from __future__ import annotations

import difflib
import ipaddress
import re
import socket
import tomllib
from collections.abc import Collection
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeVar, get_args, get_type_hints

import msgspec
from msgspec import Meta, Struct, field

from companion import plugins
from companion.errors import InvalidInput
from companion.logs import LEVELS, Level
from companion.message import N_, Sentence
from companion.pins import PI_PINS
from companion.plain_text import NotPlainTextError, decoded
from companion.toml_mistakes import corrected, mistakes, shown

TrackKind = Literal["tag", "present", "none"]
TRACK_KINDS: Final[tuple[TrackKind, ...]] = get_args(TrackKind)
PadKind = Literal["spi", "usb", "pcsc"]
PAD_KINDS: Final[tuple[PadKind, ...]] = get_args(PadKind)
TagFormat = Literal["auto", "hex", "hex-reversed", "decimal", "decimal-reversed"]
TAG_FORMATS: Final[tuple[TagFormat, ...]] = get_args(TagFormat)
VoiceProgram = Literal["off", "auto", "piper", "espeak-ng"]
VOICES: Final[tuple[VoiceProgram, ...]] = get_args(VoiceProgram)
_GAINS: Final = "18, 23, 33, 38, 43 or 48"  # RxGain of RFCfgReg, in dB
_MOST_POWER: Final = 63  # CWGsPReg has six bits
_LAST_PIN: Final = 27  # the highest GPIO on the Pi's header
_PIN: Final = f"a GPIO from 0 to {_LAST_PIN}"
_LABEL: Final = r"[a-zA-Z0-9_](?:[a-zA-Z0-9_-]{0,61}[a-zA-Z0-9_])?"
_HOST: Final = rf"^(?!.{{254}}){_LABEL}(?:\.{_LABEL})*\Z"
_HOSTS: Final = "a list of names such as race.lan, each without http://, port or *"
_NAME: Final = r"^([a-z0-9]([a-z0-9-]{0,58}[a-z0-9])?)?\Z"  # with a number after it, a label of DNS
_A_NAME: Final = 'small letters and digits such as "companion", for companion.local, or ""'
_A_MODEL: Final = "the path of a voice for piper, such as /var/lib/race-companion/voice.onnx"
_BROKER: Final = rf"{_HOST}|^(?=.*:)[0-9a-fA-F:]+\Z"
_A_BROKER: Final = 'a name or an address such as "broker.lan", without mqtt:// or port'
_LEVEL: Final = r"[\w.-]{1,60}"  # of a topic: neither +, # and $, which have a meaning there, nor a space
_A_PREFIX: Final = 'letters, digits and hyphens such as "companion", levels parted by /'
_A_TABLE: Final = 'letters, digits and hyphens such as "window-2"'
_A_FILE: Final = "the path of a file, such as /var/lib/race-companion/mqtt-password"
_SPI: Final = "0 or more, as in /dev/spidev0.0"
_PADS: Final = 'true or false, or which: "spi", "usb", "pcsc"'
_LONGEST_REPEAT: Final = 60
_REPEAT: Final = f"0 to {_LONGEST_REPEAT} seconds, such as 6"
_READER: Final = 'its numbers such as "ffff:0035", or a part of its name'

_PORT: Final = (
    "(?::0*(?:[1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]))?"
)
_SITE: Final = rf"^https?://{_HOST[1:-2]}{_PORT}\Z"
_SITES: Final = 'a list of sites such as "https://stream.example", without a path'
_URL: Final = rf"^(?=[!-~]*\Z)https?://({_LABEL}(?:\.{_LABEL})*\.?|\[[0-9a-fA-F:.]+\]){_PORT}([/?]|\Z)"
_SECRET: Final = r"^(?!whsec_)|^whsec_(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?\Z"
_AN_URL: Final = 'an address such as "http://192.168.1.20:1880/race"'
_A_SECRET: Final = "base64 behind whsec_, or any other text"

Power = Annotated[int, Meta(ge=0, le=_MOST_POWER)]
Gain = Literal[18, 23, 33, 38, 43, 48]
Pin = Annotated[int, Meta(ge=0, le=_LAST_PIN, description=_PIN)]
Host = Annotated[str, Meta(pattern=_HOST)]
Reader = Annotated[str, Meta(pattern=r"\S", description=_READER)]
File = Annotated[str, Meta(pattern=r"^/[^\0]*\Z")]
Broker = Annotated[str, Meta(pattern=_BROKER)]
Happening = Literal["new", "decide", "change", "undo", "redo", "trust", "aside", "resume", "end", "won"]
Site = Annotated[str, Meta(pattern=_SITE)]
IpPort = Annotated[int, Meta(ge=1, le=65535)]


class SettingsError(InvalidInput):
    """Invalid settings; the text names the error and what to write instead."""


class NotTomlError(SettingsError):
    """A file that is not TOML, or no plain text; `sentence` can be translated for the reader."""

    def __init__(self, sentence: Sentence) -> None:
        super().__init__(str(sentence))
        self.sentence = sentence


class TrackSettings(Struct, frozen=True):
    """A sensing track: `spaces` readers or switches under the first spaces of the loop or course.

    `power` is the readers' transmit power, 0 to 63, one for all or one each; None: as the chip has it after a
    reset (32). `gain` is that of their receivers in dB, likewise (33). `antennas`: how many may be on at
    once, 2 or, as a safe mode, 1.
    """

    kind: Annotated[TrackKind, Meta(description=f"one of {', '.join(TRACK_KINDS)}")] = "none"
    spaces: Annotated[int, Meta(ge=1, le=40, description="1 to 40")] = 22
    port: Annotated[File | None, Meta(description="the path of a port, such as /dev/ttyACM0")] = None
    power: Annotated[
        Power | tuple[Power, ...] | None, Meta(description=f"0 to {_MOST_POWER}, or a list of such")
    ] = None
    gain: Annotated[Gain | tuple[Gain, ...] | None, Meta(description=f"{_GAINS}, or a list of such")] = None
    antennas: Annotated[Literal[1, 2], Meta(description="2 or, as a safe mode, 1")] = 2

    @property
    def powers(self) -> tuple[int, ...]:
        """The transmit power of each reader; () if none is set."""
        if isinstance(self.power, int):
            return (self.power,) * self.spaces
        return self.power or ()

    @property
    def gains(self) -> tuple[int, ...]:
        """The gain of each receiver in dB; () if none is set."""
        if isinstance(self.gain, int):
            return (self.gain,) * self.spaces
        return self.gain or ()


class SoundSettings(Struct, frozen=True):
    """The speech of this machine itself, in addition to the voices of the browsers.

    `voice`: the program that speaks, "auto" for the first one that is there, piper first; `language`: its
    language; `model`: the file of piper's voice, without which it cannot speak.
    """

    voice: Annotated[VoiceProgram, Meta(description=f"one of {', '.join(VOICES)}")] = "off"
    language: Annotated[Literal["en", "fr", "de"], Meta(description="one of en, fr, de")] = "en"
    model: Annotated[File | None, Meta(description=_A_MODEL)] = None


class MqttSettings(Struct, frozen=True):
    """The MQTT broker to which this table publishes; none without a `host`.

    `port`: None for 1883, or 8883 with `tls`; `ca`: the file of the authority that vouches for the broker,
    where the machine does not know it. The password of `user` is the first line of `password_file`: it is not
    in here, for copies of the settings go to other devices. Topics begin with `prefix` and the name of the
    `table`; "": the machine's own name. `home_assistant`: true if Home Assistant finds the table through the
    broker.
    """

    host: Annotated[Broker | None, Meta(description=_A_BROKER)] = None
    port: Annotated[IpPort | None, Meta(description="1 to 65535")] = None
    user: str | None = None
    password_file: Annotated[File | None, Meta(description=_A_FILE)] = None
    tls: bool = False
    ca: Annotated[File | None, Meta(description=_A_FILE)] = None
    prefix: Annotated[str, Meta(pattern=rf"^{_LEVEL}(/{_LEVEL})*\Z", description=_A_PREFIX)] = "companion"
    table: Annotated[str, Meta(pattern=rf"^({_LEVEL})?\Z", description=_A_TABLE)] = ""
    home_assistant: bool = False

    @property
    def name(self) -> str:
        """The name of this table in topics: as it was set, or the machine's own name made safe."""
        return self.table or re.sub(r"[^\w.-]", "-", socket.gethostname()) or "table"

    @property
    def port_there(self) -> int:
        """The broker's port.

        >>> MqttSettings("broker.lan").port_there, MqttSettings("broker.lan", tls=True).port_there
        (1883, 8883)
        """
        return self.port or (8883 if self.tls else 1883)


class HookSettings(Struct, frozen=True):
    """A web address to which this table posts its events.

    `events`: which; () for all. `secret`: the key of the signature; "": none. `anywhere`: true if it may be
    outside of the local network.
    """

    url: Annotated[str, Meta(pattern=_URL, description=_AN_URL)] = ""
    events: Annotated[
        tuple[Happening, ...], Meta(description=f"a list of {', '.join(get_args(Happening))}")
    ] = ()
    secret: str = ""
    anywhere: bool = False


class Settings(Struct, frozen=True):
    """The machine of this table. The default is a table without any hardware: every tier plays every game.

    `pad`: the reader of cards, "spi" the MFRC522 on the Pi's pins (true means the same), "usb" a reader that
    types, "pcsc" a reader of PC/SC, or the name of a plug-in's; false: none. `usb_reader`: which one, by its
    USB numbers or a part of its name, where there are several; `usb_format`: how one that types writes a UID
    (devices/uid_text.py); `usb_repeat`: for so many seconds a card that it types again is the same card, and
    still there. `hosts`: names that it answers to in addition to its own; `proxy`: the addresses of the
    programs that pass requests on to it, such as a web server in front of it, and whose headers are
    trusted. `name`: the name of this machine in its network, "companion" for companion.local; "": only its
    own name. `frames`: the sites whose pages may show /overlay inside of them. `log`: the lowest level that
    is written to the console and the system's journal.
    """

    pad: Annotated[bool | str, Meta(description=_PADS)] = False
    usb_reader: Annotated[Reader | None, Meta(description=_READER)] = None
    usb_format: Annotated[TagFormat, Meta(description=f"one of {', '.join(TAG_FORMATS)}")] = "auto"
    usb_repeat: Annotated[float, Meta(ge=0, le=_LONGEST_REPEAT, description=_REPEAT)] = 6.0
    panel: bool = False
    track: TrackSettings = TrackSettings()
    sound: SoundSettings = SoundSettings()
    mqtt: MqttSettings = MqttSettings()
    hook: tuple[HookSettings, ...] = ()
    spi_bus: Annotated[int, Meta(ge=0, description=_SPI)] = 0
    spi_device: Annotated[int, Meta(ge=0, description=_SPI)] = 0
    hosts: Annotated[tuple[Host, ...], Meta(description=_HOSTS)] = ()
    proxy: Annotated[
        str | tuple[str, ...], Meta(description='an address such as "127.0.0.1", or a list of them')
    ] = ()
    frames: Annotated[tuple[Site, ...], Meta(description=_SITES)] = ()
    pins: dict[str, int] = field(default_factory=lambda: dict(PI_PINS))
    name: Annotated[str, Meta(pattern=_NAME, description=_A_NAME)] = "companion"
    log: Annotated[Level, Meta(description=f"one of {', '.join(LEVELS)}")] = "warning"

    @property
    def pad_kind(self) -> str | None:
        """The reader of cards, a PadKind or a plug-in's; None: none, cards are tapped.

        >>> Settings(pad=True).pad_kind
        'spi'
        """
        if isinstance(self.pad, bool):
            return "spi" if self.pad else None
        return self.pad

    @property
    def proxies(self) -> tuple[str, ...]:
        """The addresses of the proxies; () if there is none."""
        return (self.proxy,) if isinstance(self.proxy, str) else self.proxy


MOCK: Final = Settings(pad=True, panel=True, track=TrackSettings("tag"), name="")
S = TypeVar("S", bound=Struct)

_PLAIN: Final = {"bool": "true or false", "int": "a whole number", "str": "text"}


def read(text: str, default: Settings, where: str = "companion.toml") -> Settings:
    r"""Return the settings in `text` (TOML) over `default`; raises SettingsError.

    >>> read('pad = true', Settings()).pad
    True
    >>> read('[track]\nspcaes = 12', Settings())
    Traceback (most recent call last):
    companion.settings.SettingsError: companion.toml: [track]: unknown key 'spcaes'; do you mean 'spaces'?
    """
    try:
        remaining = tomllib.loads(text)
    except (ValueError, RecursionError):  # TOMLDecodeError, and Python's error for an endless number
        raise NotTomlError(_mistakes(text, where)) from None
    _check_keys(remaining, Settings.__struct_fields__, where)
    track = _table(remaining, "track", "with kind, spaces and port", where)
    pins = _table(remaining, "pins", "of pin numbers", where)
    sound = _table(remaining, "sound", "with voice, language and model", where)
    mqtt = _table(remaining, "mqtt", "with host, user and password_file", where)
    hooks = _tables(remaining, "hook", "with url, events and secret", where)
    machine = _over(default, remaining, where)
    _check_pad(machine, where)
    for proxy in machine.proxies:
        _check_address(proxy, f"{where}: proxy")
    return msgspec.structs.replace(
        machine,
        track=_track(track, default.track, f"{where}: [track]"),
        sound=_sound(sound, default.sound, f"{where}: [sound]"),
        mqtt=_mqtt(mqtt, default.mqtt, f"{where}: [mqtt]"),
        hook=tuple(_hook(hook, f"{where}: [[hook]]") for hook in hooks) or default.hook,
        pins=_pins(pins, default.pins, f"{where}: [pins]"),
    )


def _mistakes(text: str, where: str) -> Sentence:
    """Return the first mistakes in a text that is not TOML."""
    found = mistakes(text)[:_MOST_SHOWN]
    values: dict[str, Any] = {f"then_{number}": shown(text, one) for number, one in enumerate(found)}
    parts = [f"{{{name}}}" for name in values]
    if corrected(text) is not None:
        parts.append("{then_fix}")
        values["then_fix"] = Sentence(_FIX)
    return Sentence("{path}: " + "\n".join(parts), {"path": where, **values})


def corrected_text(content: bytes) -> str | None:
    """Return the text of a settings file without its mistakes; None if there are none or one is uncertain.

    SettingsError for what is no plain text, and if the corrected text has a value that is not possible.
    """
    text = _decoded(content, "companion.toml")
    correct = corrected(text)
    if correct is None or correct == text:
        return None
    read(correct, Settings())
    return correct


def _decoded(content: bytes, where: str) -> str:
    try:
        return decoded(content)
    except NotPlainTextError as error:
        raise NotTomlError(
            Sentence("{path}: {then_why}", {"path": where, "then_why": error.sentence})
        ) from None


def _check_pad(machine: Settings, where: str) -> None:
    """Check for a known kind, or one of a plug-in, which may be broken: then it reports that and cards are
    tapped.
    """
    if machine.pad_kind in (None, *PAD_KINDS) or machine.pad in plugins.names("companion.readers"):
        return
    others = "".join(f', "{name}"' for name in plugins.names("companion.readers"))
    raise SettingsError(f"{where}: pad must be {_PADS}{others}, not {machine.pad!r}")


def _check_address(text: str, what: str) -> None:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        raise SettingsError(f'{what} must be an address such as "127.0.0.1", not {text!r}') from None


def _table(remaining: dict[str, Any], name: str, of: str, where: str) -> dict[str, Any]:
    """Remove a table from the given ones and return it; empty if it is not there."""
    table = remaining.pop(name, {})
    if not isinstance(table, dict):
        raise SettingsError(f"{where}: [{name}] must be a table {of}")
    return table


def _tables(remaining: dict[str, Any], name: str, of: str, where: str) -> list[dict[str, Any]]:
    """Remove tables of one name from the given ones and return them; empty if there is none."""
    tables = remaining.pop(name, [])
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise SettingsError(f"{where}: [[{name}]] must be tables {of}")
    return tables


def _track(table: dict[str, Any], default: TrackSettings, where: str) -> TrackSettings:
    track = _over(default, table, where)
    for name, each in (("power", track.power), ("gain", track.gain)):
        if isinstance(each, tuple) and len(each) != track.spaces and name in table:
            many = len(each)
            raise SettingsError(f"{where}: {name} names {many} readers, but there are {track.spaces} spaces")
    return track


def _sound(table: dict[str, Any], default: SoundSettings, where: str) -> SoundSettings:
    sound = _over(default, table, where)
    if sound.voice == "piper" and sound.model is None:
        raise SettingsError(f"{where}: piper needs a model, {_A_MODEL}")
    return sound


def _mqtt(table: dict[str, Any], default: MqttSettings, where: str) -> MqttSettings:
    if "password" in table:  # its value is not repeated
        raise SettingsError(f"{where}: write the password into a file, and as password_file {_A_FILE}")
    mqtt = _over(default, table, where)
    if table and mqtt.host is None:
        raise SettingsError(f"{where}: host is missing: {_A_BROKER}")
    if mqtt.user is None and mqtt.password_file is not None:
        raise SettingsError(f"{where}: there is a password_file, but no user")
    if mqtt.ca is not None and not mqtt.tls:
        raise SettingsError(f"{where}: ca is for tls = true")
    return mqtt


def _hook(table: dict[str, Any], where: str) -> HookSettings:
    if "url" not in table:
        raise SettingsError(f"{where}: url is missing: {_AN_URL}")
    secret = table.get("secret", "")
    if not isinstance(secret, str) or not re.match(_SECRET, secret):  # it is not repeated
        raise SettingsError(f"{where}: secret must be {_A_SECRET}")
    hook = _over(HookSettings(), table, where)
    try:
        bracketed = re.match(r"https?://\[(.*?)\]", hook.url)
        ipaddress.IPv6Address(bracketed[1] if bracketed else "::")
    except ValueError:
        raise SettingsError(f"{where}: url must be {_AN_URL}, not {hook.url!r}") from None
    return hook


def _pins(table: dict[str, Any], default: dict[str, int], where: str) -> dict[str, int]:
    _check_keys(table, PI_PINS, where)
    chosen = default | {name: _fitting(pin, Pin, f"{where}: {name}") for name, pin in table.items()}
    twice = {pin for pin in chosen.values() if list(chosen.values()).count(pin) > 1}
    if twice:
        raise SettingsError(f"{where}: GPIO {min(twice)} is used twice")
    return chosen


def _over(default: S, table: dict[str, Any], where: str) -> S:
    """Return these settings with the values of the table, each checked for its type."""
    _check_keys(table, default.__struct_fields__, where)
    hints = get_type_hints(type(default), include_extras=True)
    values = {key: _fitting(value, hints[key], f"{where}: {key}") for key, value in table.items()}
    return msgspec.structs.replace(default, **values)


def _check_keys(table: dict[str, Any], known: Collection[str], where: str) -> None:
    for key in table:
        if key not in known:
            near = difflib.get_close_matches(key, known, 1)
            hint = f"; do you mean {near[0]!r}?" if near else f"; known are {', '.join(sorted(known))}"
            raise SettingsError(f"{where}: unknown key {key!r}{hint}")


def _fitting(value: Any, hint: Any, what: str) -> Any:
    """Return the value if it is of this type and in its bounds."""
    try:
        return msgspec.convert(value, hint)
    except msgspec.ValidationError as error:
        expected = re.match(r"Expected `(\w+)(?: \| null)?`, got `\w+`$", str(error))
        plain = _PLAIN.get(expected[1]) if expected else None
        described = next((meta.description for meta in getattr(hint, "__metadata__", ())), None)
        raise SettingsError(f"{what} must be {plain or described}, not {value!r}") from None


def load(path: Path, default: Settings) -> Settings:
    """Return the settings in the file at `path`, or `default` where there is none; raises SettingsError."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        _check_name(path)
        return default
    except OSError as error:
        raise SettingsError(f"{path}: cannot be read: {error.strerror or error}") from None
    return read(_decoded(content, str(path)), default, str(path))


def _check_name(path: Path) -> None:
    """Raise SettingsError if a program has added its own ending to the file's name."""
    for ending in _ENDINGS:
        if path.with_name(path.name + ending).exists():
            raise NotTomlError(Sentence(_MISNAMED, {"path": f"{path}{ending}", "text": path.name}))


_ENDINGS: Final = (".txt", ".rtf", ".docx", ".odt")
_MOST_SHOWN: Final = 5
_FIX: Final = N_("companion settings --fix corrects this, and keeps a copy of the file as it is now")
_MISNAMED: Final = N_("{path}: rename this file to {text}; a program has added an ending to its name")
