"""The disk of the arm64 machine: a Debian, its own kernel, the wheels for a Pi's processor and the checkout.

Nothing of it is run on this machine's processor: Debian's packages and the wheels are unpacked, not
installed. All is in build/arm64, where it stays until its parts change; the checkout is put on a new disk
each time.
"""

from __future__ import annotations

import hashlib
import lzma
import os
import shutil
import subprocess
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.machine.machine import PROJECT
from tools import release

BUILT: Final = PROJECT / "build" / "arm64"
DEBIAN: Final = "trixie"
PYTHON: Final = "3.13"
PACKAGES: Final = (
    "linux-image-arm64,busybox-static,base-files,dash,coreutils,mount,kmod,iproute2,libc-bin,libstdc++6,"
    "python3,python3-spidev"
)
PROGRAMS: Final = {
    "qemu-system-aarch64": "qemu-system-arm",
    "mmdebstrap": "mmdebstrap",
    "depmod": "kmod",
    "mke2fs": "e2fsprogs",
}
"""What is needed here, and Debian's package that has it."""
KEYS: Final = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
DRIVERS: Final = ("virtio_blk", "crc32c_generic", "ext4")
"""Modules that the kernel needs for its disk."""
FIRST: Final = Path(__file__).with_name("first.sh")
SIZE_MB: Final = 2048
CHECKOUT: Final = "opt/companion"


def missing() -> str | None:
    """Return what is missing here to make the disk and start the machine, in one line; None if nothing is."""
    if absent := [package for program, package in PROGRAMS.items() if not shutil.which(program)]:
        return f"not installed: apt install {' '.join(absent)}"
    if not KEYS.exists():
        return "the keys of Debian's archive are not here: apt install debian-archive-keyring"
    if os.geteuid() != 0:
        return "only root can make the disk of the modelled machine, whose files are root's"
    return None


def root() -> Path:
    """Return Debian in a directory, with the wheels in /opt/packages; make it if it is not there yet."""
    parts = f"{DEBIAN} {PYTHON} {PACKAGES} {(PROJECT / 'requirements.lock').read_text('utf-8')}"
    digest = hashlib.sha256(parts.encode()).hexdigest()
    made, stamp = BUILT / "root", BUILT / "root.made"
    if not stamp.exists() or stamp.read_text("ascii") != digest:
        shutil.rmtree(BUILT, ignore_errors=True)
        BUILT.mkdir(parents=True)
        what = ["--architectures=arm64", "--variant=extract", f"--include={PACKAGES}", DEBIAN, str(made)]
        subprocess.run(["mmdebstrap", "--quiet", *what], check=True)
        subprocess.run(["depmod", "-b", str(made), version(made)], check=True)
        (made / "etc/passwd").write_text("root:x:0:0:root:/root:/bin/sh\n", "ascii")
        (made / "etc/hosts").write_text("127.0.0.1 localhost\n", "ascii")
        wheels = BUILT / "wheels"
        wheels.mkdir()
        release.fetch(wheels, "aarch64", PYTHON)
        for wheel in wheels.glob("*.whl"):
            with zipfile.ZipFile(wheel) as packed:
                packed.extractall(made / "opt/packages")
        stamp.write_text(digest, "ascii")
    return made


def version(root: Path) -> str:
    """Return the version of the kernel."""
    return next((root / "usr/lib/modules").iterdir()).name


def kernel(root: Path) -> Path:
    """Return the kernel."""
    return root / "boot" / f"vmlinuz-{version(root)}"


def disk(root: Path) -> Path:
    """Return a new disk with this Debian and the files of the checkout."""
    checkout = root / CHECKOUT
    shutil.rmtree(checkout, ignore_errors=True)
    for name in release.tracked():
        at = PROJECT / name
        (checkout / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(at, checkout / name, follow_symlinks=False)
    made = BUILT / "disk.ext4"
    with made.open("wb") as file:
        file.truncate(SIZE_MB << 20)
    subprocess.run(["mke2fs", "-q", "-t", "ext4", "-d", str(root), "-F", str(made)], check=True)
    return made


def initial(root: Path) -> Path:
    """Return the kernel's initial file system: busybox, the modules that the disk needs, and first.sh."""
    files = {"init": (0o755, FIRST.read_bytes()), "bin/busybox": (0o755, (root / "bin/busybox").read_bytes())}
    for number, module in enumerate(modules(root)):
        name = f"modules/{number:02}-{module.name.removesuffix('.xz')}"
        files[name] = (0o644, lzma.decompress(module.read_bytes()))
    made = BUILT / "initial.cpio"
    made.write_bytes(archive(files))
    return made


def modules(root: Path) -> list[Path]:
    """Return the modules that the disk needs, each after those that it needs itself."""
    folder = root / "usr/lib/modules" / version(root)
    needs: dict[str, list[str]] = {}
    for line in (folder / "modules.dep").read_text("ascii").splitlines():
        name, _, others = line.partition(": ")
        needs[name.removesuffix(":")] = others.split()
    by_name = {Path(name).name.partition(".")[0]: name for name in needs}

    def before(name: str) -> Iterator[str]:
        for other in reversed(needs[name]):
            yield from before(other)
        yield name

    wanted = (name for driver in DRIVERS if driver in by_name for name in before(by_name[driver]))
    return [folder / name for name in dict.fromkeys(wanted)]


def archive(files: dict[str, tuple[int, bytes]]) -> bytes:
    """Return a cpio archive as the kernel reads it (format "newc"), of files by name, with modes."""
    folders = dict.fromkeys(str(folder) for name in files for folder in Path(name).parents if folder.name)
    entries = [(name, 0o40755, b"") for name in folders]
    entries += [(name, 0o100000 | mode, content) for name, (mode, content) in files.items()]
    made = b""
    for number, (name, mode, content) in enumerate([*entries, ("TRAILER!!!", 0, b"")]):
        fields = (number, mode, 0, 0, 1, 0, len(content), 0, 0, 0, 0, len(name) + 1, 0)
        head = "070701" + "".join(f"{field:08X}" for field in fields)
        made += _padded(head.encode() + name.encode() + b"\0") + _padded(content)
    return made


def _padded(part: bytes) -> bytes:
    """Fill up to a multiple of four bytes."""
    return part + bytes(-len(part) % 4)
