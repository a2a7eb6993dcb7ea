"""Check all circuits and write the files generated from them.

python -m hardware writes the tables of wiring.md and docs/board.md, the drawings, and the lists python -m
hardware --check reports which of them differ, and writes nothing

Both end with status 1 where a circuit breaks a law; `--check` also where a file differs.
"""

from __future__ import annotations

import argparse
import sys

from hardware import bom, files, tiers
from hardware.checks import findings


def main() -> int:
    """Check or write as requested; return the exit status."""
    asked = argparse.ArgumentParser(prog="python -m hardware", description=__doc__.partition("\n")[0])
    asked.add_argument("--check", action="store_true", help="say which files differ, write nothing")
    check: bool = asked.parse_args().check
    together = (tiers.pi_tiers(), tiers.pico_tiers(), tiers.boarded_track())
    circuits = (*bom.TIERS.values(), *bom.MONITORED.values(), *together)
    broken = [f"{circuit.name}: {law}: {what}" for circuit in circuits for law, what in findings(circuit)]
    for line in broken:  # before a broken circuit is drawn
        print(line, file=sys.stderr)
    differ = files.stale() if check else []
    for name in differ:
        print(f"{name} is not what the net lists make of it: run python -m hardware", file=sys.stderr)
    if not check and not broken:
        print("\n".join(f"{name} written" for name in files.write()) or "all files are up to date")
    return int(bool(broken or differ))


if __name__ == "__main__":
    sys.exit(main())
