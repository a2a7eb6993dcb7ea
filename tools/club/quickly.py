"""The companion's commands, with robots that do not wait for people to follow: for tests and measurements.

`python -m tools.club.quickly run …`
"""

from __future__ import annotations

import os
from typing import Final

from companion.cli import main
from companion.table import robots

PAUSE_S: Final = "COMPANION_ROBOT_PAUSE"  # seconds before a robot decides

if __name__ == "__main__":
    robots.TAPPED_PAUSE = float(os.environ[PAUSE_S])
    main()
