"""Tables publish to a real Mosquitto: in no outage does a counting subscriber lose or double anything."""

from __future__ import annotations

import json
import logging
import os
import random
import re
import shutil
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from companion.games.race import random_decision
from companion.match.record import Header, decision_line
from companion.message import Sentence
from companion.odds.luck_summary import Parts
from companion.publishing import publisher
from companion.publishing.elsewhere import pages
from companion.publishing.publisher import Publisher
from companion.publishing.sealed import Luck, Sealed, opened
from companion.reply import encoded
from companion.settings import MqttSettings
from companion.store.journal import Journal
from companion.table.messages import LuckIs
from companion.table.table import Table
from companion.translate import Words
from companion.views.table import public
from tests.support.broker import Broker, Listener, running
from tests.support.client import PATIENCE_S, Client, companion
from tests.support.ports import reserved_port

PAGE = Path(__file__).parents[2] / "docs" / "mqtt.md"
TOPIC = "companion/window-2"
LUCK = (Parts(50, 100, 20, 30, 0, 12, 8), Parts(50, 0, None, -20, -30))
LINE_UP = {"do": "line-up", "seat": 0, "order": ["red", "blue", "green", "yellow", "pink"]}


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    with running(tmp_path) as started:
        yield started


@pytest.fixture
def listener(broker: Broker) -> Iterator[Listener]:
    listening = Listener(broker.port)
    yield listening
    listening.close()


@contextmanager
def publishing(journal: Journal, settings: MqttSettings, data: Path = Path()) -> Iterator[Table]:
    """Yield a table that publishes, with its threads, as it is served."""
    table = Table(journal, dealer=random.Random(1)).open()
    teller = Publisher(settings, journal, table.snapshot, data)
    table.listeners.append(teller.update)
    teller.start()
    table.start()
    try:
        yield table
    finally:
        table.stop()
        teller.stop()


def tap(table: Table, line: dict[str, Any]) -> None:
    table.ask(lambda table: table.play.decide(table.snapshot.seq, line))


def play(table: Table, decisions: int, rng: random.Random) -> None:
    """Make so many decisions of the game on the table, and an undo and a redo among them."""
    for number in range(decisions):
        match = table.ledger.running()
        if (decision := random_decision(match.race, rng)) is not None:
            tap(table, decision_line(match.race, decision))
        if number == decisions // 2:
            table.ask(lambda table: table.play.undo(table.snapshot.seq))
            table.ask(lambda table: table.play.redo(table.snapshot.seq))


def test_a_game_is_published(listener: Listener, broker: Broker, journal: Journal) -> None:
    """Every entry in order, the newest picture as programs have it, that the table is here, and that it has gone."""
    with publishing(journal, MqttSettings("127.0.0.1", broker.port, table="window-2")) as table:
        listener.until(lambda: listener.last.get(f"{TOPIC}/here") == b"here", "a table")
        table.ask(lambda table: table.begin(Header("galloping-pigs", ("Ada", "Ben")), "companion"))
        play(table, 12, random.Random(1))
        last = journal.seq()
        listener.heard(last)
        listener.until(lambda: drawn(listener) == last, "a picture")
        assert json.loads(listener.last[f"{TOPIC}/picture"]) == as_programs_have_it(table)
        listener.until(lambda: drawn(listener, "page") == last, "its pages")
        assert listener.last[f"{TOPIC}/page"] == encoded(pages(table.snapshot))
    listener.until(lambda: listener.last[f"{TOPIC}/here"] == b"gone", "a leave")
    assert [event["entry"] for event in listener.events] == [*range(1, last + 1)], "each once"
    assert listener.counted() == listener.events
    late = Listener(broker.port)
    topics = {f"{TOPIC}/{what}" for what in ("here", "picture", "page")}
    late.until(lambda: late.retained == topics, "what is kept")
    late.close()


def test_a_game_that_is_over_is_published_whole_and_signed(
    listener: Listener, broker: Broker, journal: Journal, tmp_path: Path
) -> None:
    """Once as it ended and before the event says so; again with its luck, when that is known."""
    settings = MqttSettings("127.0.0.1", broker.port, table="window-2")
    rng = random.Random(1)
    with publishing(journal, settings, tmp_path) as table:
        table.ask(lambda table: table.begin(Header("galloping-pigs", ("Ada", "Ben")), "companion"))
        while (running := table.ledger.running().race).awaits() is not None:
            decision = random_decision(running, rng)
            assert decision is not None
            tap(table, decision_line(running, decision))
        last = journal.seq()
        listener.heard(last)
        published_at = len(listener.records)
        ending = read(listener.records[-1])
        assert table.snapshot.match is not None
        assert opened(ending).race == table.snapshot.match.race
        assert (ending.claim.match, ending.claim.entry, ending.claim.luck) == (1, last, None)
        luck = LuckIs(1, last, Sentence("Luck"), (), (), LUCK)
        table.ask(lambda table: table.handle(luck))
        listener.until(lambda: len(listener.records) > published_at, "the record with its luck")
        again = read(listener.records[-1])
        assert opened(again) == opened(ending)
        assert again.claim == replace(ending.claim, luck=[Luck(*parts[:5]) for parts in LUCK])


