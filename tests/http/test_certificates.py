"""The table's own authority: a device that trusts it reaches the table by https, and nothing else through it."""

from __future__ import annotations

import ipaddress
import socket
import ssl
import stat
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from flask.testing import FlaskClient

from companion.http import certificates
from companion.http.https import AUTHORITY, CERTIFICATE, FOLDER, KEY, remove
from tests.support.apps import create_app
from tests.support.evening import Evening

NOW = datetime(2027, 3, 1, tzinfo=UTC)
NAMES = ["companion.local"]
ADDRESSES = ["192.168.1.5", "10.42.0.1", "203.0.113.7", "fe80::1%eth0"]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    certificates.create(tmp_path, "of a test", datetime.now(UTC))
    return tmp_path


def shakes_hands(server: ssl.SSLContext, authority: Path, name: str) -> None:
    """Connect to this server as a device does that trusts the authority; SSLError if it is not accepted."""
    client = ssl.create_default_context(cafile=str(authority))
    ours, theirs = socket.socketpair()

    def serve() -> None:
        try:
            server.wrap_socket(theirs, server_side=True).close()
        except OSError:
            theirs.close()

    serving = threading.Thread(target=serve)
    serving.start()
    try:
        client.wrap_socket(ours, server_hostname=name).close()
    finally:
        ours.close()
        serving.join()


def names_in(data: Path) -> set[str]:
    certificate = x509.load_pem_x509_certificate((data / FOLDER / CERTIFICATE).read_bytes())
    has = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return {str(one.value) for one in has}


@pytest.mark.parametrize("name", ["companion.local", "localhost", "192.168.1.5", "10.42.0.1", "::1"])
def test_a_device_that_trusts_the_authority_reaches_the_table(name: str, data: Path) -> None:
    context = certificates.context(data, NAMES, ADDRESSES, datetime.now(UTC))
    shakes_hands(context, data / FOLDER / AUTHORITY, name)


def test_a_device_that_does_not_trust_it_is_warned(
    data: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    other = tmp_path_factory.mktemp("other")
    certificates.create(other, "of another house", datetime.now(UTC))
    context = certificates.context(data, NAMES, ADDRESSES, datetime.now(UTC))
    with pytest.raises(ssl.SSLCertVerificationError):
        shakes_hands(context, other / FOLDER / AUTHORITY, "companion.local")


@pytest.mark.parametrize("name", ["bank.example", "192.168.1.5.example", "203.0.113.7"])
def test_a_stolen_key_is_good_for_nothing_outside_the_house(name: str, data: Path) -> None:
    """OpenSSL itself refuses what the authority signs for a name or an address that is not at home."""
    is_address = name[-1].isdigit()
    wanted = [x509.IPAddress(ipaddress.ip_address(name)) if is_address else x509.DNSName(name)]
    certificates.sign(data / FOLDER, wanted, datetime.now(UTC))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(data / FOLDER / CERTIFICATE, data / FOLDER / KEY)
    with pytest.raises(ssl.SSLCertVerificationError, match="permitted subtree violation"):
        shakes_hands(context, data / FOLDER / AUTHORITY, name)


def test_only_addresses_at_home_are_in_it(data: Path) -> None:
    certificates.context(data, NAMES, ADDRESSES, NOW)
    own = {"localhost", "companion.local", "127.0.0.1", "::1"}
    assert names_in(data) == own | {"192.168.1.5", "10.42.0.1", "fe80::1"}


def test_it_is_made_anew_when_an_address_is_missing_or_it_ends_soon(data: Path) -> None:
    """Otherwise it stays, so that a browser's own exception for it stays too."""
    made = data / FOLDER / CERTIFICATE

    def after(names: list[str], now: datetime) -> bytes:
        certificates.context(data, names, ADDRESSES, now)
        return made.read_bytes()

    first = after(NAMES, NOW)
    assert after(NAMES, NOW + timedelta(days=300)) == first
    assert after(NAMES, NOW + timedelta(days=370)) != first
    second = after(NAMES, NOW)
    assert after([*NAMES, "companion-2.local"], NOW) != second
    made.write_bytes(b"-----BEGIN CERTIFICATE-----\n")
    assert after(NAMES, NOW).startswith(b"-----BEGIN CERTIFICATE-----\nMI")


def test_an_authority_that_was_made_again_on_the_same_day_signs_anew(data: Path) -> None:
    """It has the same name, and another key: it did not sign the old certificate."""
    certificates.context(data, NAMES, ADDRESSES, datetime.now(UTC))
    certificates.create(data, "of a test", datetime.now(UTC))
    context = certificates.context(data, NAMES, ADDRESSES, datetime.now(UTC))
    shakes_hands(context, data / FOLDER / AUTHORITY, "companion.local")


def test_a_clock_that_was_never_set_makes_no_certificate_of_1970(tmp_path: Path) -> None:
    """A phone's clock is right: it would refuse what has ended long ago."""
    born = datetime(1970, 1, 1, tzinfo=UTC)
    certificates.create(tmp_path, "of a Pi", born)
    certificates.context(tmp_path, NAMES, ADDRESSES, born)
    made = x509.load_pem_x509_certificate((tmp_path / FOLDER / CERTIFICATE).read_bytes())
    assert made.not_valid_after_utc > datetime(2027, 11, 1, tzinfo=UTC)


def test_keys_are_for_the_owner_only(data: Path) -> None:
    certificates.context(data, NAMES, ADDRESSES, NOW)
    assert stat.S_IMODE((data / FOLDER).stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in (data / FOLDER).iterdir()} == {0o600}


def page(data: Path, client: FlaskClient) -> str:
    return client.get("/https", base_url="http://localhost:8000").get_data(as_text=True)


def test_the_page_says_how_to_trust_it_or_how_to_switch_it_on(tmp_path: Path) -> None:
    app = create_app(Evening(tmp_path).table, port=8000, data=tmp_path)
    client = app.test_client()
    assert "companion https" in page(tmp_path, client)
    assert client.get("/authority.crt", base_url="http://localhost").status_code == 404
    certificates.create(tmp_path, "of a test", NOW)
    shown = page(tmp_path, client)
    for device in ("iPhone, iPad", "Android", "Windows", "Mac", "Firefox"):
        assert device in shown
    assert 'href="https://localhost:8443/"' in shown
    answer = client.get("/authority.crt", base_url="http://localhost")
    assert answer.mimetype == "application/x-x509-ca-cert"
    x509.load_pem_x509_certificate(answer.data)
    remove(tmp_path)
    assert client.get("/authority.crt", base_url="http://localhost").status_code == 404
