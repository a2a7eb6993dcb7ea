"""Browsers of other engines and other years, driven alike: WebKit, Firefox, and old Chromium.

WebKit speaks the WebDriver protocol over HTTP, Firefox the same commands over its Marionette port; Chromium
is driven by Playwright, from version 87 on. Each talks to loopback only.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final, Protocol

from tests.support.browser import chromium
from tests.support.client import PATIENCE_S

OLD_CHROMIUM: Final = Path(__file__).parents[3] / "build" / "browsers"
"""Where `make old-browsers` unpacks Chromium 87, 88 and 103: `chromium-87/chromium` and so on."""
WEBKIT: Final = "webkit2gtk-4.1/MiniBrowser"
WPE: Final = "wpe-webkit-1.1/MiniBrowser"
QUIET: Final = {  # Firefox asks its maker for much; all of that ends at a closed port
    "network.proxy.type": 1,
    "network.proxy.http": "127.0.0.1",
    "network.proxy.http_port": 9,
    "network.proxy.ssl": "127.0.0.1",
    "network.proxy.ssl_port": 9,
    "network.proxy.no_proxies_on": "localhost, 127.0.0.1",
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "network.dns.disablePrefetch": True,
    "services.settings.server": "data:,",
    "app.normandy.enabled": False,
    "app.update.enabled": False,
    "browser.safebrowsing.update.enabled": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "toolkit.telemetry.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "marionette.port": 0,
    "intl.accept_languages": "en",
}


class Screen(Protocol):
    """A window of a browser with one page."""

    version: str
    has_tabs: bool
    """Whether its driver survives the wish for a second tab: that of WPE ends."""

    def open(self, url: str) -> None:
        """Open a page and wait until it is loaded."""

    def resize(self, width: int, height: int) -> None:
        """Make the page so large, in CSS pixels."""

    def run(self, script: str, *args: Any) -> Any:
        """Return what the body of a function returns on the page."""

    def point(self, moves: Sequence[tuple[str, float, float]], finger: bool = False) -> None:
        """Do with the mouse, or a finger, what is listed: `down`, `move` or `up`, each at a place."""

    def new_tab(self) -> None:
        """Open a second tab of the same browser and go on there."""

    def switch(self, tab: int) -> None:
        """Go on in the first tab (0) or the second one (1)."""

    def close_tab(self) -> None:
        """Close the second tab and go on in the first one."""

    def picture(self) -> bytes:
        """Return a PNG of the window."""


# --- the WebDriver protocol ----------------------------------------------------------------------


class Driven:
    """A window that is driven by WebDriver commands, over HTTP or over Marionette."""

    def __init__(self, command: Any, version: str) -> None:
        self._command, self.version = command, version
        self._tabs: list[str] = []
        self.has_tabs = True

    def open(self, url: str) -> None:
        """Open a page and wait until it is loaded."""
        self._command("Navigate", "POST", "url", {"url": url})

    def resize(self, width: int, height: int) -> None:
        """Make the page so large, in CSS pixels, where the window can be resized."""
        with contextlib.suppress(RuntimeError):  # WPE has one size, which it is started with
            for _ in range(2):  # the window is larger than its page by its bars
                inner = self.run("return [innerWidth, innerHeight, outerWidth, outerHeight]")
                around = max(0, inner[2] - inner[0]), max(0, inner[3] - inner[1])
                size = {"width": width + around[0], "height": height + around[1]}
                self._command("SetWindowRect", "POST", "window/rect", size)

    def run(self, script: str, *args: Any) -> Any:
        """Return what the body of a function returns on the page."""
        return self._command("ExecuteScript", "POST", "execute/sync", {"script": script, "args": list(args)})

    def point(self, moves: Sequence[tuple[str, float, float]], finger: bool = False) -> None:
        """Do with the mouse, or a finger, what is listed: `down`, `move` or `up`, each at a place."""
        steps: list[dict[str, Any]] = []
        for what, x, y in moves:
            place = {
                "type": "pointerMove",
                "x": round(x),
                "y": round(y),
                "duration": 30,
                "origin": "viewport",
            }
            steps.append(place)
            if what != "move":
                steps.append({"type": "pointerDown" if what == "down" else "pointerUp", "button": 0})
        kind = "touch" if finger else "mouse"
        pointer = {"type": "pointer", "id": kind, "parameters": {"pointerType": kind}, "actions": steps}
        self._command("PerformActions", "POST", "actions", {"actions": [pointer]})

    def new_tab(self) -> None:
        """Open a second tab of the same browser and go on there."""
        first = self._command("GetWindowHandle", "GET", "window", None)
        second = self._command("NewWindow", "POST", "window/new", {"type": "window"})["handle"]
        self._tabs = [first, second]
        self.switch(1)

    def switch(self, tab: int) -> None:
        """Go on in the first tab (0) or the second one (1)."""
        handle = self._tabs[tab]
        self._command("SwitchToWindow", "POST", "window", {"handle": handle, "name": handle})

    def close_tab(self) -> None:
        """Close the second tab and go on in the first one."""
        self.switch(1)
        self._command("CloseWindow", "DELETE", "window", None)
        self.switch(0)

    def picture(self) -> bytes:
        """Return a PNG of the window."""
        import base64

        return base64.b64decode(self._command("TakeScreenshot", "GET", "screenshot", None))


class OverHttp:
    """The commands of a session of a WebDriver program such as WebKitWebDriver."""

    def __init__(self, port: int, options: dict[str, Any]) -> None:
        self._port, self._session = port, ""
        answer = self("NewSession", "POST", "session", {"capabilities": {"alwaysMatch": options}})
        self._session = f"session/{answer['sessionId']}/"
        self.capabilities = answer["capabilities"]

    def __call__(self, _: str, method: str, path: str, body: dict[str, Any] | None) -> Any:
        content = None if body is None else json.dumps(body)
        with closing(http.client.HTTPConnection("127.0.0.1", self._port, timeout=PATIENCE_S)) as wire:
            wire.request(method, f"/{self._session}{path}", content, {"Content-Type": "application/json"})
            answer = json.loads(wire.getresponse().read())["value"]
        if isinstance(answer, dict) and "error" in answer:
            raise RuntimeError(f"{path}: {answer}")
        return answer

    def end(self) -> None:
        """Close the window."""
        self._session = self._session.rstrip("/")
        self("DeleteSession", "DELETE", "", None)


class OverMarionette:
    """The same commands at Firefox's own port: a number, a colon, and that many bytes of JSON."""

    def __init__(self, port: int) -> None:
        self._wire = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S)
        self._file = self._wire.makefile("rb")
        self._read()  # it greets
        self._number = 0
        self.capabilities = self("NewSession", "", "", {})["capabilities"]

    def __call__(self, name: str, _: str, __: str, body: dict[str, Any] | None) -> Any:
        self._number += 1
        text = json.dumps([0, self._number, f"WebDriver:{name}", body or {}])
        self._wire.sendall(f"{len(text)}:{text}".encode())
        _, _, error, value = self._read()
        if error:
            raise RuntimeError(f"{name}: {error}")
        is_value = isinstance(value, dict) and set(value) == {"value"}
        return value["value"] if is_value else value

    def end(self) -> None:
        """Close the line; the window is closed with its program."""
        self._file.close()
        self._wire.close()

    def _read(self) -> Any:
        length = b""
        while (byte := self._file.read(1)) != b":":
            length += byte
        return json.loads(self._file.read(int(length)))


