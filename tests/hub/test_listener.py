"""A hub listens to a real Mosquitto: after any outage, everything published is in the database, once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from sqlalchemy import Engine, func, select
from sqlalchemy.exc import OperationalError

from companion.hub import database, schema
from companion.hub.intake import Intake
from companion.hub.listener import Listener
from companion.hub.validation import Told
from companion.publishing.signing import KEY, SIGNATURE
from companion.settings import MqttSettings
from tests.hub.test_intake import everything
from tests.support.broker import OPEN, Broker, running
from tests.support.client import PATIENCE_S
from tests.support.hub.stories import Evening

KEEPS = "persistence true\nmax_queued_messages 0\npersistence_location "


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    with running(tmp_path, f"{OPEN}{KEEPS}{tmp_path}/\n") as started:
        yield started


@pytest.fixture(scope="module")
def messages(tmp_path_factory: pytest.TempPathFactory) -> list[Told]:
    """Return an evening of one table."""
    evening = Evening(tmp_path_factory.mktemp("table"), "window-2", 1)
    for game in ("galloping-pigs", "galloping-horse"):
        evening.play(game, ("Ada", "Ben"))
    messages = list(evening.messages())
    evening.close()
    return messages


class Watched(Intake):
    """Tells when so many messages were taken in."""

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine)
        self.changed, self.count = threading.Condition(), 0

    def take(self, batch: Any, now: Any = None) -> None:
        batch = list(batch)
        super().take(batch, now)
        with self.changed:
            self.count += len(batch)
            self.changed.notify_all()

    def until(self, true: Callable[[], object]) -> None:
        with self.changed:
            assert self.changed.wait_for(true, PATIENCE_S), f"{self.count} messages were taken in"


def publish(port: int, messages: list[Told]) -> None:
    """Tell the broker, and wait until it has everything."""
    client = Client(CallbackAPIVersion.VERSION2, protocol=MQTTProtocolVersion.MQTTv5)
    client.connect("127.0.0.1", port)
    client.loop_start()
    for one in messages:
        properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
        if one.key is not None and one.signature is not None:
            properties.UserProperty = [(KEY, one.key), (SIGNATURE, one.signature)]
        topic = f"companion/{one.table}/{one.what}"
        client.publish(topic, one.payload, 1, properties=properties).wait_for_publish(PATIENCE_S)
    client.disconnect()
    client.loop_stop()


def listening(
    broker: Broker, intake: Intake, heard: Callable[[Told], None] = lambda messages: None
) -> Listener:
    listener = Listener(MqttSettings("127.0.0.1", broker.port), intake, heard)
    listener.start()
    broker.subscribed(1)
    return listener


def entries(engine: Engine) -> int:
    with engine.connect() as db:
        return db.execute(select(func.max(schema.events.c.entry))).scalar() or 0


def has_all(engine: Engine, messages: list[Told]) -> bool:
    """Return whether the games are there: records come last."""
    with engine.connect() as db:
        games = db.execute(select(func.count()).select_from(schema.games)).scalar()
    return entries(engine) == last(messages) and games == sum(one.what == "records" for one in messages)


def at_once(tmp_path: Path, messages: list[Told]) -> dict[str, list[tuple[Any, ...]]]:
    """Return what the database holds if nothing is ever away."""
    other = database.opened(f"sqlite:///{tmp_path / 'other.sqlite'}")
    Intake(other).take(messages)
    held = everything(other)
    other.dispose()
    return held


def last(messages: list[Told]) -> int:
    return sum(one.what == "events" for one in messages)


def test_a_hub_that_was_away_hears_the_evening_once(
    tmp_path: Path, broker: Broker, engine: Engine, messages: list[Told]
) -> None:
    """The broker keeps what it has not heard, over a restart of the broker too."""
    first = Watched(engine)
    listener = listening(broker, first)
    publish(broker.port, messages[:20])
    first.until(lambda: entries(engine) >= 15)
    listener.stop()
    publish(broker.port, messages[20:60])
    broker.stop()
    broker.start()
    publish(broker.port, messages[60:])
    second = Watched(engine)
    listener = listening(broker, second)
    second.until(lambda: has_all(engine, messages))
    listener.stop()
    assert everything(engine) == at_once(tmp_path, messages)


def test_a_broker_that_restarts_under_it(
    tmp_path: Path, broker: Broker, engine: Engine, messages: list[Told]
) -> None:
    intake = Watched(engine)
    listener = listening(broker, intake)
    for at in range(0, len(messages), 40):
        publish(broker.port, messages[at : at + 40])
        broker.stop()
        broker.start()
    intake.until(lambda: has_all(engine, messages))
    listener.stop()
    assert everything(engine) == at_once(tmp_path, messages)


def test_a_database_that_is_away_is_waited_for(
    tmp_path: Path, broker: Broker, engine: Engine, messages: list[Told], caplog: pytest.LogCaptureFixture
) -> None:
    """A message that it does not have is not acknowledged, so it comes again."""

    class Away(Watched):
        def take(self, batch: Any, now: Any = None) -> None:
            with self.changed:
                self.count += 1
                self.changed.notify_all()
                if self.count <= 3:
                    raise OperationalError("insert", {}, OSError("the server closed the connection"))
            super().take(batch, now)

    intake = Away(engine)
    listener = listening(broker, intake)
    publish(broker.port, messages)
    intake.until(lambda: has_all(engine, messages))
    listener.stop()
    assert everything(engine) == at_once(tmp_path, messages)
    said = [record.message for record in caplog.records if "database" in record.message]
    assert said == [
        "the database: the server closed the connection; nothing is lost, it goes on once that is put right",
        "broker and database are back",
    ]


class Slow(Intake):
    """A database that has nothing yet."""

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine)
        self.goes_on = threading.Event()

    def take(self, batch: Any, now: Any = None) -> None:
        assert self.goes_on.wait(PATIENCE_S)
        super().take(batch, now)


def test_a_watcher_does_not_wait_for_the_database(
    broker: Broker, engine: Engine, messages: list[Told]
) -> None:
    intake, heard, all_heard = Slow(engine), [], threading.Event()

    def hear(one: Told) -> None:
        heard.append(one)
        if len(heard) == 20:
            all_heard.set()

    listener = listening(broker, intake, hear)
    publish(broker.port, messages[:20])
    assert all_heard.wait(PATIENCE_S)
    assert heard == messages[:20]
    assert entries(engine) == 0
    intake.goes_on.set()
    listener.stop()
