"""An evening with the card pad on Debian's own arm64 kernel, in QEMU.

python -m tests.machine.arm64

QEMU emulates the processor core of a Pi 4. The pad is /dev/spidev0.0 by CUSE, with mfrc522 and Debian's
spidev above it. Ends with status 1 if it cannot run here, if a score is wrong, or if the record replays
otherwise on this machine.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from companion.match.record import replayed
from tests.machine.arm64 import image
from tests.machine.machine import Machine
from tests.support.recount import recount

QEMU: Final = "qemu-system-aarch64"
PATIENCE_S: Final = 1800.0
"""For each part of the evening: an emulated processor is slow, and this machine may be busy."""


@contextmanager
def booted(kernel: Path, initial: Path, disk: Path) -> Iterator[Machine]:
    """Yield a machine with this kernel and disk, and no network."""
    command = [
        QEMU, "-machine", "virt", "-cpu", "cortex-a72", "-smp", "2", "-m", "1024",
        "-accel", "tcg,thread=multi",
        "-kernel", str(kernel), "-initrd", str(initial), "-append", "console=ttyAMA0 quiet panic=-1",
        "-drive", f"if=none,id=disk,format=raw,file={disk}", "-device", "virtio-blk-pci,drive=disk",
        "-nodefaults", "-nic", "none", "-display", "none", "-serial", "stdio", "-no-reboot",
    ]  # fmt: skip
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    )
    running = Machine(process, disk.resolve())
    try:
        yield running
    finally:
        running.cut()
        assert process.stdout is not None
        process.stdout.close()


def differences(record: str, there: Any) -> list[str]:
    """Return how the record replays otherwise here than there, or is counted otherwise."""
    here = json.loads(json.dumps(replayed(record.encode()).answer()))
    header, *lines = (json.loads(line) for line in record.splitlines())
    counted = recount(header, lines)
    wrong = [] if here == there else [f"here it replays to {here}, there to {there}"]
    return wrong + [
        f"{key}: {here[key]}, counted {value}" for key, value in counted.items() if here[key] != value
    ]


def version_of_qemu() -> str:
    """Return the version of QEMU."""
    said = subprocess.run([QEMU, "--version"], capture_output=True, text=True, check=True).stdout
    return said.partition("version ")[2].splitlines()[0]


def main() -> int:
    """Play an evening; print its figures and return the exit status."""
    if why := image.missing():
        print(f"nothing was checked: {why}")
        return 1
    try:
        root = image.root()
    except subprocess.CalledProcessError as failed:
        print(f"nothing was checked: {failed.cmd[0]} could not make the Debian; is there a network?")
        return 1
    disk, initial = image.disk(root), image.initial(root)
    began = time.monotonic()
    with booted(image.kernel(root), initial, disk) as running:
        running.line("UP", PATIENCE_S)
        boot_s = time.monotonic() - began
        print(f"its Debian is up after {boot_s:.1f} s; an evening takes some minutes", flush=True)
        status = running.line("ENDED", PATIENCE_S)
        all_s = time.monotonic() - began
    if status != "0":
        print("\n".join(running.said))
        return 1
    record, there, inside = (json.loads(running.lines(kind)[0]) for kind in ("RECORD", "REPLAYED", "FIGURES"))
    wrong = running.lines("WRONG") + differences(record, there)
    if not there["finished"]:
        wrong.append("the game was not played to its end")
    figures = {"qemu": version_of_qemu(), "boot_s": boot_s, **inside, "all_s": all_s}
    for name, value in figures.items():
        print(f"{name}: {round(value, 2) if isinstance(value, float) else value}")
    print(f"at the end {there['standings']}: {len(wrong)} wrong", *wrong[:3], sep="\n")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
