"""Whose pages may show the overlay inside of them: those of the sites in the settings, and no other page of ours."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.store.journal import Journal
from companion.table.table import Table
from companion.web import create_app

SITES = ("https://stream.example", "http://192.168.1.9:8080")
Asker = Callable[[tuple[str, ...]], FlaskClient]


@pytest.fixture
def asker(tmp_path: Path) -> Asker:
    """Return a function that makes a client of a table whose settings name these sites."""
    table = Table(Journal(tmp_path / "journal.db")).open()
    return lambda frames: create_app(table, frames=frames).test_client()


def policy(client: FlaskClient, path: str) -> dict[str, list[str]]:
    """Return the Content-Security-Policy of a page, by what it is about."""
    answer = client.get(path)
    assert answer.status_code == 200
    said = [rule.split() for rule in answer.headers["Content-Security-Policy"].split(";")]
    return {about: allowed for about, *allowed in said}


@pytest.mark.parametrize("path", ["/overlay", "/overlay?parts=course", "/tv", "/", "/watch", "/host"])
def test_without_the_setting_no_other_site_frames_a_page(path: str, asker: Asker) -> None:
    assert policy(asker(()), path)["frame-ancestors"] == ["'self'"]


def test_the_sites_in_the_settings_frame_the_overlay(asker: Asker) -> None:
    """They are allowed nothing else: its scripts are ours as before."""
    named, unnamed = policy(asker(SITES), "/overlay"), policy(asker(()), "/overlay")
    assert named == unnamed | {"frame-ancestors": ["'self'", *SITES]}


@pytest.mark.parametrize("path", ["/tv", "/", "/watch", "/seat", "/host", "/history", "/rules"])
def test_they_frame_no_other_page(path: str, asker: Asker) -> None:
    """A page with something to press could be laid under something else (clickjacking)."""
    assert policy(asker(SITES), path)["frame-ancestors"] == ["'self'"]
