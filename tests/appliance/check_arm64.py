"""A release on a 64-bit Pi's programs: Debian 12 and 13 for arm64, whose every instruction QEMU translates.

make check-install

Each is tried as debootstrap makes it, and with the Python packages that a Raspberry Pi OS with a desktop has. What
QEMU stands in for is the processor: its instructions, not its speed. The kernel is this machine's; there are no pins.
Of what a desktop has, Debian itself lacks lgpio and rpi-lgpio: those of pip are tried without a desktop.
"""

from __future__ import annotations

import json
import platform
import random
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest

from companion.match.record import replayed
from tests.appliance.debian import CACHE, NSPAWN, RELEASES, base, fresh, inside, on_the_network, why_not
from tests.support.client import Client
from tests.system.test_whole_game import agrees_with_its_record, play_on
from tools.release import NAME, release

OF_THE_DESKTOP = (
    "python3-flask python3-click python3-numpy python3-gpiozero python3-spidev python3-lgpio python3-rpi-lgpio"
    " python3-serial python3-pil python3-requests python3-smbus2 python3-libgpiod python3-pip"
)
AS_PI = "runuser -u pi --"
FOLDER = f"/home/pi/{NAME}"
BIN = f"{FOLDER}/.venv/bin"
PATIENCE_S = 300.0
AARCH64 = 0xB7  # what the head of a compiled file says
BINFMT = Path("/proc/sys/fs/binfmt_misc")
PI_4 = "RPI_LGPIO_REVISION=c03115"  # rpi-lgpio asks the Pi what it is before it does anything


def on(*desktops: bool) -> pytest.MarkDecorator:
    """Try it on Debian 12 and 13, with a desktop's packages or without."""
    which = [(debian, desktop) for debian in RELEASES for desktop in desktops]
    names = [f"{debian} with a desktop's packages" if desktop else debian for debian, desktop in which]
    return pytest.mark.parametrize(("debian", "desktop"), which, ids=names)


def no_arm64() -> str | None:
    """Register QEMU for arm64 programs with this kernel; return why that fails, None if it works."""
    if platform.machine() == "aarch64":
        return None
    needed = ("qemu-aarch64-static", "update-binfmts")
    if any(shutil.which(name) is None for name in needed):
        return "no arm64 program can be run here: apt-get install qemu-user-static binfmt-support"
    if not (BINFMT / "register").exists():
        subprocess.run(["mount", "-t", "binfmt_misc", "none", BINFMT], check=False)
    registered = BINFMT / "qemu-aarch64"
    if not registered.exists():
        subprocess.run(["update-binfmts", "--enable", "qemu-aarch64"], check=False)
    # F: the kernel holds QEMU open, which is not to be found in a Debian for arm64
    if registered.exists() and re.search(r"^flags:.*F", registered.read_text(), re.MULTILINE):
        return None
    return "this kernel does not let QEMU run arm64 programs: it needs binfmt_misc, where update-binfmts may write"


@cache
def released() -> Path:
    """Return one file for a 64-bit Pi, as `make release` makes it."""
    return release("aarch64", list(RELEASES.values()), CACHE / "dist")


@cache
def with_desktop(debian: str) -> Path:
    """Return a Debian with what of a desktop's Python packages it has; it is cached for the next time."""
    plain = base(debian, "arm64")
    cached = CACHE / f"{plain.name}-desktop"
    if not (cached / "ready").exists():
        assert fresh(plain, "desktop") == cached
        on_the_network(cached)
        inside(cached, "apt-get update -qq")
        has = [name for name in OF_THE_DESKTOP.split() if _offers(cached, name)]
        print(f"{debian} has {' '.join(has)}")
        inside(
            cached,
            f"DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends {' '.join(has)}",
        )
        (cached / "ready").touch()
    return cached


def _offers(root: Path, package: str) -> bool:
    return "Package:" in inside(root, f"apt-cache show {package} 2>/dev/null || true")


@cache
def pi(debian: str, desktop: bool) -> Path:
    """Return a root with a release's folder in a user's home, not yet set up."""
    if (why := why_not() or no_arm64()) is not None:
        pytest.fail(why, pytrace=False)
    root = fresh(with_desktop(debian) if desktop else base(debian, "arm64"), "home")
    shutil.copy(released(), root / "home/pi")
    inside(root, f"cd /home/pi && {AS_PI} tar -xzf {NAME}.tar.gz")
    return root


