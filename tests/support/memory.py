"""Keep the files of tests in memory: a test waits for each sync of a disk, and proves nothing by it."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

MEMORY = Path("/dev/shm")
ROOM = 2 * 1024**3  # bytes; a whole run of `make test` needs some 300 MB


def keep_temporary_files_in_memory() -> None:
    """Make `tmp_path`, `tempfile` and every child process use /dev/shm, where it has room for a whole run.

    SQLite syncs there as it does anywhere; only the wait for the disk is gone. `TMPDIR`, if it is set, wins.
    """
    if "TMPDIR" in os.environ or not os.access(MEMORY, os.W_OK) or shutil.disk_usage(MEMORY).free < ROOM:
        return
    os.environ["TMPDIR"] = str(MEMORY)
    tempfile.tempdir = None  # asked anew
