"""The command `companion` of an installed table.

python -m companion.install.command

writes the one of the version that runs this, after an update to it.
"""

from __future__ import annotations

from typing import Final

from companion.install.files import COMMAND
from companion.install.machine import Machine
from companion.install.steps import File

STEP: Final = File("/usr/local/bin/companion", COMMAND, "the command, for the data of this table", 0o755)


if __name__ == "__main__":
    STEP.do(Machine())