def read(payload: bytes) -> Sealed:
    return msgspec.json.decode(payload, type=Sealed)


def drawn(listener: Listener, what: str = "picture") -> int:
    """Return the entry that the last picture shows, or the last page."""
    entry: int = json.loads(listener.last.get(f"{TOPIC}/{what}", b'{"seq": -1}'))["seq"]
    return entry


def as_programs_have_it(table: Table) -> Any:
    return json.loads(encoded(public.table(table.snapshot, Words.english())))


@pytest.mark.long
def test_a_broker_that_is_killed_and_comes_back_misses_nothing(
    listener: Listener, broker: Broker, journal: Journal, caplog: pytest.LogCaptureFixture
) -> None:
    """A broker that is killed twice in a game gets each event; they wait, and the log says so once.

    Only here: an event that is lost or repeated when a real broker is killed and restarted.
    """
    with publishing(journal, MqttSettings("127.0.0.1", broker.port, table="window-2")) as table:
        table.ask(lambda table: table.begin(Header("greyhounds", ("Ada", "Ben", "Cleo")), "companion"))
        rng = random.Random(1)
        for _ in range(2):
            play(table, 6, rng)
            listener.heard(journal.seq())
            broker.kill()
            play(table, 6, rng)  # the table goes on without waiting for a broker
            assert listener.events[-1]["entry"] < journal.seq()
            broker.start()
            listener.heard(journal.seq())
    assert [event["entry"] for event in listener.counted()] == [*range(1, journal.seq() + 1)]
    said = [record.getMessage() for record in caplog.records if record.name == publisher.__name__]
    assert [text for text in said if "is back" in text] == ["mqtt: the broker is back"] * 2
    assert any("nothing is lost" in text for text in said)
    assert max(said.count(text) for text in said) == 2, "each once for each time that it was away"