def _library(name: str) -> Path | None:
    return next(Path("/usr/lib").glob(f"*/{name}"), None)


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


@contextmanager
def _process(command: list[str], **of: Any) -> Iterator[subprocess.Popen[bytes]]:
    """Yield a program and everything it starts; at the end all of it is gone."""
    started = subprocess.Popen(
        command, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **of
    )
    try:
        yield started
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(started.pid, signal.SIGKILL)
        started.wait()


def _until(what: Any) -> Any:
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        with contextlib.suppress(OSError, ValueError):
            if found := what():
                return found
        time.sleep(0.05)
    raise TimeoutError("the browser does not come up")


def _listens(port: int) -> bool:
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S):
        return True


GTK_AT_NIGHT: Final = "[Settings]\ngtk-application-prefer-dark-theme=1\ngtk-enable-animations=0\n"
FIREFOX_AT_NIGHT: Final = {
    "layout.css.prefers-color-scheme.content-override": 0,
    "ui.prefersReducedMotion": 1,
}


@contextmanager
def _webkit(
    driver: str, binary: str, key: str, args: list[str], night: bool, **more: str
) -> Iterator[Screen]:
    port = _free_port()
    home = tempfile.mkdtemp()
    theme = {"GTK_THEME": "Adwaita:dark"} if night else {}
    if night:
        for name in ("gtk-3.0", "gtk-4.0"):
            Path(home, "config", name).mkdir(parents=True)
            Path(home, "config", name, "settings.ini").write_text(GTK_AT_NIGHT, encoding="utf-8")
    environment = (
        os.environ
        | theme
        | more
        | {
            "HOME": home,
            "XDG_DATA_HOME": f"{home}/data",
            "XDG_CACHE_HOME": f"{home}/cache",
            "XDG_CONFIG_HOME": f"{home}/config",
            "LANGUAGE": "en",
            "WEBKIT_DISABLE_COMPOSITING_MODE": "1",
            "LIBGL_ALWAYS_SOFTWARE": "1",
            "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1",  # it may run as root; it opens our own pages only
        }
    )
    command = [driver, f"--port={port}", "--host=127.0.0.1"]
    with _process(command, env=environment):
        _until(lambda: _listens(port))
        session = OverHttp(port, {key: {"binary": str(_library(binary)), "args": args}})
        yield Driven(session, session.capabilities["browserVersion"])
        with contextlib.suppress(OSError, RuntimeError, ValueError):
            session.end()
    shutil.rmtree(home, ignore_errors=True)


