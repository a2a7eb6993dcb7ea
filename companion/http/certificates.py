"""An authority of this table's own, and the certificate by which devices that trust it reach it by https.

The authority may sign for names in `.local` and addresses at home only [RFC 5280, 4.2.1.10]: a thief of its
key cannot pretend to be a bank. A certificate lasts 397 days, for Apple's devices accept no more than 825. It
is made anew at a start when it ends soon or an address is missing in it. Imported only where https is on: the
package `cryptography` takes as long as a twentieth of the start.
"""

from __future__ import annotations

import ipaddress
import os
import ssl
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from companion.http.https import AUTHORITY, AUTHORITY_KEY, CERTIFICATE, FOLDER, KEY

LASTS: Final = timedelta(days=397)
RENEWED: Final = timedelta(days=30)  # before its end
YEARS: Final = timedelta(days=3650)
BEFORE: Final = timedelta(days=2)  # a phone's clock may be behind
FIRST: Final = datetime(2026, 11, 1, tzinfo=UTC)  # a Pi without a network may believe it is 1970
AT_HOME: Final = (
    *("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "127.0.0.0/8"),
    *("fc00::/7", "fe80::/10", "::1/128"),
)

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def create(data: Path, name: str, now: datetime) -> None:
    """Make the authority of this table, once; its key is readable by the owner only."""
    folder = data / FOLDER
    folder.mkdir(mode=0o700, exist_ok=True)
    now = max(now, FIRST)
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"Race companion {name} {now:%Y-%m-%d}")])
    permitted: list[x509.GeneralName] = [x509.DNSName("local"), x509.DNSName("localhost")]
    permitted += [x509.IPAddress(ipaddress.ip_network(network)) for network in AT_HOME]
    certificate = (
        _builder(subject, subject, key.public_key(), now, YEARS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs=True), critical=True)
        .add_extension(x509.NameConstraints(permitted, None), critical=True)
        .sign(key, hashes.SHA256())
    )
    _write(folder / AUTHORITY, certificate.public_bytes(serialization.Encoding.PEM))
    _write(folder / AUTHORITY_KEY, _pem(key))


def context(data: Path, names: Sequence[str], addresses: Iterable[str], now: datetime) -> ssl.SSLContext:
    """Return the TLS settings of the server; make its certificate first where that is due.

    `names` end in `.local` or are localhost; addresses that are not at home are left out.
    """
    folder, now = data / FOLDER, max(now, FIRST)
    wanted = _wanted(names, addresses)
    if not _is_good(folder, wanted, now):
        sign(folder, wanted, now)
    settings = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    settings.minimum_version = ssl.TLSVersion.TLSv1_2
    settings.load_cert_chain(folder / CERTIFICATE, folder / KEY)
    settings.set_alpn_protocols(["http/1.1"])
    return settings


def _wanted(names: Sequence[str], addresses: Iterable[str]) -> list[x509.GeneralName]:
    at_home = [ipaddress.ip_network(network) for network in AT_HOME]
    found = [ipaddress.ip_address(address.partition("%")[0]) for address in addresses]
    inside = {one for one in found if any(one in net for net in at_home if net.version == one.version)}
    own: list[x509.GeneralName] = [x509.DNSName(name) for name in dict.fromkeys(["localhost", *names])]
    loopback: set[Address] = {ipaddress.ip_address("127.0.0.1"), ipaddress.ip_address("::1")}
    return own + [x509.IPAddress(one) for one in sorted(inside | loopback, key=str)]


def _is_good(folder: Path, wanted: Sequence[x509.GeneralName], now: datetime) -> bool:
    """Return True if the certificate there is of this authority, lasts, and has all these names."""
    try:
        authority = x509.load_pem_x509_certificate((folder / AUTHORITY).read_bytes())
        certificate = x509.load_pem_x509_certificate((folder / CERTIFICATE).read_bytes())
        certificate.verify_directly_issued_by(authority)
    except (OSError, ValueError, TypeError, InvalidSignature):
        return False
    has = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    lasts = certificate.not_valid_before_utc <= now < certificate.not_valid_after_utc - RENEWED
    return lasts and set(wanted) <= set(has) and (folder / KEY).exists()


def sign(folder: Path, wanted: Sequence[x509.GeneralName], now: datetime) -> None:
    """Make a key and a certificate for these names, signed by the authority in this folder."""
    authority = x509.load_pem_x509_certificate((folder / AUTHORITY).read_bytes())
    signer = serialization.load_pem_private_key((folder / AUTHORITY_KEY).read_bytes(), None)
    assert isinstance(signer, ec.EllipticCurvePrivateKey)
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Race companion")])
    certificate = (
        _builder(subject, authority.subject, key.public_key(), now, LASTS)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectAlternativeName(wanted), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key()), critical=False
        )
        .sign(signer, hashes.SHA256())
    )
    _write(folder / KEY, _pem(key))
    _write(folder / CERTIFICATE, certificate.public_bytes(serialization.Encoding.PEM))


def _builder(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey, now: datetime, lasts: timedelta
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - BEFORE)
        .not_valid_after(now - BEFORE + lasts)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key), critical=False)
    )


def _usage(signs: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=True,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=signs,
        crl_sign=signs,
        encipher_only=False,
        decipher_only=False,
    )


def _pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


def _write(path: Path, content: bytes) -> None:
    """Replace a file in one step, readable by the owner only."""
    new = path.with_suffix(path.suffix + ".new")
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(content)
    new.replace(path)
