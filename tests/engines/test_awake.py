"""The screen stays on without a wake lock: browsers ask the desktop for that while the silent video plays.

On Linux such a wish is a call on D-Bus, which is answered here. What an iPhone or an Android device does is
not shown by that.

Only here: a video that a browser does not count as one, such as one that loops (WebKit) or is small (Chromium).
"""

from __future__ import annotations

import queue
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import suppress

import pytest

from tests.engines.conftest import Person
from tests.support.browser.engines import Engine, in_windows
from tests.support.client import PATIENCE_S, companion

jeepney = pytest.importorskip("jeepney", reason="jeepney, which answers on D-Bus, comes with make nightly")

from jeepney import HeaderFields, MessageType, new_method_return  # noqa: E402
from jeepney.bus_messages import message_bus  # noqa: E402
from jeepney.io.blocking import open_dbus_connection  # noqa: E402

pytestmark = [pytest.mark.browser, pytest.mark.long, pytest.mark.nightly]

SERVICES = ("org.freedesktop.ScreenSaver", "org.gnome.SessionManager")
VIDEO = re.compile("video|playback", re.IGNORECASE)
"""How each browser gives its reason."""
PLAY = 'import("/static/common/awake.js").then(function (part) { part.play(); });'


@pytest.fixture
def wishes(monkeypatch: pytest.MonkeyPatch) -> Iterator[queue.Queue[str]]:
    """Yield the reasons for which an application wants the screen to stay on, on a session bus made for it."""
    if not shutil.which("dbus-daemon"):
        pytest.skip("dbus-daemon is not installed: apt install dbus")
    command = ["dbus-daemon", "--session", "--print-address", "--nofork", "--nosyslog"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as daemon:
        assert daemon.stdout is not None
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", daemon.stdout.readline().strip())
        monkeypatch.setenv("XDG_CURRENT_DESKTOP", "XFCE")
        heard: queue.Queue[str] = queue.Queue()
        bus = open_dbus_connection()
        for name in SERVICES:
            bus.send_and_get_reply(message_bus.RequestName(name))

        def answer() -> None:
            with suppress(OSError):  # the daemon has ended
                while True:
                    message = bus.receive()
                    if message.header.message_type != MessageType.method_call:
                        continue
                    if message.header.fields.get(HeaderFields.member) == "Inhibit":
                        heard.put(" ".join(str(part) for part in message.body))
                        bus.send(new_method_return(message, "u", (1,)))
                    else:
                        bus.send(new_method_return(message))

        answering = threading.Thread(target=answer)
        answering.start()
        yield heard
        daemon.terminate()
        answering.join()
        bus.close()


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with companion(tmp_path_factory.mktemp("awake")) as started:
        yield f"http://127.0.0.1:{started.client.port}"


@pytest.mark.parametrize("browser", in_windows().values(), ids=lambda browser: browser.name)
def test_the_screen_stays_on(browser: Engine, wishes: queue.Queue[str], home: str) -> None:
    if browser.missing:
        pytest.skip(browser.missing)
    with browser.start() as screen:
        person = Person(screen, home)
        person.open("tv", 1280, 800)
        screen.run(PLAY)
        person.until("var v = document.querySelector('video.awake'); return v && v.currentTime > 0")
        while not VIDEO.search(wishes.get(timeout=PATIENCE_S)):
            pass