@pytest.mark.long
def test_an_answer_that_does_not_come_makes_no_loss_and_no_two(
    listener: Listener, broker: Broker, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An event whose acknowledgement is lost is sent twice, and a subscriber who counts has it once.

    Only here: an event that is lost when the broker has it and does not acknowledge it.
    """
    monkeypatch.setattr("companion.publishing.broker.ANSWER_S", 0.5)
    settings = MqttSettings("127.0.0.1", broker.port, table="window-2")
    with publishing(journal, settings) as table, warned("does not answer") as said:
        table.ask(lambda table: table.begin(Header("galloping-pigs", ("Ada", "Ben")), "companion"))
        listener.until(lambda: drawn(listener, "page") == journal.seq(), "its pages, which come last")
        broker.answered()  # the next message that it gets is an event
        broker.freeze()
        play(table, 12, random.Random(1))
        assert said.wait(PATIENCE_S)
        broker.thaw()
        last = journal.seq()
        listener.heard(last)
        listener.until(lambda: drawn(listener) == last, "a picture")
        assert listener.last[f"{TOPIC}/here"] == b"here"
    assert [event["entry"] for event in listener.counted()] == [*range(1, last + 1)]
    assert len(listener.events) > last, "nothing came twice: this proves less than it says"


@pytest.mark.long
def test_a_companion_that_is_killed_is_gone_and_comes_back_with_all(
    listener: Listener, broker: Broker, tmp_path: Path
) -> None:
    """The broker publishes the will of a killed companion; started again, it goes on with the same numbers.

    Only here: a will that a real broker does not publish, or events that a restart renumbers.
    """
    data = tmp_path / "data"
    data.mkdir()
    (data / "companion.toml").write_text(
        f'[mqtt]\nhost = "127.0.0.1"\nport = {broker.port}\ntable = "window-2"\n'
    )
    with companion(data) as running:
        running.client.host()
        running.client.begin()
        running.client.decide(**LINE_UP)
        listener.heard(running.client.table["seq"])
        assert listener.last[f"{TOPIC}/here"] == b"here"
        running.kill()
        listener.until(lambda: listener.last[f"{TOPIC}/here"] == b"gone", "a last will")
        before = running.client
    broker.kill()
    with companion(data) as running:  # what is decided before the broker is back waits
        played_on(running.client, before)
        running.kill()
        last = running.client
    broker.start()
    with companion(data) as running:
        last = running.client
        seq = last.table["seq"]
        listener.heard(seq)
        assert [event["entry"] for event in listener.counted()] == [*range(1, seq + 1)]
        listener.until(lambda: drawn(listener) == seq, "a picture")
        assert listener.last[f"{TOPIC}/here"] == b"here"
        running.stop()
    listener.until(lambda: listener.last[f"{TOPIC}/here"] == b"gone", "a leave")


def played_on(client: Client, before: Client) -> None:
    client.share(before)
    for card in ("pink", "red", "blue"):
        client.decide(do="play", seat=client.table["next"]["seats"][0], card=card)


@pytest.mark.long
def test_the_lines_for_listeners_hear_it(broker: Broker, journal: Journal) -> None:
    """Each line for subscribers in the documentation receives messages from this broker.

    Only here: a mosquitto_sub line of the documentation that receives nothing.
    """
    if shutil.which("mosquitto_sub") is None:
        pytest.skip("mosquitto_sub is not installed: apt-get install mosquitto-clients")
    [block] = re.findall(r"```sh\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    here = f"-h 127.0.0.1 -p {broker.port}"
    listening = [
        subprocess.Popen(
            ["sh", "-c", f"exec {line.replace('-h broker.lan', here)} -C 1 -W {PATIENCE_S:.0f}"],
            stdout=subprocess.PIPE,
        )
        for line in [
            *block.splitlines(),
            "mosquitto_sub -h broker.lan -t 'companion/+/events' -c -i NAME -q 1",
        ]
    ]
    settings = MqttSettings("127.0.0.1", broker.port, table="window-2", home_assistant=True)
    with publishing(journal, settings) as table:
        broker.subscribed(len(listening))
        table.ask(lambda table: table.begin(Header("galloping-pigs", ("Ada", "Ben")), "companion"))
        heard = [running.communicate(timeout=PATIENCE_S)[0].decode() for running in listening]
    assert heard[0] == f"{TOPIC}/here here\n"
    assert [json.loads(event)["kind"] for event in (heard[1], heard[3])] == ["new", "new"]
    assert json.loads(heard[2])["parts"]
    for forgetting in re.findall(r"`(mosquitto_pub [^`]*)`", PAGE.read_text("utf-8")):
        subprocess.run(["sh", "-c", forgetting.replace("-h broker.lan", here)], check=True)
    late = Listener(broker.port)
    late.until(lambda: f"{TOPIC}/here" in late.retained, "what is kept")
    assert late.retained == {f"{TOPIC}/here"}
    late.close()


@pytest.mark.long
def test_events_without_a_broker_wait(broker: Broker, journal: Journal) -> None:
    """An event without a subscriber waits, and a late subscriber gets all of them.

    Only here: an event that is counted as sent although the broker had no subscriber for it.
    """
    screen = Listener(broker.port, f"{TOPIC}/picture")
    with publishing(journal, MqttSettings("127.0.0.1", broker.port, table="window-2")) as table:
        table.ask(lambda table: table.begin(Header("galloping-pigs", ("Ada", "Ben")), "companion"))
        play(table, 6, random.Random(1))
        screen.until(lambda: drawn(screen) == journal.seq(), "a picture")  # it was connected all the time
        late = Listener(broker.port)
        late.heard(journal.seq())
    assert [event["entry"] for event in late.counted()] == [*range(1, journal.seq() + 1)]
    late.close()
    screen.close()


@pytest.mark.long
def test_eight_tables_tell_one_broker(
    listener: Listener, broker: Broker, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Eight tables publish at once, each by its name, to a broker that is killed, and no event is missing.

    Only here: an event that one table loses or takes from another when many reconnect at the same time.
    """
    names = [f"table-{number}" for number in range(1, 9)]
    with ExitStack() as stack:
        journals = [stack.enter_context(closing(Journal(tmp_path / f"{name}.sqlite"))) for name in names]
        tables = [
            stack.enter_context(publishing(journal, MqttSettings("127.0.0.1", broker.port, table=name)))
            for name, journal in zip(names, journals, strict=True)
        ]
        games = [threading.Thread(target=played, args=(table, n)) for n, table in enumerate(tables)]
        for game in games:
            game.start()
        broker.kill()
        for game in games:
            game.join()
        broker.start()
        for name, journal in zip(names, journals, strict=True):
            listener.heard(journal.seq(), name)
            assert [event["entry"] for event in listener.counted(name)] == [*range(1, journal.seq() + 1)]


def played(table: Table, seed: int) -> None:
    table.ask(lambda table: table.begin(Header("galloping-pigs", ("Ada", "Ben")), "companion"))
    play(table, 12, random.Random(seed))


@contextmanager
def warned(words: str) -> Iterator[threading.Event]:
    """Yield an event that is set once the log says these words."""
    said = threading.Event()

    class Watching(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if words in record.getMessage():
                said.set()

    watching = Watching()
    logging.getLogger(publisher.__name__).addHandler(watching)
    yield said
    logging.getLogger(publisher.__name__).removeHandler(watching)


# paho leaves the socket of a failed handshake to the garbage collector
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.long
def test_with_a_lock_a_user_and_an_own_prefix(
    tmp_path: Path, journal: Journal, caplog: pytest.LogCaptureFixture
) -> None:
    """Over TLS a table publishes as a user; a wrong password and an unknown certificate are reported.

    Only here: a password, certificate or prefix that a real TLS broker treats otherwise than the settings
    say.
    """
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed: apt-get install openssl")
    key, certificate, users = tmp_path / "key.pem", tmp_path / "ca.pem", tmp_path / "users"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"),
            *("-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"),
            *("-keyout", key, "-out", certificate),
        ],
        check=True,
        capture_output=True,
    )
    users.touch(0o600)
    subprocess.run(["mosquitto_passwd", "-b", users, "table", "sesame"], check=True, capture_output=True)
    (tmp_path / "password").write_text("sesame\n")
    (tmp_path / "guess").write_text("open")
    locked = reserved_port()
    # Mosquitto holds all listeners to one rule unless it is configured otherwise
    rules = (
        f"per_listener_settings true\nallow_anonymous true\nlistener {locked} 127.0.0.1\n"
        f"allow_anonymous false\nkeyfile {key}\ncertfile {certificate}\npassword_file {users}\n"
    )
    with running(tmp_path, rules) as broker:
        listener = Listener(broker.port)
        right = MqttSettings(
            "127.0.0.1",
            locked,
            user="table",
            password_file=str(tmp_path / "password"),
            tls=True,
            ca=str(certificate),
            prefix="café/race",
        )
        wrong = {
            "Not authorized": replace(right, password_file=str(tmp_path / "guess")),
            "certificate verify failed": MqttSettings("127.0.0.1", locked, tls=True),
            "No such file": MqttSettings("127.0.0.1", locked, tls=True, ca="/nowhere/ca.pem"),
        }
        for words, settings in wrong.items():
            with warned(words) as said, publishing(journal, settings):
                assert said.wait(PATIENCE_S), (words, caplog.text)
        with publishing(journal, right) as table:
            table.ask(lambda table: table.begin(Header("galloping-pigs", ("Ada", "Ben"))))
            listener.heard(1, right.name)
        topic = f"café/race/{right.name}"
        assert {topic.rpartition("/")[0] for topic in listener.last} == {topic}
        listener.close()
    assert "sesame" not in caplog.text


