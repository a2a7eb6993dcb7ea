"""Everything that is pressed on the table page is at least 44 px high and wide, in every shape of a tablet.

Phones, seats, the host's page and the pages next to the game: test_fits_hand.py, by the same measure.

Only here: a button of the table page that a finger misses.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.browser.test_fits_hand import named_long
from tests.support.amount import some
from tests.support.browser.gallery import DRAWN, MOMENTS, TABLET, Moment

pytestmark = [pytest.mark.browser, pytest.mark.long]

SIZES = ((1280, 800), (1024, 768), (800, 1280))
LEAST = 44
"""CSS pixels: WCAG 2.2, 2.5.5, and what Apple asks for."""
SMALL = """least => {
  const seen = el => el.checkVisibility({ visibilityProperty: true }) && !el.closest(".sr, [aria-hidden=true], [inert]");
  // a link within a sentence is as high as its line: WCAG excepts it
  const isInline = el => el.matches("a") && [...el.parentElement.childNodes].some(node => node.nodeType === 3 && node.textContent.trim());
  const wrong = [];
  for (const el of document.querySelectorAll("button, a[href], select, summary, input, [role=button], [role=tab], [tabindex='0']")) {
    const { width, height } = (el.closest("label") ?? el).getBoundingClientRect();
    // the tabs at the edge of the screen, where a finger cannot go past them: WCAG's 24 px (2.5.8)
    const enough = el.matches(".toside") ? 24 : least;
    if (!seen(el) || isInline(el) || Math.min(width, height) >= enough) continue;
    wrong.push(`${Math.round(width)} × ${Math.round(height)} px: ${el.outerHTML.slice(0, 90)}`);
  }
  return wrong;
}"""
"""Gives what is too small to be pressed."""


@pytest.mark.parametrize(
    "moment",
    some([one for one in MOMENTS if not one.lost and not one.name.startswith("pages-")], 3, 2),
    ids=lambda one: one.name,
)
def test_the_table_page(moment: Moment, browser: Browser) -> None:
    with named_long(moment).seen_on(TABLET).opened(browser) as [(_, page)]:
        wrong = []
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate(DRAWN)
            wrong += [f"{width}×{height}: {what}" for what in page.evaluate(SMALL, LEAST)]
    assert not wrong, "\n".join(wrong)


def test_what_is_too_small_is_found(browser: Browser) -> None:
    page = browser.new_page()
    page.set_content(
        "<p>See <a href='#'>the rules</a>.</p><button style='width:60px;height:30px'>OK</button>"
        "<button style='width:60px;height:44px'>OK</button><button hidden>OK</button>"
    )
    assert [line.partition(":")[0] for line in page.evaluate(SMALL, LEAST)] == ["60 × 30 px"]
    page.close()
