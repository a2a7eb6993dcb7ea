"""Each table has its own account at the broker, and can speak for itself alone."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace

from companion.cli import main
from companion.hub import accounts
from companion.publishing.broker import BrokerConnection, BrokerUnavailable, Message, NotAccepted
from companion.settings import MqttSettings, Settings, load
from tests.support.broker import running

ACL = Path(__file__).parents[2] / "tools" / "club" / "acl.conf"


def companion(*words: object) -> Result:
    """Run a command of the companion in this process."""
    return CliRunner().invoke(main, [str(word) for word in words])


def account(directory: Path, name: str, broker: str = "mqtt://127.0.0.1:1883") -> str:
    """Make an account and return the line that it prints."""
    done = companion("hub", "add-table", name, "--broker", broker, "--passwords", directory / "passwords")
    assert done.exit_code == 0, done.output
    return next(line for line in done.output.splitlines() if "join-club" in line).split("'")[1]


def joined(directory: Path, line: str) -> MqttSettings:
    """Let a table with data in this directory join by that line; return its settings."""
    done = companion("join-club", line, "--data", directory)
    assert done.exit_code == 0, done.output
    return load(directory / "companion.toml", Settings()).mqtt


def published(settings: MqttSettings, topic: str, retain: bool = False) -> bool:
    """Return whether the broker lets this user publish to this topic."""
    line = BrokerConnection(settings, f"{settings.name}-{topic}", Message("last", b""), threading.Event())
    line.open()
    try:
        line.publish(Message(topic, b"{}", retain))
    except NotAccepted:
        return False
    finally:
        line.close()
    return True


def test_a_table_speaks_for_itself_alone_and_the_hub_deletes_what_is_retained(tmp_path: Path) -> None:
    """The broker's files are those of the documentation."""
    lines = {name: account(tmp_path, name) for name in ("window-2", "attic")}
    with (tmp_path / "passwords").open("a") as passwords:
        passwords.write(f"hub:{accounts.hashed('secret')}\n")
    lines["hub"] = accounts.invitation("mqtt://127.0.0.1:1883", "hub", "secret")
    rules = f"allow_anonymous false\npassword_file {tmp_path / 'passwords'}\nacl_file {ACL}\n"
    with running(tmp_path, rules) as broker:
        users = {
            name: replace(joined(tmp_path / name, line), port=broker.port) for name, line in lines.items()
        }
        table, hub = users["window-2"], users["hub"]
        for kind in ("here", "page", "picture", "events", "records"):
            assert published(table, f"companion/window-2/{kind}")
            assert not published(table, f"companion/attic/{kind}")
        assert published(hub, "companion/window-2/page", retain=True)
        assert published(hub, "companion/window-2/picture", retain=True)
        assert not published(hub, "companion/window-2/events")
        with pytest.raises(BrokerUnavailable, match="Not authorized"):
            published(replace(table, user="attic"), "companion/attic/events")


def test_a_table_that_joins_has_the_account_in_its_settings(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    (data / "companion.toml").write_text("pad = false", "utf-8")
    line = account(tmp_path, "window-2", "mqtts://hub.lan:8884/cafe")
    found = joined(data, line)
    password = data / "mqtt-password"
    assert (found.host, found.port, found.tls, found.prefix) == ("hub.lan", 8884, True, "cafe")
    assert (found.user, found.table, found.password_file) == ("window-2", "window-2", str(password))
    assert line == f"mqtts://window-2:{password.read_text().strip()}@hub.lan:8884/cafe"
    assert password.stat().st_mode & 0o777 == 0o600
    assert not load(data / "companion.toml", Settings()).pad


def test_a_table_does_not_join_twice_and_says_what_to_do(tmp_path: Path) -> None:
    line = account(tmp_path, "window-2")
    joined(tmp_path, line)
    before = (tmp_path / "companion.toml").read_text()
    done = companion("join-club", line, "--data", tmp_path)
    assert done.exit_code == 1
    assert "has [mqtt] already: delete that part first" in done.output
    assert (tmp_path / "companion.toml").read_text() == before


@pytest.mark.parametrize(
    "line", ["", "window-2", "mqtt://hub.lan", "http://a:b@hub.lan", "mqtt://a:b@hub.lan:x"]
)
def test_what_is_no_line_of_a_club_is_refused(tmp_path: Path, line: str) -> None:
    done = companion("join-club", line, "--data", tmp_path)
    assert done.exit_code == 2
    assert "this is not a line of companion hub add-table" in done.output
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["", "a b", "a/b", "a:b", "a+", "#", "x" * 61, "a\nb"])
def test_what_is_no_name_of_a_table_gets_no_account(tmp_path: Path, name: str) -> None:
    passwords = tmp_path / "passwords"
    done = companion("hub", "add-table", name, "--broker", "mqtt://hub.lan", "--passwords", passwords)
    assert done.exit_code == 1
    assert "a table cannot be called" in done.output
    assert not passwords.exists()


def test_no_table_has_the_account_of_the_hub(tmp_path: Path) -> None:
    """It would have a new password, so the hub would hear nothing, and the table would hear and delete all."""
    passwords = tmp_path / "passwords"
    passwords.write_text("hub:$7$101$x$y\n")
    done = companion("hub", "add-table", "hub", "--broker", "mqtt://hub.lan", "--passwords", passwords)
    assert done.exit_code == 1
    assert done.output == "Error: 'hub' is the hub's own user at the broker: call the table otherwise\n"
    assert passwords.read_text() == "hub:$7$101$x$y\n"


def test_another_password_for_a_table_leaves_the_others_theirs(tmp_path: Path) -> None:
    account(tmp_path, "window-2")
    account(tmp_path, "attic")
    passwords = tmp_path / "passwords"
    passwords.chmod(0o640)
    before = dict(line.split(":") for line in passwords.read_text().splitlines())
    account(tmp_path, "window-2")
    after = dict(line.split(":") for line in passwords.read_text().splitlines())
    assert after["attic"] == before["attic"]
    assert after["window-2"] != before["window-2"]
    assert passwords.stat().st_mode & 0o777 == 0o640
