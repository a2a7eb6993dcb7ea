"""What several checks of `companion install` share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.appliance.debian import Debian, inside, made, why_not

HERE = (
    "network-manager dnsmasq-base nftables iw libpam-systemd dbus-user-session shared-mime-info libfribidi0"
)
"""What Raspberry Pi OS Lite has, of what matters here.

The last three come with the browser where they are not, and stay when it goes, since others recommend them.
"""
TOOLS = "udhcpc bind9-dnsutils"
FETCHED = "cage xwayland chromium"
"""What `companion install` fetches; it has no network here, so that it finds them where apt keeps packages."""


@pytest.fixture(scope="session")
def lite() -> Iterator[Debian]:
    """Yield a running Debian 12 like a Raspberry Pi OS Lite, with the project set up; no Wi-Fi, no screen."""
    if (why := why_not()) is not None:
        pytest.fail(why)
    root = made("bookworm", "lite", updates=False)
    apt = "apt-get install -y -qq --no-install-recommends"
    inside(root, f"apt-get update -qq && {apt} {HERE} {TOOLS} >/dev/null")
    inside(root, f"apt-get clean && {apt} --download-only {FETCHED} >/dev/null")
    one = Debian(root)
    one.boot()
    yield one
    one.stop()