@pytest.mark.long
def test_two_tables_of_one_name_are_reported(
    broker: Broker, journal: Journal, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The broker lets one of two tables of one name connect at a time, and the log names the likely cause.

    Only here: two tables of one name that disconnect each other, and a log that does not say why.
    """
    settings = MqttSettings("127.0.0.1", broker.port, table="window-2")
    with (
        warned("another table has this one's name") as said,
        closing(Journal(tmp_path / "other.sqlite")) as other,
        publishing(journal, settings),
        publishing(other, settings),
    ):
        assert said.wait(PATIENCE_S), caplog.text


def test_a_silent_broker_delays_no_table(
    journal: Journal, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It takes the connection and is silent: the table plays on, and stops when it is asked to."""
    monkeypatch.setattr("companion.publishing.follower.STOP_S", 0.1)
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        with publishing(journal, MqttSettings("127.0.0.1", silent.getsockname()[1])) as table:
            table.ask(lambda table: table.begin(Header("galloping-pigs", ("Ada", "Ben")), "companion"))
            play(table, 5, random.Random(1))
        assert journal.seq() > 5
        assert journal.recall(publisher.LAST_PUBLISHED) == 0


def test_a_table_with_more_lines_than_select_knows(broker: Broker, journal: Journal) -> None:
    """Over a thousand watchers come before the broker is back: a new line gets one that `select` refuses."""
    held = [os.open(os.devnull, os.O_RDONLY) for _ in range(1_100)]
    try:
        listener = Listener(broker.port)
        with publishing(journal, MqttSettings("127.0.0.1", broker.port, table="window-2")) as table:
            table.ask(lambda table: table.begin(Header("galloping-pigs", ("Ada", "Ben")), "companion"))
            listener.heard(journal.seq())
        listener.close()
    finally:
        for number in held:
            os.close(number)
