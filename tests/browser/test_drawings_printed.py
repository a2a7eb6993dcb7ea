"""Chromium shows and prints each drawing of the hardware as one page of A4.

Only here: a text that Chromium sets wider than was calculated, or a drawing that prints on two pages.
"""

from __future__ import annotations

import io
from typing import Any

import pytest
from playwright.sync_api import Browser
from pypdf import PdfReader

from hardware import files
from hardware.drawing import sheets
from hardware.drawing.page import HIGH, WIDE, texts

pytestmark = [pytest.mark.browser, pytest.mark.long]
POINTS = 72 / 25.4  # in a millimetre
BOXES = """() => [...document.querySelectorAll("text")].map(each => {
  const {x, y, width, height} = each.getBBox();
  return [x, y, x + width, y + height];
})"""


def test_each_drawing_is_a_page_of_a4(browser: Browser) -> None:
    """A drawing prints as one page of its size, with all its words.

    Each text is as wide as was calculated.
    """
    page = browser.new_page()
    for path in sheets.MADE:
        page.goto(f"file://{files.HOME / path}")
        boxes: list[Any] = page.evaluate(BOXES)
        reckoned = [text.box for text in texts(sheets.sheet(path)) if text.words]
        assert [box[::2] for box in boxes] == [pytest.approx(box[::2], abs=0.5) for box in reckoned], path
        printed = PdfReader(io.BytesIO(page.pdf(prefer_css_page_size=True)))
        assert len(printed.pages) == 1, path
        size = [float(side) for side in printed.pages[0].mediabox[2:]]
        assert size == pytest.approx([WIDE * POINTS, HIGH * POINTS], abs=1), path
        assert "None of this was ever built" in printed.pages[0].extract_text(), path
    page.close()
