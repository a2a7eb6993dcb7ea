"""The voice of the machine, with stand-ins for its programs that write down what they were given."""

from __future__ import annotations

import logging
import os
import select
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.devices.voice import LATE, Voice, commands
from companion.settings import Settings, SettingsError, SoundSettings, read
from companion.table.speaker import Commentary
from companion.translate import Words
from tests.support.client import PATIENCE_S
from tests.support.evening import Evening

ESPEAK = SoundSettings("espeak-ng", "de")
PIPER = SoundSettings("piper", "fr", "/var/lib/voice.onnx")
TELLS = 'read -r said; echo "${0##*/} $* < $said" > "$TOLD"; '
WAITS = 'read -r go < "$GO"'
HANGS = "sleep 1000 & wait"  # with a child, as a script has one


class Programs:
    """A PATH with stand-ins only: their output can be read, and they end when they are released."""

    def __init__(self, directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.bin = directory / "bin"
        self.bin.mkdir()
        self._spoken, self._go = (self._pipe(directory / name) for name in ("told", "go"))
        self.have("aplay", "exit 0")
        for name in ("sh", "sleep"):
            (self.bin / name).symlink_to(Path("/bin") / name)
        monkeypatch.setenv("PATH", str(self.bin))
        monkeypatch.setenv("TOLD", str(directory / "told"))
        monkeypatch.setenv("GO", str(directory / "go"))

    def _pipe(self, path: Path) -> int:
        os.mkfifo(path)
        return os.open(path, os.O_RDWR)

    def have(self, name: str, script: str) -> None:
        """Install a program of this name."""
        (self.bin / name).write_text(f"#!/bin/sh\n{script}\n")
        (self.bin / name).chmod(0o755)

    def spoken(self) -> str:
        """Return the text that the next program was given."""
        assert select.select([self._spoken], [], [], PATIENCE_S)[0], "nothing was said"
        return os.read(self._spoken, 1000).decode().strip()

    def silent(self) -> bool:
        """Return whether no program has been given anything since."""
        return not select.select([self._spoken], [], [], 0)[0]

    def go(self) -> None:
        """Let the one that waits end."""
        os.write(self._go, b"go\n")

    def close(self) -> None:
        os.close(self._spoken)
        os.close(self._go)


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Programs]:
    made = Programs(tmp_path, monkeypatch)
    yield made
    made.close()


@pytest.fixture
def voices() -> Iterator[list[Voice]]:
    """Yield a list for voices; stop them in the end, in any case."""
    made: list[Voice] = []
    yield made
    for voice in made:
        voice.stop()


def speaking(voices: list[Voice], sound: SoundSettings, **more: float) -> Voice:
    voice = Voice(sound, **more)  # type: ignore[arg-type]
    voices.append(voice)
    voice.start()
    return voice


def test_one_sentence_at_a_time_and_the_newest_waits(programs: Programs, voices: list[Voice]) -> None:
    """In the language of the settings; a name that looks like an option is only said."""
    programs.have("espeak-ng", TELLS + WAITS)
    voice = speaking(voices, ESPEAK)
    voice.say("-w eins")
    assert programs.spoken() == "espeak-ng -v de --stdin --stdout < -w eins"
    voice.say("zwei")
    voice.say("drei")
    assert programs.silent(), "one at a time"
    programs.go()
    assert programs.spoken() == "espeak-ng -v de --stdin --stdout < drei"
    programs.go()


def test_piper_passes_its_sound_on(programs: Programs, voices: list[Voice]) -> None:
    programs.have("piper", 'read -r said; echo "$* says $said"')
    programs.have("aplay", TELLS)
    speaking(voices, PIPER).say("un")
    assert programs.spoken() == "aplay -q - < --model /var/lib/voice.onnx --output_file - says un"


def test_a_program_that_hangs_delays_no_caller_and_ends_with_the_companion(
    programs: Programs, voices: list[Voice], tmp_path: Path
) -> None:
    """The caller of the voice goes on at once; at the exit the program is killed, with what it started."""
    os.mkfifo(tmp_path / "held")
    held = os.open(tmp_path / "held", os.O_RDONLY | os.O_NONBLOCK)
    programs.have("espeak-ng", f"exec 3> {tmp_path / 'held'}; {TELLS}{HANGS}")
    voice = speaking(voices, ESPEAK)
    voice.say("eins")
    programs.spoken()
    voice.say("zwei")
    voice.stop()
    ended = select.poll()
    ended.register(held, 0)  # a closed other end is always reported
    assert ended.poll(PATIENCE_S * 1000), "it and its child are gone"
    os.close(held)
    assert "voice" not in {thread.name for thread in threading.enumerate()}


