"""The hosted workflows run the commands of this repository, with actions that no one can exchange."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.name)
def test_each_action_is_pinned_by_its_hash(file: Path) -> None:
    """A tag can be moved to other code; a hash cannot. The version stays readable behind it."""
    used = re.findall(r"uses: (.*)", file.read_text("utf-8"))
    assert used
    assert [one for one in used if not re.fullmatch(r"[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", one)] == []


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.name)
def test_each_make_target_exists(file: Path) -> None:
    [declared] = re.findall(r"^\.PHONY: (.*)", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    targets = set(re.findall(r"run: make ([\w-]+)", file.read_text("utf-8")))
    assert targets
    assert targets <= set(declared.split())


def test_the_templates_can_be_read() -> None:
    forms = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))
    assert len(forms) == 4
    for form in forms:
        fields = yaml.safe_load(form.read_text("utf-8"))
        assert form.name == "config.yml" or {"name", "description", "body"} <= fields.keys(), form.name