@contextmanager
def _display() -> Iterator[None]:
    """Give programs of this process a display in memory."""
    number = 90 + os.getpid() % 400
    with _process(["Xvfb", f":{number}", "-screen", "0", "1600x1200x24", "-nolisten", "tcp"]):
        _until(Path(f"/tmp/.X11-unix/X{number}").exists)
        before = os.environ.get("DISPLAY")
        os.environ["DISPLAY"] = f":{number}"
        yield
        if before is None:
            del os.environ["DISPLAY"]
        else:
            os.environ["DISPLAY"] = before


@contextmanager
def webkitgtk(night: bool = False) -> Iterator[Screen]:
    """Yield WebKitGTK, which is about the newest Safari."""
    with (
        _display(),
        _webkit("WebKitWebDriver", WEBKIT, "webkitgtk:browserOptions", ["--automation"], night) as screen,
    ):
        yield screen


@contextmanager
def wpe(night: bool = False) -> Iterator[Screen]:
    """Yield WPE WebKit 2.38 of Debian 12, which is Safari 16.0.

    It plays neither sound nor video here: with GStreamer, which no Safari has, it frees something twice when it
    plays the video of common/awake.js (its log says so), and dies now and then.
    """
    args = ["--automation", "--headless"]
    mute = {"GST_PLUGIN_SYSTEM_PATH_1_0": ""}
    with _webkit("WPEWebDriver", WPE, "wpe:browserOptions", args, night, **mute) as screen:
        screen.has_tabs = False
        yield screen


