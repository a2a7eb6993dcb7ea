"""Starts everything that runs while a table is served, and stops it in reverse order.

May use every room but the commands and the hub.
"""

from __future__ import annotations

import gc
import logging
import random
import socket
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from companion import __version__
from companion.devices.parts import parts_of
from companion.devices.pi_health import Pi
from companion.devices.recorder import Recorder
from companion.devices.usb import UsbPad
from companion.devices.voice import Voice
from companion.diagnostics.instruments import Instruments
from companion.diagnostics.latency import Latency
from companion.diagnostics.plugged import broken
from companion.hotspot import ADDRESS
from companion.http import https
from companion.http.announce import NameAnnouncer, names
from companion.http.network import Reach, addresses
from companion.http.sockets import listen
from companion.settings import Settings
from companion.store.background_check import BackgroundCheck
from companion.store.checkpoint import Checkpoints
from companion.store.journal import Journal
from companion.store.restore import JOURNAL
from companion.systemd import Watchdog
from companion.table.laid_again import LaidAgain
from companion.table.messages import NoOdds
from companion.table.speaker import Commentary
from companion.table.table import Table
from companion.translate import Words
from companion.web import create_app
from companion.web.serve import Secure, Server, Site
from companion.web.stream import Hub
from companion.worker.oracle import Oracle, missing

log = logging.getLogger(__name__)


class Serving(NamedTuple):
    """A companion that is ready to serve: its server, its addresses, the PIN of a demo."""

    server: Server
    reach: Reach
    announced: NameAnnouncer
    pin: str | None
    recorder: Recorder


@contextmanager
def serving(
    journal: Journal,
    machine: Settings,
    data: Path,
    listening: socket.socket,
    *,
    mock: bool = False,
    demo: bool = False,
    record: bool = False,
    seed: int | None = None,
    pico: str = "modelled",
    settings: Path | None = None,
) -> Iterator[Serving]:
    """Start table, parts, odds and pages on this socket, and stop them when the block ends.

    With `seed` it deals the same cards every time, for tests; `pico` is the kind that the virtual table has;
    `settings` is the file that `machine` was read from, if not companion.toml in `data`.
    """
    log.info(
        "companion %s starts, the data are in %s%s", __version__, data, ", MOCK hardware" if mock else ""
    )
    for plugin in broken():  # loaded here, once, before the first page is requested
        why = Words.english().text(plugin.why) if plugin.why else ""
        whose = plugin.name, plugin.distribution, plugin.version
        log.warning("the plug-in %s of the package %s %s is broken and left out: %s", *whose, why)
    with ExitStack() as stack:
        pin = None
        if demo:
            from companion import demo as try_out

            pin = try_out.RandomPin()
        table = Table(journal, mock=mock, dealer=None if seed is None else random.Random(seed))
        if mock:
            from companion import demo as try_out

            try_out.learn_tags(journal)
        table.open()
        hand, parts = parts_of(machine, data, mock, pico)
        if hand is not None:
            hand.prepare()
            stack.callback(hand.stop)
        if pin is not None:
            from companion import demo as try_out

            try_out.begin(table, hand, pin)
        _consult(table, stack)
        table.signals = parts.get("panel")
        table.evaluate()
        if hand is not None:
            from companion import demo as try_out

            table.listeners.append(try_out.tidied(table, hand))
        pi = Pi(spi=(machine.spi_bus, machine.spi_device))
        recorder, latency = Recorder(data), Latency(table.snapshot.seq)
        table.listeners.append(latency.published)
        if isinstance(pad := parts.get("pad"), UsbPad):
            table.listeners.append(LaidAgain(pad.forget, table.snapshot).update)
        if machine.sound.voice != "off":
            voice = Voice(machine.sound)
            voice.start()
            stack.callback(voice.stop)
            commentary = Commentary(voice, Words.of(machine.sound.language), table.snapshot)
            table.listeners.append(commentary.update)
        if machine.mqtt.host is not None:
            from companion.publishing.publisher import Publisher  # only here, because loading paho takes time

            publisher = Publisher(machine.mqtt, journal, table.snapshot, data)
            table.listeners.append(publisher.update)
            publisher.start()
            stack.callback(publisher.stop)
        for one in machine.hook:
            from companion.publishing.webhook import Webhook

            hook = Webhook(one, journal, machine.mqtt.name)
            table.listeners.append(hook.update)
            hook.start()
            stack.callback(hook.stop)
        checkpoints = Checkpoints(journal)
        checkpoints.start()
        stack.callback(checkpoints.stop)
        table.start()
        stack.callback(table.stop)
        check = BackgroundCheck(data / JOURNAL, lambda fault: table.ask(_damage_found))
        check.start()
        stack.callback(check.stop)
        watchdog = Watchdog(table.pulse.post)
        watchdog.start()
        stack.callback(watchdog.stop)
        pi.start()
        stack.callback(pi.stop)
        if record:
            recorder.start()
        stack.callback(recorder.stop)
        port = listening.getsockname()[1]
        reach = Reach(port)
        called = names(machine.name)
        announced = NameAnnouncer(called, reach, port)
        hosts = (*machine.hosts, *called)
        hub = Hub(table, reach, hosts)
        app = create_app(
            table,
            mock=hand,
            hosts=hosts,
            address=reach,
            name=announced,
            port=port,
            parts=parts,
            instruments=Instruments(pi, recorder, latency),
            frames=machine.frames,
            tag_format=machine.usb_format,
            data=data,
            settings=settings or data / "companion.toml",
        )
        secure = _secure(data, port, called)
        if secure is not None:
            stack.callback(secure.listening.close)
        server = Server(Site(app, hub, proxies=machine.proxies), [listening], secure)
        # now: each part is busy with itself at first, and the pages come before that
        if hand is not None:
            hand.start()
        for part in parts.values():
            part.start(latency.around(recorder.around(table.enqueue)))
            stack.callback(part.stop)
        # these objects stay: without this, each full collection scans them while everything waits; nothing is
        # collected before: that takes a twelfth of the start, and finds 237 objects
        gc.freeze()
        announced.start()
        stack.callback(announced.stop)
        yield Serving(server, reach, announced, pin.text if pin else None, recorder)
        log.info("companion stops")


def _secure(data: Path, port: int, called: Sequence[str]) -> Secure | None:
    """Return what https is served with, where it is on; log why it cannot be."""
    if not https.is_on(data):
        return None
    from companion.http.certificates import context  # only here, because loading cryptography takes time

    names = [name for name in (f"{socket.gethostname()}.local", *called) if name.endswith(".local")]
    try:
        own = [one.address for one in addresses()]
        settings = context(data, names, [*own, ADDRESS], datetime.now(UTC))
        return Secure(listen(https.port_of(port)), settings)
    except (OSError, ValueError) as error:
        log.warning("no https: %s", error)
        return None


def _damage_found(table: Table) -> None:
    """Show that the check in the background has found damage."""
    table.watch.damaged()
    table.evaluate()


def _consult(table: Table, stack: ExitStack) -> None:
    """Let the table ask a process for odds, if its requirements are met."""
    why = missing()
    if why is not None:
        log.warning("no odds: %s", Words.english().text(why))
        table.enqueue(NoOdds(why))
        return
    oracle = Oracle(table.enqueue)
    stack.callback(oracle.stop)
    table.consult(oracle)
