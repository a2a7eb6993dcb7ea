"""Drivers of the parts at the table, a file per part. They sense and show; they know no rules."""

import atexit
import os
import shutil
import tempfile


def lgpio_in_peace() -> None:
    """Make the library lgpio create its pipes in a separate directory, not in the working directory.

    Must be called before lgpio is imported, which gpiozero and rpi-lgpio do.
    """
    if "LG_WD" not in os.environ:
        os.environ["LG_WD"] = tempfile.mkdtemp(prefix="companion-lgpio-")
        atexit.register(shutil.rmtree, os.environ["LG_WD"], ignore_errors=True)