@contextmanager
def serving(root: Path) -> Iterator[Client]:
    """Run the companion there, with a pad and without a track; it ends well when it is asked to."""
    (root / "home/pi/companion.toml").write_text('[track]\nkind = "none"\n')
    command = f"mkdir -p data && mv companion.toml data/ && exec {BIN}/companion run --mock --port 0 --seed 1 --data data"
    process = subprocess.Popen(
        [*NSPAWN, "--pipe", "--kill-signal=SIGTERM", "-D", root, "--chdir=/home/pi", "sh", "-ec", command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout is not None
    said = ""
    for line in process.stdout:
        said += line
        if line.startswith("Ctrl+C"):
            break
    found = re.search(r"localhost:(\d+)", said)
    try:
        assert found, said
        yield Client(int(found[1]))
    finally:
        process.terminate()
        process.wait(PATIENCE_S)
        process.stdout.close()


@on(False, True)
def test_it_is_set_up(debian: str, desktop: bool) -> None:
    """After unpacking, `make setup` has all it needs: no network is asked, and no compiler is there."""
    root, began = pi(debian, desktop), time.monotonic()
    assert inside(root, "uname -m; command -v cc gcc clang || true").split() == ["aarch64"]
    print(inside(root, f"cd {FOLDER} && {AS_PI} make setup", network=False))
    print(f"set up in {time.monotonic() - began:.0f} s")


@on(False, True)
def test_its_command(debian: str, desktop: bool) -> None:
    """`companion --version` says the version, and nothing that Debian's own packages would have it say."""
    root = pi(debian, desktop)
    assert (
        inside(root, f"{AS_PI} {BIN}/companion --version").strip()
        == f"companion, version {NAME.split('-')[-1]}"
    )
    theirs = inside(
        root, f"{AS_PI} {BIN}/python -c 'import click, numpy; print(click.__file__, numpy.__file__)'"
    )
    assert all(at.startswith(f"{FOLDER}/.venv/") for at in theirs.split())


@on(False, True)
def test_its_compiled_parts_are_for_a_pi(debian: str, desktop: bool) -> None:
    """What is compiled came in wheels, for this processor alone."""
    parts = list((pi(debian, desktop) / FOLDER.lstrip("/") / ".venv/lib").rglob("*.so*"))
    assert {at.name.split(".")[0] for at in parts} >= {"_multiarray_umath", "_core", "parser"}
    assert {at.read_bytes()[18] for at in parts} == {AARCH64}


@on(False, True)
def test_a_whole_game(debian: str, desktop: bool) -> None:
    """Cards on the pad, their odds, one round to its end; its record replays here and there to the same."""
    root, began = pi(debian, desktop), time.monotonic()
    with serving(root) as client:
        print(f"it served after {time.monotonic() - began:.0f} s")
        number = client.host().begin(seats=("Ada", "Ben", "Cleo"), options={"rounds": 1})
        client.decide(do="line-up", seat=0, order=["green", "red", "pink", "blue", "yellow"])
        odds = client.until(lambda table: table["odds"], PATIENCE_S)
        print(f"odds after {time.monotonic() - began:.0f} s: {odds}")
        play_on(client, "pad only", random.Random(7))
        agrees_with_its_record(client, number)
        record = client.get(f"/api/matches/{number}/record")
    (root / "home/pi/game.jsonl").write_text(record)
    there = json.loads(inside(root, f"{AS_PI} {BIN}/companion replay /home/pi/game.jsonl --json"))
    assert there == json.loads(json.dumps(replayed(record.encode()).answer()))
    print(f"played and replayed in {time.monotonic() - began:.0f} s: {there['standings']}")


@on(True)
def test_the_pins_library_of_debian(debian: str, desktop: bool) -> None:
    """Debian's packages for pins and bus are seen from the environment, and nothing else of Debian's."""
    root = pi(debian, desktop)
    inside(root, f"{AS_PI} {BIN}/python -m companion.install.bindings")
    # the first is in Debian itself, lgpio in Raspberry Pi OS; RPi.GPIO ends at once where there is no Pi
    found = {"spidev": "spidev*", "lgpio": "lgpio.py", "RPi": "RPi"}
    packages = root / "usr/lib/python3/dist-packages"
    has = [module for module, pattern in found.items() if any(packages.glob(pattern))]
    assert has[:1] == ["spidev"]
    print(inside(root, f"{PI_4} {BIN}/python -c 'import {', '.join(has)}; print({', '.join(has)})'"))
    assert NAME.split("-")[-1] in inside(root, f"{BIN}/companion --version")


@on(False)
def test_by_pip_with_what_a_pi_needs(debian: str, desktop: bool) -> None:
    """`pip install 'race-companion[pi]'` needs no compiler: a wheel has the pins' library; for 3.13, apt alone has it."""
    root, began = pi(debian, desktop), time.monotonic()
    on_the_network(root)
    inside(root, f"cd /home/pi && {AS_PI} python3 -m venv by-pip")
    locked = f"--find-links {FOLDER}/wheels --constraint {FOLDER}/requirements.lock"
    inside(root, f"{AS_PI} /home/pi/by-pip/bin/pip install --quiet {locked} '{FOLDER}[pi]'")
    if debian == "bookworm":
        print(
            inside(
                root, f"{PI_4} /home/pi/by-pip/bin/python -c 'import RPi.GPIO, lgpio; print(lgpio, RPi.GPIO)'"
            )
        )
    assert NAME.split("-")[-1] in inside(root, f"{AS_PI} /home/pi/by-pip/bin/companion --version")
    print(f"installed in {time.monotonic() - began:.0f} s")
