"""The configuration of a club's programs: a real club's files below /etc, with other places.

`site.conf` and `mosquitto.conf` in this folder are those files, word for word.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

HERE: Final = Path(__file__).parent

_NGINX: Final = """\
user root;
daemon off;
pid {directory}/pid;
error_log {directory}/error.log warn;
worker_processes {workers};
worker_rlimit_nofile 65536;
events {{
    worker_connections 32768;
}}
http {{
    include /etc/nginx/mime.types;
    access_log off;
    client_body_temp_path {directory}/body;
    proxy_temp_path {directory}/proxy;
    fastcgi_temp_path {directory}/fastcgi;
    uwsgi_temp_path {directory}/uwsgi;
    scgi_temp_path {directory}/scgi;
    include {directory}/site.conf;
}}
"""


class Ports(NamedTuple):
    """The ports of a club's programs on this machine."""

    broker: int
    site: int
    hub: int

    @property
    def mqtt(self) -> str:
        """The broker's address, for the hub.

        >>> Ports(1883, 80, 8100).mqtt
        'mqtt://127.0.0.1:1883'
        """
        return f"mqtt://127.0.0.1:{self.broker}"


def site(ports: Ports, cache: Path, address: str = "127.0.0.1") -> str:
    """Return the site for nginx, for clients that reach this `address`; its cache is in `cache`."""
    return _with(
        (HERE / "site.conf").read_text("utf-8"),
        {
            "proxy_cache_path /var/lib/nginx/club ": f"proxy_cache_path {cache} ",
            "server 127.0.0.1:8100;": f"server 127.0.0.1:{ports.hub};",
            "listen 80;": f"listen {address}:{ports.site};",
        },
    )


def nginx(directory: Path, workers: int = 1, is_root: bool = False) -> str:
    """Return nginx's configuration around the site, to run from a private directory, which has
    `site.conf`.
    """
    text = _NGINX.format(directory=directory, workers=workers)
    return text if is_root else text.replace("user root;\n", "")


def mosquitto(port: int, directory: Path, is_root: bool = False) -> str:
    """Return the broker's configuration, for this machine alone: without passwords, its data in
    `directory`.
    """
    text = _with(
        (HERE / "mosquitto.conf").read_text("utf-8"),
        {
            "listener 1883\n": f"listener {port} 127.0.0.1\n",
            "allow_anonymous false\npassword_file /etc/mosquitto/club-passwords\n"
            "acl_file /etc/mosquitto/club-acl\n": "allow_anonymous true\n",
        },
    )
    user = "user root\n" if is_root else ""
    return f"{user}persistence true\npersistence_location {directory}/\n{text}"


def tables(broker: int, name: str = "table") -> str:
    """Return `companion.toml` of tables without sensors that publish to the broker at this port of this
    machine.
    """
    return (
        'pad = false\npanel = false\nname = ""\n[track]\nkind = "none"\n'
        f'[mqtt]\nhost = "127.0.0.1"\nport = {broker}\ntable = "{name}"\n'
    )


def _with(text: str, others: Mapping[str, str]) -> str:
    """Return the text with these words replaced, each of which occurs once.

    >>> _with("listen 80;", {"80": "8080"})
    'listen 8080;'
    """
    for was, now in others.items():
        if text.count(was) != 1:
            raise ValueError(f"{was!r} is there {text.count(was)} times, not once")
        text = text.replace(was, now)
    return text
