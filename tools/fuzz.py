"""Feed all readers of input with generated input, guided by the code that it reaches: `make fuzz`.

Atheris (libFuzzer for Python) begins with the files of tests/support/readers.py, changes them, and goes on
from inputs that took a new branch. The same seed and number of inputs generate the same. An answer or a named
error is right; any other exception ends it, and the input that caused it is in fuzz/.

`python tools/fuzz.py [INPUTS [READER]]`: so many inputs for each reader, or for this one.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
FOUND: Final = ROOT / "fuzz"
INPUTS: Final = 20_000
SEED: Final = 1
LONGEST: Final = 4_096  # bytes of an input, where no file of that reader is longer


def main(inputs: int, only: str | None = None) -> int:
    """Fuzz each reader in a separate process, since libFuzzer ends it; return the exit status: 1 where one
    failed.
    """
    from tests.support.readers import READERS

    FOUND.mkdir(exist_ok=True)
    failed: list[str] = []
    names, began = [only] if only else list(READERS), time.monotonic()
    for name in names:
        with tempfile.TemporaryDirectory(prefix="companion-fuzz-") as corpus:
            for number, text in enumerate(READERS[name].files):
                (Path(corpus) / str(number)).write_bytes(text)
            command = [sys.executable, __file__, str(inputs), name, corpus]
            ended = subprocess.run(command, cwd=ROOT, text=True, stderr=subprocess.PIPE, check=False)
        if ended.returncode:
            failed.append(name)
            print(f"{name}: {ended.stderr}", flush=True)
    minutes = (time.monotonic() - began) / 60
    all_inputs = inputs * len(names)
    print(f"{all_inputs:,} generated inputs, {len(failed)} of {len(names)} readers failed, {minutes:.1f} min")
    return 1 if failed else 0


def fuzz(inputs: int, name: str, corpus: str) -> None:
    """Feed one reader in this process, which libFuzzer ends."""
    import atheris

    with atheris.instrument_imports(include=["companion"]):
        from companion.errors import CompanionError
        from tests.support.readers import READERS

    reader = READERS[name]
    counted = {"answered": 0, "refused": 0}
    began = time.monotonic()

    def read(said: bytes) -> None:
        try:
            reader.read(said)
        except CompanionError:
            counted["refused"] += 1
        else:
            counted["answered"] += 1
        if sum(counted.values()) == inputs:
            rate = inputs / (time.monotonic() - began)
            figures = ", ".join(f"{count:,} {what}" for what, count in counted.items())
            print(f"{name}: {inputs:,} inputs, {figures}, 0 unhandled, {rate:,.0f} a second", flush=True)

    longest = max(LONGEST, *map(len, reader.files))
    options = [f"-runs={inputs}", f"-seed={SEED}", f"-max_len={longest}", f"-artifact_prefix={FOUND}/"]
    atheris.Setup([sys.argv[0], *options, "-timeout=10", corpus], read)
    atheris.Fuzz()


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    asked, *more = sys.argv[1:] or [str(INPUTS)]
    if len(more) == 2:
        fuzz(int(asked), *more)
    else:
        sys.exit(main(int(asked), *more))
