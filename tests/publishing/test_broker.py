"""The files that [mqtt] names: read as any editor saves them, or named with what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion

from companion.publishing.broker import BrokerUnavailable, set_credentials
from companion.settings import MqttSettings


@pytest.fixture
def client() -> Client:
    return Client(CallbackAPIVersion.VERSION2)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le"])
@pytest.mark.parametrize("written", ["sesame", "sesame  \r\n", "sesame\nmore\n"])
def test_a_password_is_read_as_any_editor_saves_it(
    client: Client, tmp_path: Path, written: str, encoding: str
) -> None:
    file = tmp_path / "password"
    file.write_bytes(written.encode(encoding))
    set_credentials(client, MqttSettings("b", user="table", password_file=str(file)))
    assert client._password == b"sesame"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\n \n", "is empty: write the password into it"),
        (b"caf\xe9", "choose the encoding UTF-8"),
        (b"{\\rtf1 x}", "document"),
    ],
)
def test_a_password_file_without_a_password_is_named(
    client: Client, tmp_path: Path, content: bytes, said: str
) -> None:
    """It is no mistake of ours, and is tried again as a broker that is away is."""
    file = tmp_path / "password"
    file.write_bytes(content)
    with pytest.raises(BrokerUnavailable, match=said) as error:
        set_credentials(client, MqttSettings("b", user="table", password_file=str(file)))
    assert str(file) in str(error.value)


@pytest.mark.parametrize(
    "content", [b"", b"no certificate", b"\xff\xfe\0", b"-----BEGIN CERTIFICATE-----\nx\n"]
)
def test_a_file_that_is_no_certificate_is_named(client: Client, tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "ca.pem"
    file.write_bytes(content)
    with pytest.raises(BrokerUnavailable, match=r"ca\.pem is no certificate: name a file in PEM or DER"):
        set_credentials(client, MqttSettings("b", tls=True, ca=str(file)))