@contextmanager
def firefox(night: bool = False, headless: bool = True) -> Iterator[Screen]:
    """Yield Firefox, without a window if it is `headless`."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        lines = [
            f"user_pref({json.dumps(name)}, {json.dumps(value)});"
            for name, value in (QUIET | (FIREFOX_AT_NIGHT if night else {})).items()
        ]
        Path(profile, "user.js").write_text("\n".join(lines), encoding="utf-8")
        command = ["firefox-esr", "--no-remote", "--marionette", "--profile", profile]
        command += ["--headless"] if headless else []
        with _process(command, env=os.environ | {"HOME": profile}):
            port = int(_until(Path(profile, "MarionetteActivePort").read_text))
            session = OverMarionette(port)
            yield Driven(session, session.capabilities["browserVersion"])
            session.end()


# --- Chromium ------------------------------------------------------------------------------------


class Played:
    """A page of Chromium."""

    def __init__(self, page: Any, version: str) -> None:
        self._page, self.version, self._is_down = page, version, False
        self._tabs: list[Any] = []
        self.has_tabs = True
        self._has_finger: Any = None

    def open(self, url: str) -> None:
        """Open a page and wait until it is loaded."""
        self._page.goto(url)

    def resize(self, width: int, height: int) -> None:
        """Make the page so large, in CSS pixels."""
        self._page.set_viewport_size({"width": width, "height": height})

    def run(self, script: str, *args: Any) -> Any:
        """Return what the body of a function returns on the page."""
        return self._page.evaluate(f"args => (function () {{ {script} }}).apply(null, args)", list(args))

    def point(self, moves: Sequence[tuple[str, float, float]], finger: bool = False) -> None:
        """Do with the mouse, or a finger, what is listed: `down`, `move` or `up`, each at a place."""
        wire = self._page.context.new_cdp_session(self._page)  # Playwright's own mouse is for newer ones
        if finger and not self._has_finger:
            self._has_finger = wire
            wire.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
        for what, x, y in moves:
            if finger:
                kind = {"down": "touchStart", "up": "touchEnd"}.get(what, "touchMove")
                points = [] if what == "up" else [{"x": x, "y": y}]
                wire.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
                continue
            kinds = {"down": ("mouseMoved", "mousePressed"), "up": ("mouseMoved", "mouseReleased")}
            for kind in kinds.get(what, ("mouseMoved",)):
                self._is_down = kind == "mousePressed" or (self._is_down and kind != "mouseReleased")
                button = {} if what == "move" and not self._is_down else {"button": "left", "clickCount": 1}
                event = {"type": kind, "x": x, "y": y, "buttons": int(self._is_down), **button}
                wire.send("Input.dispatchMouseEvent", event)

    def new_tab(self) -> None:
        """Open a second tab of the same browser and go on there."""
        self._tabs = [self._page, self._page.context.new_page()]
        self.switch(1)

    def switch(self, tab: int) -> None:
        """Go on in the first tab (0) or the second one (1)."""
        self._page = self._tabs[tab]
        self._page.bring_to_front()

    def close_tab(self) -> None:
        """Close the second tab and go on in the first one."""
        self._tabs[1].close()
        self.switch(0)

    def picture(self) -> bytes:
        """Return a PNG of the window."""
        png: bytes = self._page.screenshot()
        return png


@contextmanager
def old_chromium(program: str | None, night: bool = False, headless: bool = True) -> Iterator[Screen]:
    """Yield this Chromium, without a window if it is `headless`."""
    flags = ["--no-sandbox", "--no-zygote", "--disable-gpu", "--disable-background-networking"]
    with chromium.driver() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=flags, headless=headless)
        asked: Any = {"color_scheme": "dark", "reduced_motion": "reduce"} if night else {}
        page = browser.new_context(locale="en", **asked).new_page()
        page.set_default_timeout(PATIENCE_S * 1000)
        yield Played(page, browser.version)
        browser.close()


# --- which there are -----------------------------------------------------------------------------


class Engine:
    """A browser by name, and what is missing here to start it.

    `start(night=True)` asks it for dark pages and little motion, in the way of its settings.
    """

    def __init__(self, name: str, start: Any, missing: str | None) -> None:
        self.name, self.start, self.missing = name, start, missing


def _program(name: str, package: str) -> str | None:
    return None if shutil.which(name) else f"{name} is not installed: apt install {package}"


def engines() -> list[Engine]:
    """Return all browsers that these tests know."""
    old = [
        Engine(
            f"chromium-{version}",
            lambda night=False, path=OLD_CHROMIUM / f"chromium-{version}" / "chromium": old_chromium(
                str(path), night
            ),
            None
            if (OLD_CHROMIUM / f"chromium-{version}" / "chromium").exists()
            else f"Chromium {version} is not unpacked: make old-browsers",
        )
        for version in (87, 88, 103)
    ]
    gtk = _program("WebKitWebDriver", "webkit2gtk-driver") or _program("Xvfb", "xvfb")
    return [
        Engine(
            "chromium",
            lambda night=False: old_chromium(chromium.program(), night),
            _program("chromium-headless-shell", "chromium"),
        ),
        *old,
        Engine("wpe", wpe, _program("WPEWebDriver", "wpewebkit-driver cog")),
        Engine("webkitgtk", webkitgtk, gtk),
        Engine("firefox", firefox, _program("firefox-esr", "firefox-esr")),
    ]


def in_windows() -> dict[str, Engine]:
    """Return the browsers of today that show a window, on a display in memory."""

    @contextmanager
    def shown(start: Any) -> Iterator[Screen]:
        with _display(), start() as screen:
            yield screen

    screen = _program("Xvfb", "xvfb")
    return {
        "chromium": Engine(
            "chromium",
            lambda: shown(lambda: old_chromium(shutil.which("chromium"), headless=False)),
            _program("chromium", "chromium") or screen,
        ),
        "webkitgtk": Engine(
            "webkitgtk", webkitgtk, _program("WebKitWebDriver", "webkit2gtk-driver") or screen
        ),
        "firefox": Engine(
            "firefox",
            lambda: shown(lambda: firefox(headless=False)),
            _program("firefox-esr", "firefox-esr") or screen,
        ),
    }
