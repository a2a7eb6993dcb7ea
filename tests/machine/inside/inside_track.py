"""The track through the kernel's USB: the modelled Pico behind a CDC-ACM device with a Pico's numbers."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from tests.machine.gadgets import Pico, SerialDevice, ports, until
from tests.machine.inside.table import WITHOUT_RIGHTS, Table, as_user, doctor, finding, table

SPACES = 22
TRACK = f'pad = false\npanel = false\n[track]\nkind = "tag"\nspaces = {SPACES}\n'
TAG, OTHER = "04A1B2C3D4E5F6", "11223344"
ORDER = ["red", "blue", "green", "yellow", "pink"]
USER = as_user(WITHOUT_RIGHTS)
PROBE = """
import os, sys, time
try:
    line = os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
except OSError as error:
    print(error.strerror, flush=True)
    raise SystemExit
print("open", flush=True)
for _ in range(20):  # what a modem manager sends, and what it takes away
    os.write(line, b"AT\\r")
    time.sleep(0.05)
    try:
        os.read(line, 64)
    except BlockingIOError:
        pass
if sys.argv[2:] == ["stay"]:
    time.sleep(3600)
"""


@pytest.fixture
def pico() -> Iterator[Pico]:
    made = Pico(SPACES)
    yield made
    made.remove()


@pytest.fixture
def running(pico: Pico) -> Iterator[Table]:
    """Yield a companion of an ordinary user that has found the Pico."""
    pico.plug_in()
    with table(TRACK, under=USER) as one:
        one.until(lambda hardware: is_seen(hardware, {}))
        yield one


def is_seen(hardware: dict[str, Any], tags: dict[int, str]) -> bool:
    """Return whether the track works and has exactly these tags on its spaces."""
    track = hardware["track"]
    lying = {one["space"]: [tag["uid"] for tag in one["lies"] or []] for one in track["sensors"]}
    return track["state"] == "ok" and {space: on for space, on in lying.items() if on} == {
        space: [tag] for space, tag in tags.items()
    }


def test_it_is_found_by_its_numbers(pico: Pico) -> None:
    """Another serial device, plugged in first, is not taken for it."""
    modem = SerialDevice("modem", 1, 0x12D1, 0x1001, ("HUAWEI", "Mobile", "1"))
    try:
        modem.plug(True)
        until(ports)
        port = pico.plug_in()
        assert port == "/dev/ttyACM1"
        with table(TRACK, under=USER) as one:
            pico.put(3, TAG)
            one.until(lambda hardware: is_seen(hardware, {3: TAG}))
            assert one.hardware["track"]["port"] == port
    finally:
        modem.remove()


def test_plugged_in_after_the_start(pico: Pico) -> None:
    """A Pico that comes later is found, with all that is on its spaces."""
    pico.put(7, TAG)
    with table(TRACK, under=USER) as one:
        one.until(lambda hardware: hardware["track"]["state"] == "tap")
        assert one.hardware["track"]["wire"] == "absent"
        pico.plug_in()
        one.until(lambda hardware: is_seen(hardware, {7: TAG}))


def test_pulled_out_in_the_middle_of_a_line(running: Table, pico: Pico) -> None:
    """While tags move all the time it is pulled out, ten times, and is as it was each time that it is back."""
    for n in range(10):
        moving = threading.Event()

        def move(moving: threading.Event = moving) -> None:
            for space in (3, 4, 5, 6) * 50:
                if moving.is_set():
                    return
                pico.put(space, OTHER)
                pico.put(space)

        thread = threading.Thread(target=move)
        thread.start()
        time.sleep(0.05 * n)
        moving.set()
        thread.join()
        pico.pull_out()
        running.until(lambda hardware: hardware["track"]["state"] == "lost")
        assert all(one["lies"] is None for one in running.hardware["track"]["sensors"])
        for space in (3, 4, 5, 6):
            pico.put(space)
        pico.put(9, TAG)
        pico.plug_in()
        running.until(lambda hardware: is_seen(hardware, {9: TAG}))


def test_pulled_out_in_a_game_and_plugged_in_as_another_port(running: Table, pico: Pico) -> None:
    """The game goes on by taps; at another port it is found again, and the pieces that moved are noticed."""
    uids = running.learn()
    client = running.host
    client.begin("galloping-pigs", ("Ada", "Ben"))
    client.decide(do="line-up", seat=0, order=ORDER)
    for piece, place in client.table["layout"].items():
        pico.put(place["space"], uids[f"piece/{piece}"])
    client.until(lambda seen: not seen["todo"])
    pico.pull_out()
    client.until(lambda seen: seen["parts"]["track"] == "lost")
    modem = SerialDevice("modem", 1, 0x12D1, 0x1001, ("HUAWEI", "Mobile", "1"))
    try:
        modem.plug(True)
        until(ports)
        seq = client.table["seq"]
        client.decide(do="play", seat=client.table["next"]["seats"][0], card="red")
        assert client.table["seq"] > seq
        assert pico.plug_in() == "/dev/ttyACM1"
        client.until(lambda seen: seen["parts"]["track"] == "ok")
        client.until(lambda seen: seen["todo"])  # red stands where it was
        for space in range(SPACES):
            pico.put(space)
        for piece, place in client.table["layout"].items():
            pico.put(place["space"], uids[f"piece/{piece}"])
        client.until(lambda seen: not seen["todo"])
    finally:
        modem.remove()


def probe(port: str, *more: str) -> subprocess.Popen[str]:
    """Start a program that opens the port, as a modem manager does, as another user."""
    return subprocess.Popen([*as_user(WITHOUT_RIGHTS - 1), sys.executable, "-c", PROBE, port, *more], stdout=subprocess.PIPE, text=True)  # fmt: skip


def test_a_program_that_probes_the_port(running: Table, pico: Pico) -> None:
    """It cannot open the port while the companion has it, and takes nothing away."""
    second = probe(running.hardware["track"]["port"])
    said, _ = second.communicate()
    assert said == "Device or resource busy\n"
    pico.put(2, TAG)
    running.until(lambda hardware: is_seen(hardware, {2: TAG}))
    assert running.hardware["track"]["hurt"] == 0


def test_a_program_of_root_that_probes_the_port(running: Table, pico: Pico) -> None:
    """Root may open it: what it takes away is asked for again, and its noise is no tag."""
    for _ in range(3):
        subprocess.run([sys.executable, "-c", PROBE, running.hardware["track"]["port"]], check=True)
        pico.put(2, TAG)
        pico.put(5)
        running.until(lambda hardware: is_seen(hardware, {2: TAG}))
        pico.put(2)
        pico.put(5, TAG)
        running.until(lambda hardware: is_seen(hardware, {5: TAG}))


def test_a_program_that_has_the_port_before(pico: Pico) -> None:
    """One that came first and keeps the port is named as the cause by the doctor."""
    port = pico.plug_in()
    second = probe(port, "stay")
    try:
        assert second.stdout is not None
        assert second.stdout.readline() == "open\n"
        with table(TRACK, under=USER) as one:
            time.sleep(2)
            pico.put(2, TAG)
            one.until(lambda hardware: is_seen(hardware, {2: TAG}) or hardware["track"]["wire"] == "taken")
    finally:
        second.kill()
        second.communicate()


def test_without_leave(pico: Pico) -> None:
    """A user without the group dialout reads which group is missing."""
    port = pico.plug_in()
    subprocess.run(["chmod", "600", port], check=True)
    found = finding(doctor(TRACK, USER, seconds=3), "track")
    assert found is not None
    assert "dialout" in " ".join((found["cause"], *found["try"]))


def test_two_picos(running: Table, pico: Pico) -> None:
    """A second Pico disturbs nothing; the settings can name either port."""
    second = Pico(SPACES, name="second", port=1)
    try:
        second.put(4, OTHER)
        port = second.plug_in()
        pico.put(2, TAG)
        running.until(lambda hardware: is_seen(hardware, {2: TAG}))
        named = doctor(f'{TRACK}port = "{port}"\n', USER, seconds=5)
        assert is_seen(named, {4: OTHER}), named
    finally:
        second.remove()


def test_a_pico_that_starts_anew(running: Table, pico: Pico) -> None:
    """Its watchdog, a crash of its program and noise on its cable are mended by themselves."""
    pico.put(1, TAG)
    running.until(lambda hardware: is_seen(hardware, {1: TAG}))
    for kind in ("reboot", "hang", "traceback"):
        pico.order(do=kind, on=True)
        pico.put(1)
        running.until(lambda hardware: is_seen(hardware, {}))
        pico.put(1, TAG)
        running.until(lambda hardware: is_seen(hardware, {1: TAG}))
    pico.order(do="garbage", on=True)
    time.sleep(2)
    pico.order(do="garbage", on=False)
    pico.put(8, OTHER)
    running.until(lambda hardware: is_seen(hardware, {1: TAG, 8: OTHER}))
