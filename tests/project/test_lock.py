"""Everybody gets the same versions: the lock fits what pyproject.toml asks for."""

from __future__ import annotations

import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]


def asked_for() -> list[Requirement]:
    """Return what the program, its tests and its site need."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    return [
        Requirement(line)
        for line in (*project["dependencies"], *extras["docs"], *extras["test"], *extras["nightly"])
    ]


def locked() -> list[Requirement]:
    lines = (ROOT / "requirements.lock").read_text("utf-8").splitlines()
    return [Requirement(line) for line in lines]


def test_everything_that_is_asked_for_is_locked_to_a_version_that_fits() -> None:
    """That holds for each Python from 3.11 to 3.13; if not, say `make lock`."""
    lacking = []
    for wanted in asked_for():
        for python in ("3.11", "3.12", "3.13"):
            here = {"python_version": python, "python_full_version": f"{python}.5"}
            fitting = [
                pin
                for pin in locked()
                if canonicalize_name(pin.name) == canonicalize_name(wanted.name)
                and (pin.marker is None or pin.marker.evaluate(here))
            ]
            versions = [spec.version for pin in fitting for spec in pin.specifier if spec.operator == "=="]
            if len(versions) != 1 or not wanted.specifier.contains(versions[0], prereleases=True):
                lacking.append(f"{wanted} for Python {python}: {versions}")
    assert lacking == []
