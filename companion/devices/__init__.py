"""Drivers of the parts on the table, one file for each part. Each publishes whole readings (`readings.py`).

May use settings, and from the firmware the words on the wire and the chip's numbers. It knows no rules.

`mock/` models chips, pins and cable under the real drivers.
"""

import atexit
import os
import shutil
import tempfile


def lgpio_in_peace() -> None:
    """Let the library lgpio keep its pipes in a directory of its own, not where the companion was started.

    To be called before lgpio is imported, which gpiozero and rpi-lgpio do.
    """
    if "LG_WD" not in os.environ:
        os.environ["LG_WD"] = tempfile.mkdtemp(prefix="companion-lgpio-")
        atexit.register(shutil.rmtree, os.environ["LG_WD"], ignore_errors=True)
