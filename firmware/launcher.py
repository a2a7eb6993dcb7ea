"""The Pico's /main.py: starts the firmware in /app, or the one before in /app.old if that cannot
be loaded.

`companion flash` copies it. An error is sent on the wire in plain words: the Pi takes them for noise.
"""

import os
import sys

PLACES = ("/app", "/app.old")


def loaded(place: str):
    """Return the firmware's module `main` from a place."""
    os.stat(place + "/main.py")  # else this file itself would be found
    sys.path.insert(0, place)
    try:
        return __import__("main")
    except Exception:
        sys.path.pop(0)
        raise


def start() -> None:
    """Run the first firmware that can be loaded."""
    known = set(sys.modules)
    for place in PLACES:
        try:
            main = loaded(place)
        except Exception as problem:
            print("the firmware in", place, "cannot be started:", repr(problem))
            for name in set(sys.modules) - known:
                del sys.modules[name]  # partly loaded modules
        else:
            return main.main()
    print("there is no firmware on this Pico: run companion flash")
    return None


if __name__ == "__main__":
    start()
