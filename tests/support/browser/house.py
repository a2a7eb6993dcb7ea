"""A house with a network of its own: the table, its tablet and phones, each with an address as at home.

On one machine every device would be the table's own screen, which needs no PIN. Here each device is a browser in a
network namespace, all on one switch, and nothing leads out of it. It needs root, or the rights of a user namespace.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Page

from tests.support.browser.chromium import LAUNCH, PATIENCE, driver, program
from tests.support.client import Client, Companion, HttpError

NET = "10.77.0"
TABLE = f"{NET}.1"
NO_IPV6 = "for off in /proc/sys/net/ipv6/conf/*/disable_ipv6; do echo 1 > $off; done"
"""An address that IPv6 gives itself seconds later would interrupt what Chromium loads (ERR_NETWORK_CHANGED)."""
SEND = """async ([method, path, body]) => {
  const answer = await fetch(path, method === "GET" ? {} : {
    method, headers: { "Content-Type": "application/json" }, body: body && JSON.stringify(body),
  });
  return [answer.status, answer.headers.get("Content-Type"), await answer.text()];
}"""


class Device(NamedTuple):
    """A tablet or a phone: its size, and whether it is touched."""

    name: str
    width: int
    height: int


TABLET = Device("tablet", 1280, 800)
PHONE = Device("phone", 390, 844)
SMALL = Device("small", 360, 640)
DEVICES = (TABLET, PHONE, SMALL)


class FromPage(Client):
    """Requests of a device that shows a page of the companion, with its cookies and from its address."""

    def __init__(self, page: Page) -> None:
        super().__init__(0)
        self.page = page

    def request(self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None) -> Any:
        """Return the JSON answer; raise HttpError for a failure."""
        status, kind, text = self.page.evaluate(SEND, [method, path, body])
        value = json.loads(text) if kind == "application/json" else text
        if status != 200:
            raise HttpError(status, value if isinstance(value, dict) else {"reason": text})
        return value


class House(NamedTuple):
    """A companion at `TABLE`, and the page that each device shows."""

    running: Companion
    home: str
    pages: dict[str, Page]


def why_not() -> str | None:
    """Return why no house can be made on this machine; None if it can."""
    if shutil.which("ip") is None:
        return "there is no `ip` here: apt-get install iproute2"
    if program() is None:
        return "there is no Chromium on this machine: apt install chromium"
    trial = f"house-{os.getpid()}"
    made = subprocess.run(["ip", "netns", "add", trial], capture_output=True, text=True, check=False)
    if made.returncode:
        return f"no network of its own can be made here: {made.stderr.strip()}"
    _ip("netns", "del", trial)
    return None


@contextmanager
def house(data: Path, devices: Sequence[Device] = DEVICES, **like: Any) -> Iterator[House]:
    """Yield a house whose companion runs on modelled hardware in `data`.

    Devices show nothing yet. `like` is passed to each, such as `reduced_motion="reduce"`.
    """
    with ExitStack() as stack:
        table = stack.enter_context(_space("table"))
        _ip("-n", table, "link", "add", "switch", "type", "bridge")
        _ip("-n", table, "addr", "add", f"{TABLE}/24", "dev", "switch")
        _ip("-n", table, "link", "set", "switch", "up")
        spaces = {}
        for number, device in enumerate(devices):
            spaces[device.name] = stack.enter_context(_space(device.name))
            _plug_in(table, spaces[device.name], number)
        data.mkdir(parents=True, exist_ok=True)
        running = Companion(data, under=["ip", "netns", "exec", table], apart=True)
        stack.callback(running.stop)
        pages = {
            device.name: stack.enter_context(_shown(device, spaces[device.name], data, like))
            for device in devices
        }
        yield House(running, f"http://{TABLE}:{running.client.port}", pages)


@contextmanager
def _space(name: str) -> Iterator[str]:
    """Yield a network namespace that only this process uses."""
    space = f"house-{os.getpid()}-{name}"
    _ip("netns", "add", space)
    try:
        _ip("-n", space, "link", "set", "lo", "up")
        yield space
    finally:
        _ip("netns", "del", space)


def _plug_in(table: str, space: str, number: int) -> None:
    """Connect a device to the switch."""
    port = f"port{number}"
    _ip("-n", table, "link", "add", port, "type", "veth", "peer", "name", "eth0", "netns", space)
    _ip("-n", table, "link", "set", port, "master", "switch", "up")
    _ip("-n", space, "addr", "add", f"{NET}.{number + 2}/24", "dev", "eth0")
    _ip("-n", space, "link", "set", "eth0", "up")


@contextmanager
def _shown(device: Device, space: str, data: Path, like: dict[str, Any]) -> Iterator[Page]:
    """Yield an empty page of a browser in this namespace."""
    started = data / f"browser-{device.name}"
    started.write_text(f'#!/bin/sh\nexec ip netns exec {space} {program()} "$@"\n', encoding="utf-8")
    started.chmod(0o755)
    with driver() as playwright:
        browser = playwright.chromium.launch(executable_path=started, args=LAUNCH)
        size = {"width": device.width, "height": device.height}
        context = browser.new_context(viewport=size, has_touch=True, **like)  # type: ignore[arg-type]
        context.set_default_timeout(PATIENCE)
        yield context.new_page()
        browser.close()


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)
