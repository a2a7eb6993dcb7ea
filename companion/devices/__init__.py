"""Drivers of the parts on the table, one file for each part. Each publishes whole readings (`readings.py`).

May use settings, and from the firmware the words on the wire and the chip's numbers. It knows no rules.

`mock/` models chips, pins and cable under the real drivers.
"""

import atexit
import importlib
import os
from contextlib import suppress


def lgpio_in_peace() -> None:
    """Import the library lgpio with its pipes in a directory of its own, not where the companion was started.

    To be called before gpiozero or rpi-lgpio, which need it. Its import makes that directory the working
    directory of the process: there no relative path, such as that of the journal, would lead anywhere.
    """
    if "LG_WD" not in os.environ:
        import shutil  # only here: the odds process loads this package too
        import tempfile

        os.environ["LG_WD"] = tempfile.mkdtemp(prefix="companion-lgpio-")
        atexit.register(shutil.rmtree, os.environ["LG_WD"], ignore_errors=True)
    here = os.open(".", os.O_PATH)
    try:
        with suppress(ImportError):  # the caller's own import reports it
            importlib.import_module("lgpio")
    finally:
        os.fchdir(here)
        os.close(here)
