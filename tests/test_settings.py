"""`companion.toml`: what may stand in it, over which default, and what is said about the rest."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.pins import PI_PINS
from companion.settings import (
    MOCK,
    HookSettings,
    MqttSettings,
    Settings,
    SettingsError,
    TrackSettings,
    load,
    read,
)

GOOD = [
    # what it shows, the file, what follows from it over a table without hardware
    ("nothing", "", Settings()),
    ("a remark", "# my table\n", Settings()),
    ("a pad", "pad = true", Settings(pad=True)),
    ("a reader that types", 'pad = "usb"', Settings(pad="usb")),
    (
        "which one, and how it writes",
        'pad = "usb"\nusb_reader = "ffff:0035"\nusb_format = "decimal-reversed"\nusb_repeat = 4.5',
        Settings(pad="usb", usb_reader="ffff:0035", usb_format="decimal-reversed", usb_repeat=4.5),
    ),
    ("pad and panel", "pad = true\npanel = true", Settings(pad=True, panel=True)),
    ("a track has a length", '[track]\nkind = "tag"\nspaces = 12', Settings(track=TrackSettings("tag", 12))),
    ("presence only", '[track]\nkind = "present"', Settings(track=TrackSettings("present", 22))),
    (
        "a port",
        '[track]\nkind = "tag"\nport = "/dev/ttyACM1"',
        Settings(track=TrackSettings("tag", 22, "/dev/ttyACM1")),
    ),
    (
        "gain for all readers, and for each",
        "[track]\nspaces = 2\ngain = [33, 48]",
        Settings(track=TrackSettings("none", 2, gain=(33, 48))),
    ),
    ("one space and forty", "[track]\nspaces = 1", Settings(track=TrackSettings("none", 1))),
    ("a pin that differs", "[pins]\nbuzzer = 13", Settings(pins=PI_PINS | {"buzzer": 13})),
    (
        "two pins exchanged",
        "[pins]\nundo = 5\nconfirm = 6",
        Settings(pins=PI_PINS | {"undo": 5, "confirm": 6}),
    ),
    ("another reader", "spi_bus = 1\nspi_device = 1", Settings(spi_bus=1, spi_device=1)),
    ("more said", 'log = "debug"', Settings(log="debug")),
    ("more names", 'hosts = ["race.lan", "pi"]', Settings(hosts=("race.lan", "pi"))),
    (
        "sites that frame it",
        'frames = ["https://stream.example", "http://192.168.1.9:8080"]',
        Settings(frames=("https://stream.example", "http://192.168.1.9:8080")),
    ),
    (
        "hooks",
        '[[hook]]\nurl = "http://bar.lan:1880/race?x=1"\n[[hook]]\nurl = "https://[fd00::1]/"\nevents = ["won"]\n'
        'secret = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"\nanywhere = true',
        Settings(
            hook=(
                HookSettings("http://bar.lan:1880/race?x=1"),
                HookSettings("https://[fd00::1]/", ("won",), "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD", True),
            )
        ),
    ),
    ("a broker", '[mqtt]\nhost = "broker.lan"', Settings(mqtt=MqttSettings("broker.lan"))),
    ("a broker by a long address", '[mqtt]\nhost = "fd00::1"', Settings(mqtt=MqttSettings("fd00::1"))),
    (
        "a broker with a lock",
        '[mqtt]\nhost = "10.0.0.2"\ntls = true\nca = "/ca.pem"\nuser = "table"\npassword_file = "/x"\n'
        'prefix = "café/race"\ntable = "window-2"',
        Settings(
            mqtt=MqttSettings(
                "10.0.0.2",
                user="table",
                password_file="/x",
                tls=True,
                ca="/ca.pem",
                prefix="café/race",
                table="window-2",
            )
        ),
    ),
]


@pytest.mark.parametrize(("text", "settings"), [row[1:] for row in GOOD], ids=[row[0] for row in GOOD])
def test_what_is_written_is_what_the_machine_has(text: str, settings: Settings) -> None:
    assert read(text, Settings()) == settings


def test_what_is_left_out_is_the_default() -> None:
    """Over the mock table only what is written changes."""
    assert read("pad = false", MOCK) == Settings(pad=False, panel=True, track=TrackSettings("tag"), name="")
    assert read('[track]\nkind = "none"', MOCK).pad
    assert read("[track]\nspaces = 6", MOCK).track == TrackSettings("tag", 6)


def test_the_mock_table_has_everything_and_the_real_one_nothing() -> None:
    """Mock default: pad, panel, 22 tag spaces; never mock, or any hardware, by itself."""
    assert (MOCK.pad, MOCK.panel, MOCK.track) == (True, True, TrackSettings("tag", 22))
    assert (Settings().pad, Settings().panel, Settings().track.kind) == (False, False, "none")


def test_true_is_the_reader_on_the_pins() -> None:
    """`pad = true` stays what it was before there were others."""
    assert [Settings(pad=pad).pad_kind for pad in (True, False, "spi", "usb", "pcsc")] == [
        "spi",
        None,
        "spi",
        "usb",
        "pcsc",
    ]


def test_settings_are_frozen() -> None:
    with pytest.raises(AttributeError, match="immutable"):
        Settings().pad = True  # type: ignore[misc]


BAD = [
    # what is wrong, the file, what is said
    ("an unknown key, near one", "pda = true", "unknown key 'pda'; do you mean 'pad'?"),
    (
        "an unknown key, near none",
        "colour = 1",
        "unknown key 'colour'; known are frames, hook, hosts, log, mqtt, name, pad, panel, pins, ",
    ),
    ("a key of a table outside it", "spaces = 12", "unknown key 'spaces'"),
    (
        "an unknown key of the track",
        "[track]\nspcaes = 1",
        "[track]: unknown key 'spcaes'; do you mean 'spaces'?",
    ),
    ("an unknown pin", "[pins]\nbuzer = 13", "[pins]: unknown key 'buzer'; do you mean 'buzzer'?"),
    ("no TOML", "pad: true", "write an equals sign here"),
    ("nested 10,000 deep", "pad = " + "[" * 10_000, "it is nested too deeply"),
    ("a number of 5,000 digits", "pad = " + "9" * 5_000, "digits"),
    ("a key twice", "pad = true\npad = true", "this is there twice: delete one of the two"),
    ("a torn file", '[track]\nkind = "ta', "text is between straight quotation marks"),
    ("yes for true", 'pad = "yes"', 'pad must be true or false, or which: "spi", "usb", "pcsc", not \'yes\''),
    ("one for true", "pad = 1", 'pad must be true or false, or which: "spi", "usb", "pcsc", not 1'),
    ("nought for false", "pad = 0", 'pad must be true or false, or which: "spi", "usb", "pcsc", not 0'),
    (
        "a reader of no name",
        'usb_reader = " "',
        'usb_reader must be its numbers such as "ffff:0035", or a part of its name',
    ),
    (
        "a format that there is not",
        'usb_format = "octal"',
        "usb_format must be one of auto, hex, hex-reversed, decimal, ",
    ),
    ("a repeat for hours", "usb_repeat = 3600", "usb_repeat must be 0 to 60 seconds, such as 6"),
    ("a pad that is a table", "[pad]\nport = 1", "pad must be true or false"),
    ("a track that is none", "track = 22", "[track] must be a table with kind, spaces and port"),
    ("a list of tracks", '[[track]]\nkind = "tag"', "[track] must be a table"),
    (
        "an unknown kind",
        '[track]\nkind = "tags"',
        "[track]: kind must be one of tag, present, none, not 'tags'",
    ),
    ("a kind that is a number", "[track]\nkind = 1", "[track]: kind must be text, not 1"),
    (
        "a gain for too few",
        "[track]\nspaces = 3\ngain = [33, 48]",
        "[track]: gain names 2 readers, but there are 3 spaces",
    ),
    (
        "a gain that no receiver has",
        "[track]\ngain = 30",
        "[track]: gain must be 18, 23, 33, 38, 43 or 48, or a list of such, not 30",
    ),
    ("no space", "[track]\nspaces = 0", "[track]: spaces must be 1 to 40, not 0"),
    ("too many spaces", "[track]\nspaces = 41", "[track]: spaces must be 1 to 40, not 41"),
    ("spaces 22.0", "[track]\nspaces = 22.0", "[track]: spaces must be a whole number, not 22.0"),
    ("spaces true", "[track]\nspaces = true", "[track]: spaces must be a whole number, not True"),
    ("spaces as a text", '[track]\nspaces = "22"', "[track]: spaces must be a whole number, not '22'"),
    ("a port that is a number", "[track]\nport = 1", "[track]: port must be text, not 1"),
    ("a bus that is false", "spi_bus = false", "spi_bus must be a whole number, not False"),
    ("a bus that is 0.0", "spi_bus = 0.0", "spi_bus must be a whole number, not 0.0"),
    ("pins that are no table", "pins = [5]", "[pins] must be a table of pin numbers"),
    ("a pin with a name", '[pins]\nundo = "GPIO6"', "[pins]: undo must be a whole number, not 'GPIO6'"),
    ("a pin that there is not", "[pins]\nundo = 28", "[pins]: undo must be a GPIO from 0 to 27, not 28"),
    ("a pin below none", "[pins]\nundo = -1", "[pins]: undo must be a GPIO from 0 to 27, not -1"),
    ("a pin twice", "[pins]\nundo = 12", "[pins]: GPIO 12 is used twice"),
    (
        "a level that there is not",
        'log = "loud"',
        "log must be one of debug, info, warning, error, not 'loud'",
    ),
    ("a bus below none", "spi_bus = -4", "spi_bus must be 0 or more, as in /dev/spidev0.0, not -4"),
    ("a device below none", "spi_device = -1", "spi_device must be 0 or more"),
    ("no port at all", '[track]\nport = ""', "port must be the path of a port, such as /dev/ttyACM0, not ''"),
    ("a port of another system", '[track]\nport = "COM3"', "port must be the path of a port"),
    ("a port with a zero byte", '[track]\nport = "/dev/tty\\u0000"', "port must be the path of a port"),
    *(
        (f"a host {wrong!r}", f"hosts = ['pi', '{wrong}']", "hosts must be a list of names such as race.lan")
        for wrong in (
            "",
            "*",
            "*.lan",
            "a b",
            "http://pi",
            "pi:8000",
            "pi.",
            ".pi",
            "-pi",
            "pi/x",
            "a" * 254,
            "a" * 64,
        )
    ),
    *(
        (
            f"a site {wrong!r}",
            f"frames = [{wrong!r}]",
            'frames must be a list of sites such as "https://stream.example", without a path',
        )
        for wrong in (
            "",
            "*",
            "https:",
            "https://*",
            "https://*.example",
            "stream.example",
            "https://stream.example/",
            "https://stream.example/room",
            "https://stream.example; script-src *",
            "https://stream.example *",
            "https://stream.example\\n",
            "https://u@stream.example",
            "https://stream.example:",
            "https://stream.example:123456",
            "https://stream.example:99999",
            "https://stream.example:0",
            "ws://stream.example",
            "'none'",
        )
    ),
    ("a site as a text", 'frames = "https://stream.example"', "frames must be a list of sites"),
    ("hosts as a text", 'hosts = "race.lan"', "hosts must be a list of names"),
    ("hosts that are numbers", "hosts = [1]", "hosts must be a list of names"),
    (
        "a broker that is no table",
        'mqtt = "broker.lan"',
        "[mqtt] must be a table with host, user and password_file",
    ),
    (
        "a broker nowhere",
        '[mqtt]\nuser = "x"',
        '[mqtt]: host is missing: a name or an address such as "broker.lan"',
    ),
    *(
        (f"a broker {wrong!r}", f"[mqtt]\nhost = '{wrong}'", "[mqtt]: host must be a name or an address")
        for wrong in ("", "mqtt://broker", "broker:1883", "a b", "-broker", "a..b", "a" * 64)
    ),
    ("a broker's port", '[mqtt]\nhost = "b"\nport = 65536', "[mqtt]: port must be 1 to 65535, not 65536"),
    (
        "a password",
        '[mqtt]\nhost = "b"\nuser = "u"\npassword = "x"',
        "write the password into a file, and as password_file",
    ),
    (
        "a password of nobody",
        '[mqtt]\nhost = "b"\npassword_file = "/x"',
        "there is a password_file, but no user",
    ),
    ("who vouches for nothing", '[mqtt]\nhost = "b"\nca = "/ca.pem"', "ca is for tls = true"),
    *(
        (
            f"a prefix {wrong!r}",
            f"[mqtt]\nhost = 'b'\nprefix = '{wrong}'",
            "[mqtt]: prefix must be letters, digits",
        )
        for wrong in ("", "/a", "a/", "a//b", "a/#", "+", "$SYS", "a b")
    ),
    (
        "hooks that are no tables",
        'hook = "http://bar.lan"',
        "[[hook]] must be tables with url, events and secret",
    ),
    ("a hook nowhere", '[[hook]]\nsecret = "x"', "[[hook]]: url is missing: an address such as"),
    *(
        (f"a hook to {wrong!r}", f"[[hook]]\nurl = {wrong!r}", "[[hook]]: url must be an address such as")
        for wrong in (
            "",
            "bar.lan",
            "ftp://bar.lan/",
            "http://",
            "http://u:p@bar.lan/",
            "http://a b/",
            "http://bär/",
            "http://b:99999/",
            "http://b:65536",
            "http://b:0/",
            "http://a..b/",
            "http://.a/",
            f"http://{'a' * 64}/",
            "http://[:::::]/",
            "http://[fd00::1",
        )
    ),
    (
        "a hook of something else",
        '[[hook]]\nurl = "http://b/"\nevents = ["lost"]',
        "[[hook]]: events must be a list of new, decide, ",
    ),
    ("a table with a level", '[mqtt]\nhost = "b"\ntable = "a/b"', "[mqtt]: table must be letters, digits"),
]


@pytest.mark.parametrize(("text", "said"), [row[1:] for row in BAD], ids=[row[0] for row in BAD])
def test_what_cannot_be_meant_is_named(text: str, said: str) -> None:
    """The reason names the file, the key and what to write instead."""
    with pytest.raises(SettingsError) as refused:
        read(text, Settings(), "my.toml")
    assert str(refused.value).startswith("my.toml: ")
    if "|" in said:
        assert any(word in str(refused.value) for word in said.split("|"))
    else:
        assert said in str(refused.value)


@pytest.mark.parametrize("written", ['"whsec_sesame?"', "['sesame']", '"whsec_sesam"'])
def test_a_hooks_secret_is_not_repeated(written: str) -> None:
    """Text behind whsec_ that is no base64 was meant to be."""
    with pytest.raises(SettingsError, match="secret must be base64 behind whsec_") as refused:
        read(f'[[hook]]\nurl = "http://b/"\nsecret = {written}', Settings())
    assert "sesam" not in str(refused.value)


@pytest.mark.parametrize("written", ['"sesame"', "['sesame']", '"sesame"\nprt = 1'])
def test_a_password_is_not_repeated(written: str) -> None:
    """It is refused here, for copies of the settings leave the machine; what is said of it goes to the log."""
    with pytest.raises(SettingsError) as refused:
        read(f'[mqtt]\nhost = "b"\nuser = "u"\npassword = {written}', Settings())
    assert "sesame" not in str(refused.value)


VALUES = st.one_of(
    st.booleans().map(lambda b: str(b).lower()),
    st.integers(-5, 99).map(str),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.sampled_from(['"tag"', '"none"', '""', "[]", "[1]", '["a"]', "{}", "{kind = 1}", "1979-05-27", "inf"]),
)
KEYS = st.sampled_from(
    ["pad", "panel", "track", "spi_bus", "hosts", "pins", "kind", "spaces", "port", "undo", "x"]
)


@given(
    st.lists(st.tuples(KEYS, VALUES), max_size=3, unique_by=lambda pair: pair[0]),
    st.sampled_from(["", "[track]\n", "[pins]\n", "[x]\n"]),
)
def test_any_settings_are_sound_or_named(lines: list[tuple[str, str]], table: str) -> None:
    """The result is SettingsError, or settings whose values all have their types."""
    try:
        found = read(table + "".join(f"{key} = {value}\n" for key, value in lines), Settings())
    except SettingsError:
        return
    assert (type(found.pad), type(found.panel), type(found.track.spaces)) == (bool, bool, int)
    assert found.track.kind in ("tag", "present", "none")
    assert {type(pin) for pin in found.pins.values()} == {int}
    assert (type(found.spi_bus), type(found.spi_device)) == (int, int)
    assert all(isinstance(host, str) for host in found.hosts)


def test_a_file_that_is_not_there_is_the_default(tmp_path: Path) -> None:
    assert load(tmp_path / "companion.toml", MOCK) == MOCK


def test_a_file_saved_in_notepad_is_read(tmp_path: Path) -> None:
    """The file has a byte-order mark, and lines that end as Windows ends them."""
    path = tmp_path / "companion.toml"
    path.write_bytes(b'\xef\xbb\xbfpad = true\r\n[track]\r\nkind = "tag"\r\n')
    assert load(path, Settings()) == Settings(pad=True, track=TrackSettings("tag"))


def test_a_file_is_named_in_what_is_said_about_it(tmp_path: Path) -> None:
    path = tmp_path / "companion.toml"
    path.write_bytes(b"pad = true # caf\xe9")
    with pytest.raises(SettingsError, match=r"companion\.toml: the text is not in UTF-8, see line 1"):
        load(path, Settings())
    path.write_text("pda = true", encoding="utf-8")
    with pytest.raises(SettingsError, match=r"companion\.toml: unknown key 'pda'"):
        load(path, Settings())
    with pytest.raises(SettingsError, match="cannot be read: Is a directory"):
        load(tmp_path, Settings())


def test_a_file_saved_as_utf_16_is_read(tmp_path: Path) -> None:
    path = tmp_path / "companion.toml"
    path.write_text("pad = true\n", encoding="utf-16")
    assert load(path, Settings()) == Settings(pad=True)


@pytest.mark.parametrize("ending", [".txt", ".rtf", ".docx"])
def test_a_file_with_another_ending_is_not_passed_over_in_silence(tmp_path: Path, ending: str) -> None:
    """Windows hides endings: the table would have no hardware, and no one would know why."""
    (tmp_path / f"companion.toml{ending}").write_text("pad = true\n")
    with pytest.raises(
        SettingsError, match=rf"companion\.toml\{ending}: rename this file to companion\.toml"
    ):
        load(tmp_path / "companion.toml", Settings())


def test_a_mistake_is_shown_with_its_line_and_what_to_write() -> None:
    """All are listed at once, each with a sign below it."""
    with pytest.raises(SettingsError) as refused:
        read("pad = yes\nname = “pub”\n", Settings(), "my.toml")
    assert str(refused.value).splitlines() == [
        "my.toml: line 1: write true here",
        "    pad = yes",
        "          ^",
        'line 2: this quotation mark is from a word processor: type a straight one, "',
        "    name = “pub”",
        "           ^",
        "companion settings --fix corrects this, and keeps a copy of the file as it is now",
    ]
