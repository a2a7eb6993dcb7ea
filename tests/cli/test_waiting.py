"""Work that takes long shows its seconds on a terminal, and nothing but its lines elsewhere."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys

CODE = """
import time
from companion.cli.waiting import Waiting
with Waiting(first_s=0.01) as say:
    say("1/2 one")
    time.sleep(0.1)
    say("2/2 two")
print("done")
"""


def test_a_terminal_shows_the_seconds() -> None:
    """They are gone with the step, and the lines stay."""
    ours, theirs = pty.openpty()
    with subprocess.Popen([sys.executable, "-c", CODE], stdout=theirs):
        os.close(theirs)
        said = b""
        try:
            while part := os.read(ours, 4096):
                said += part
        except OSError:  # Linux: its other end is closed
            pass
    os.close(ours)
    text = said.decode()
    assert re.search(r"1/2 one\r\n(\r  … \d+ s )+\r\x1b\[K2/2 two\r\n", text)
    assert text.endswith("done\r\n")


def test_a_file_has_the_lines_only() -> None:
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)
    assert done.stdout == "1/2 one\n2/2 two\ndone\n"
