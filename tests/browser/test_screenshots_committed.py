"""What is committed of the pages stays small, and a test compares each file of it."""

from __future__ import annotations

from collections import Counter
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from tests.support.browser import screenshots
from tests.support.browser.gallery import MOMENTS
from tests.support.browser.likeness import LARGEST
from tests.support.browser.screenshots import SCREENSHOTS, SNAPSHOTS, drawn_otherwise, worded_otherwise

MOST = 40


def test_there_are_few_screenshots_and_each_is_small() -> None:
    sizes = {path.name: path.stat().st_size for path in SCREENSHOTS.glob("*.png")}
    assert 0 < len(sizes) <= MOST
    assert {name: size for name, size in sizes.items() if size > LARGEST} == {}


@pytest.mark.parametrize(("folder", "drawn"), [(SCREENSHOTS, True), (SNAPSHOTS, False)])
def test_each_file_is_compared_by_one_moment(folder: Path, drawn: bool) -> None:
    names = Counter(name for moment in MOMENTS for name in moment.names(drawn))
    assert set(names.values()) == {1}
    assert set(names) == {path.stem for path in folder.iterdir()}


def test_a_snapshot_has_nothing_that_differs_from_run_to_run() -> None:
    """No address of this machine: pages name the frozen one."""
    assert not [path.name for path in SNAPSHOTS.glob("*.yaml") if "127.0.0.1" in path.read_text("utf-8")]


# --- what a failing comparison says ---------------------------------------------------------------


def square(colour: str, at: int) -> bytes:
    """Return a white page of 200 × 100 pixels with a square of 40 pixels on it."""
    page, file = Image.new("RGB", (200, 100), "white"), BytesIO()
    page.paste(Image.new("RGB", (40, 40), colour), (at, 10))
    page.save(file, "PNG")
    return file.getvalue()


def opened(path: Path) -> Image.Image:
    """Return the image in this file."""
    return Image.open(BytesIO(path.read_bytes())).convert("RGB")


@pytest.fixture
def found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the directory in which a page that differs is written."""
    monkeypatch.setattr(screenshots, "FOUND", tmp_path / "found")
    return tmp_path / "found"


def test_a_page_as_committed_has_no_fault(tmp_path: Path, found: Path) -> None:
    (tmp_path / "page.png").write_bytes(square("red", 10))
    (tmp_path / "page.yaml").write_text("- main\n")
    assert not [*drawn_otherwise("page", square("red", 10), 1, tmp_path)]
    assert not [*worded_otherwise("page", "- main\n", tmp_path)]
    assert not found.exists()


def test_a_difference_is_written_beside_the_new_screenshot(tmp_path: Path, found: Path) -> None:
    (tmp_path / "page.png").write_bytes(square("red", 10))
    [fault] = drawn_otherwise("page", square("red", 140), 1, tmp_path)
    assert "page: 2 blocks differ, most at" in fault
    assert "(128, 0) by" in fault
    assert (found / "page.png").read_bytes() == square("red", 140)
    assert str(found / "page-difference.png") in fault
    sheet = opened(found / "page-difference.png")
    assert sheet.size == (3 * 200 + 2 * 8, 100)
    assert [sheet.getpixel((x, 20)) for x in (20, 208 + 150, 416 + 20, 416 + 150)] == [
        (255, 0, 0),  # the committed one
        (255, 0, 0),  # the new one
        (255, 0, 80),  # marked: here was something
        (255, 0, 80),  # and here is something now
    ]


def test_a_page_of_another_size_differs(tmp_path: Path, found: Path) -> None:
    file = BytesIO()
    Image.new("RGB", (90, 50), "white").save(file, "PNG")
    (tmp_path / "page.png").write_bytes(file.getvalue())
    assert len([*drawn_otherwise("page", square("red", 10), 1, tmp_path)]) == 1
    assert opened(found / "page-difference.png").size == (90 + 2 * 200 + 2 * 8, 100)


def test_words_that_differ_are_said_line_by_line(tmp_path: Path, found: Path) -> None:
    (tmp_path / "page.yaml").write_text('- main:\n  - button "Play"\n')
    [fault] = worded_otherwise("page", '- main:\n  - button "Go"\n', tmp_path)
    assert {'-  - button "Play"', '+  - button "Go"'} <= set(fault.splitlines())
    assert (found / "page.yaml").read_text() == '- main:\n  - button "Go"\n'


def test_what_is_not_committed_yet_is_a_fault(tmp_path: Path, found: Path) -> None:
    assert len([*drawn_otherwise("page", square("red", 10), 1, tmp_path)]) == 1
    assert len([*worded_otherwise("page", "- main\n", tmp_path)]) == 1