def test_a_program_that_ends_by_itself_as_it_is_to_be_killed_holds_nothing_up(
    programs: Programs, voices: list[Voice], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The voice's thread may wait for it between the check that it runs and the signal."""
    kill = os.killpg

    def too_late(group: int, number: int) -> None:
        kill(group, number)
        raise ProcessLookupError(group)

    programs.have("espeak-ng", f"{TELLS}{HANGS}")
    voice = speaking(voices, ESPEAK)
    voice.say("eins")
    programs.spoken()
    monkeypatch.setattr(os, "killpg", too_late)
    voice.stop()
    assert "voice" not in {thread.name for thread in threading.enumerate()}


def test_a_program_that_hangs_is_ended_and_the_next_sentence_said(
    programs: Programs, voices: list[Voice], caplog: pytest.LogCaptureFixture
) -> None:
    logged = threading.Event()
    logging.getLogger("companion.devices.voice").addHandler(handler := OnRecord(logged))
    programs.have("espeak-ng", HANGS)
    voice = speaking(voices, ESPEAK, longest=0.0)
    voice.say("eins")
    assert logged.wait(PATIENCE_S)
    logging.getLogger("companion.devices.voice").removeHandler(handler)
    voice.longest = PATIENCE_S
    programs.have("espeak-ng", TELLS)
    voice.say("zwei")
    assert programs.spoken().endswith("zwei")
    assert [record.getMessage() for record in caplog.records] == [
        "the voice failed: it took more than 0 seconds"
    ]


def test_a_program_that_fails_is_reported_once(
    programs: Programs, voices: list[Voice], caplog: pytest.LogCaptureFixture
) -> None:
    programs.have("espeak-ng", TELLS + "exit 3")
    voice = speaking(voices, ESPEAK)
    for number in ("eins", "zwei", "drei"):
        voice.say(number)
        assert programs.spoken().endswith(number)
    voice.stop()
    assert {record.getMessage() for record in caplog.records} == {"the voice failed: espeak-ng ended with 3"}
    assert len(caplog.records) == 1


def test_what_is_late_is_not_said(programs: Programs, voices: list[Voice]) -> None:
    """A message that waited too long is skipped for a new one."""
    programs.have("espeak-ng", TELLS + WAITS)
    now, taken = [0.0], threading.Event()

    def clock() -> float:
        if threading.current_thread().name == "voice":
            taken.set()
        return now[0]

    voice = Voice(ESPEAK, clock)
    voices.append(voice)
    voice.start()
    voice.say("eins")
    assert programs.spoken().endswith("eins")
    voice.say("zwei")
    taken.clear()
    now[0] = LATE
    programs.go()
    assert taken.wait(PATIENCE_S)
    voice.say("drei")
    assert programs.spoken().endswith("drei")
    programs.go()


@pytest.mark.parametrize(
    ("sound", "why"),
    [
        (ESPEAK, "no voice: espeak-ng not found"),
        (PIPER, "no voice: piper not found"),
        (SoundSettings("auto"), "no voice: espeak-ng not found"),
        (SoundSettings("off"), None),
    ],
)
def test_a_missing_program_is_reported_once_and_nothing_is_said(
    programs: Programs,
    caplog: pytest.LogCaptureFixture,
    sound: SoundSettings,
    why: str | None,
) -> None:
    voice = Voice(sound)
    voice.start()
    voice.say("one")
    voice.stop()
    warnings = [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
    assert warnings == ([] if why is None else [f'{why}; install it, or write voice = "off" under [sound]'])
    assert programs.silent()


def test_what_auto_takes() -> None:
    """Piper where it has a voice, else espeak-ng."""
    names = [[command[0] for command in row] for row in commands(SoundSettings("auto", model="/a.onnx"))]
    assert names == [["piper", "aplay"], ["espeak-ng", "aplay"]]
    assert [row[0][0] for row in commands(SoundSettings("auto"))] == ["espeak-ng"]


def test_the_settings() -> None:
    """It is off by default; piper without a voice is an error."""
    assert Settings().sound == SoundSettings("off", "en", None)
    assert read('[sound]\nvoice = "auto"\nlanguage = "fr"', Settings()).sound == SoundSettings("auto", "fr")
    with pytest.raises(SettingsError, match=r"\[sound\]: piper needs a model, the path of a voice for piper"):
        read('[sound]\nvoice = "piper"', Settings())
    with pytest.raises(SettingsError, match="voice must be one of off, auto, piper, espeak-ng, not 'espeak'"):
        read('[sound]\nvoice = "espeak"', Settings())
    with pytest.raises(SettingsError, match="unknown key 'lang'; do you mean 'language'"):
        read('[sound]\nlang = "de"', Settings())


class OnRecord(logging.Handler):
    """Tells that something was logged."""

    def __init__(self, logged: threading.Event) -> None:
        super().__init__()
        self._logged = logged

    def emit(self, record: logging.LogRecord) -> None:
        self._logged.set()


class Heard:
    """A speaker that writes down."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def say(self, text: str) -> None:
        self.texts.append(text)


def test_the_table_has_each_comment_said_once(tmp_path: Path) -> None:
    """Nothing that was before the voice, nothing that is taken back; the same sentence as on the page."""
    evening = Evening(tmp_path, spaces=None)
    heard = Heard()
    evening.line_up()
    commentary = Commentary(heard, Words.of("de"), evening.table.snapshot)
    evening.table.listeners.append(commentary.update)
    evening.lay("pink 1")  # from the very back over the whole run
    evening.lift()
    assert heard.texts == ["Das rosa Schwein überholt das rote Schwein und führt"]
    evening.press("undo")
    evening.table.play.redo(evening.table.snapshot.seq)
    evening.wait()
    assert len(heard.texts) == 1, "what is taken back, and made again, was said"
    evening.lay("red 1")
    assert heard.texts[1:] == ["Das rosa Schwein ist eingeholt, das rote Schwein führt"]
