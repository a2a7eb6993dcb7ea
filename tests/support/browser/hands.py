"""A person at the virtual table: sees it in a browser, drags with a mouse or a finger."""

from __future__ import annotations

from playwright.sync_api import CDPSession, Locator, Page, expect

from tests.support.browser.chromium import box_of

LINE_UP = ("red", "blue", "green", "yellow", "pink")
"""Front first; the front one on start, the others right behind it."""


class Hands:
    """Two hands on `/mock`."""

    def __init__(self, page: Page, spaces: int = 22) -> None:
        self.page, self.spaces = page, spaces
        self.pad, self.off = page.locator("#pad"), page.locator("#off")

    def space(self, number: int) -> Locator:
        return self.page.locator("#track .layer-ground .cell").nth(number % self.spaces)

    def piece(self, colour: str) -> Locator:
        """Return the piece wherever it is: on the track or off it."""
        return self.page.locator(f"[data-tag][data-piece={colour}]")

    def pile(self, colour: str) -> Locator:
        return self.page.locator(f"[data-pile={colour}]")

    def drag(self, what: Locator, where: Locator) -> None:
        """Drag with the mouse; follow the target if it moves on the page meanwhile."""
        what.hover()
        self.page.mouse.down()
        to = None
        while to != (now := middle(where)):
            to = now
            self.page.mouse.move(*to, steps=4)
        self.page.mouse.up()

    def drag_by_finger(self, what: Locator, where: Locator) -> None:
        """Drag with a finger, as the touch screen reports it."""
        what.evaluate(
            "el => el.scrollIntoView({ block: 'nearest' })"
        )  # at once: it may be drawn anew meanwhile
        screen = self.page.context.new_cdp_session(self.page)
        (x, y), (to_x, to_y) = middle(what), middle(where)
        touch(screen, "touchStart", x, y)
        for step in (1, 2, 3, 4):
            touch(screen, "touchMove", x + (to_x - x) * step / 4, y + (to_y - y) * step / 4)
        screen.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        screen.detach()

    def line_up(self) -> None:
        """Drag the pieces to the line-up spaces."""
        for place, colour in enumerate(LINE_UP):
            self.drag(self.piece(colour), self.space(-place))
            expect(self.piece(colour)).to_have_attribute("data-space", str(-place % self.spaces))

    def lay(self, colour: str) -> None:
        """Drag a card from its pile to the pad; the page takes away those that were accepted before."""
        self.drag(self.pile(colour), self.pad)

    def move(self, colour: str, space: int) -> None:
        self.drag(self.piece(colour), self.space(space))
        expect(self.piece(colour)).to_have_attribute("data-space", str(space))


def middle(of: Locator) -> tuple[float, float]:
    box = box_of(of)
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def touch(screen: CDPSession, kind: str, x: float, y: float) -> None:
    screen.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
