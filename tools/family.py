"""A family of three that plays what the screens ask, for `tools/evening.py`.

Anna, the host, and Marc have phones, Lena has none. What they choose is random; every touch is counted.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import CDPSession, Error, Locator, Page

from tests.support.browser.hands import touch

NAMES = ("Anna", "Marc", "Lena")
PHONES = {"Anna": "phone", "Marc": "small"}
PIN = "2468"
SOON = 12.0  # s until something that should have happened has not
STAYS = 1.3  # s that a bar is held until what it covers stays open
FINGER = 250  # ms that a finger takes from one place to another
EACH = 0.7  # s between two pictures of a finish


class Family:
    """The people of an evening; `evening` is an `Evening` of tools/evening.py."""

    def __init__(self, evening: Any, seed: int = 4) -> None:
        self.evening = evening
        self.random = random.Random(seed)
        self.pictured: set[object] = set()

    @property
    def table(self) -> dict[str, Any]:
        """The public table, as the tablet gets it."""
        now: dict[str, Any] = self.evening.hand("tablet").table
        return now

    def page(self, name: str) -> Page:
        """Return what a device shows."""
        page: Page = self.evening.place.pages[name]
        return page

    def touch(self, name: str, selector: str, within: float = SOON) -> None:
        """Press what this selector finds on a device, and count the touch."""
        self.page(name).locator(selector).locator("visible=true").first.tap(timeout=within * 1000)
        self.evening.touches[name] += 1

    def press(self, device: str, what: Locator) -> None:
        """Press something, in the middle of the screen if the page scrolls, and count the touch."""
        what.evaluate("el => el.scrollIntoView({ block: 'center' })")
        what.tap(timeout=SOON * 1000)
        self.evening.touches[device] += 1

    def sees(self, name: str, selector: str) -> bool:
        """Return whether a device shows this."""
        found = self.page(name).locator(selector).locator("visible=true")
        return found.count() > 0

    # --- beginning --------------------------------------------------------------------------------

    def begin(self, game: str) -> None:
        """Begin the first game of an evening: PIN, the tablet, the questions, the seats."""
        evening = self.evening
        evening.go("tablet", "/")
        evening.go("phone", "/host")
        evening.write("phone", "css:[name=pin]", PIN)
        self.touch("phone", "main.gate button")
        self.touch("phone", "[data-action=let-in]")
        self.page("tablet").locator("[data-action=practice]").wait_for(timeout=SOON * 1000)
        self.touch("phone", f".tile > label:has([value={game}])")
        names = self.page("phone").locator("#seats input[type=text]")
        for seat, name in enumerate(NAMES):
            while not names.nth(seat).is_visible():
                self._next()
            if seat == 1 and names.count() == 2:
                self.touch("phone", "[data-action=add-seat]")
            names.nth(seat).fill(name)
            evening.touches["phone"] += 1
        self._start()
        self.touch("phone", "#to-seat")
        self.touch("phone", "#seat-list button:has-text('Anna')")
        code = evening.hand("tablet").get("/api/join")["code"]
        evening.go("small", f"/seat?code={code}")
        self.touch("small", "#seat-list button:has-text('Marc')")

    def another(self, game: str) -> None:
        """Begin the next game with the same people, from the seat of the host's phone."""
        self.touch("phone", "#elsewhere a[href=host]")
        self.touch("phone", f".tile > label:has([value={game}])")
        self._start()
        self.touch("phone", "#to-seat")

    def _next(self) -> None:
        self.touch("phone", "[data-action=question-next]")
        time.sleep(0.5)

    def _start(self) -> None:
        """Answer the questions that are left: the companion deals."""
        deals = ".tile:has([name=deal][value=companion])"
        while not self.sees("phone", deals):
            self._next()
        self.touch("phone", deals)
        self.touch("phone", "[data-action=start]")
        self._until(lambda now: now["match"] and now["next"])

    # --- playing ----------------------------------------------------------------------------------

    def play(self, seconds: float = 600, stop: Callable[[dict[str, Any]], bool] = lambda now: False) -> bool:
        """Do what the screens ask until the game is over; return whether it is."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            now = self.table
            if now["todo"]:
                self.stand(now)
            if not now["next"]:
                return True
            if stop(now):
                return False
            try:
                self.turn(now)
            except (Error, TimeoutError) as wrong:
                print("again:", now["next"], str(wrong)[:200].replace("\n", " "), flush=True)
        return False

    def turn(self, now: dict[str, Any]) -> None:
        """Make one decision that is due, and wait until the table has it."""
        due = now["next"]
        kind = (now["match"]["game"], due["do"], len(due["seats"]), now["match"].get("stage"))
        if kind not in self.pictured:
            self.pictured.add(kind)
            self.look()
        if self.sees("tablet", "#dock .taps button"):
            self.tap(due["do"])
        else:
            self.secret(now["match"]["seats"][due["seats"][0]], due["seats"][0])
        seq = now["seq"]
        self._until(lambda table: table["seq"] > seq)

    def tap(self, do: str) -> None:
        """Decide on the tablet what everybody may see."""
        if self.sees("tablet", f"#dock [data-action={do}-any]"):
            self.touch("tablet", f"#dock [data-action={do}-any]")
            if do == "line-up":
                self.touch("tablet", "#dock [data-action=line-up-ok]")
        else:
            self.touch("tablet", f"#dock [data-action={do}]")

    def secret(self, name: str, seat: int) -> None:
        """Decide under the cover: on the own phone, or on the tablet with the name held."""
        device = PHONES.get(name, "tablet")
        bar, root, done = (
            (f"#holds [data-hold='{seat}']", "#held", "#held [data-action=decide-held]")
            if device == "tablet"
            else ("#hold", "#slip", "#go")
        )
        page = self.page(device)
        page.evaluate("scrollTo(0, 0)")
        if self.sees(device, bar):
            self.lift(device, page.locator(bar).first, page.locator(root))
        else:
            root = "#open"
        way = page.locator(f"{root} .way:has(button)").first
        if way.locator("[data-dog]").count():
            self.bet(device, way)
        go = page.locator(done).first
        while not go.is_enabled():
            free = way.locator("[data-choice]:not([aria-pressed=true]):not([disabled])")
            self.press(device, free.nth(self.random.randrange(free.count())))
        self.press(device, go)

    def lift(self, device: str, bar: Locator, root: Locator) -> None:
        """Lift the cover with a finger, and slide to a card where there is one to choose."""
        page = self.page(device)
        screen = page.context.new_cdp_session(page)
        at = centre(bar)
        touch(screen, "touchStart", *at)
        try:
            root.locator(".way").first.wait_for(timeout=SOON * 1000)
            free = root.locator(".way:has(button)").first.locator("[data-choice]:not([disabled])")
            near = [box for box in free.all() if self._on_screen(page, box)]
            if near:
                at = self._slide(screen, at, centre(self.random.choice(near)))
            else:
                page.wait_for_timeout(STAYS * 1000)
        finally:
            screen.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
            screen.detach()
        self.evening.touches[device] += 1
        page.wait_for_timeout(FINGER)

    def _slide(
        self, screen: CDPSession, at: tuple[float, float], to: tuple[float, float]
    ) -> tuple[float, float]:
        for step in (0.3, 0.7, 1.0):
            touch(
                screen,
                "touchMove",
                at[0] + (to[0] - at[0]) * step,
                at[1] + (to[1] - at[1]) * step,
            )
        return to

    def _on_screen(self, page: Page, what: Locator) -> bool:
        x, y = centre(what)
        size = page.viewport_size
        return size is not None and 0 < x < size["width"] and 0 < y < size["height"] - 90

    def bet(self, device: str, way: Locator) -> None:
        """Fill in a slip: one bet, or two."""
        for bet in self.random.sample(way.locator(".bet").all(), self.random.choice((1, 1, 2))):
            dogs = bet.locator("[data-dog]")
            wanted = 2 if bet.get_attribute("data-bet") == "double" else 1
            for dog in self.random.sample(range(dogs.count()), wanted):
                self.press(device, dogs.nth(dog))
            for _ in range(self.random.choice((0, 1))):
                self.press(device, bet.locator("[data-stake=more]"))

    def stand(self, now: dict[str, Any]) -> None:
        """Move the pieces where the tablet wants them."""
        hands = self.evening.hand("tablet")
        uids = hands.uids(now["match"]["game"])
        away = []
        for piece, place in now["layout"].items():
            uid = uids[f"piece/{piece}"]
            if place["zone"] == "track":
                hands.space(place["space"], uid)
            else:
                away.append(uid)
        if away:
            hands.pad(*away)
            hands.pad()
        self._until(lambda table: not table["todo"], 6)

    # --- seeing -----------------------------------------------------------------------------------

    def look(self, *names: str) -> None:
        """Store what the devices show."""
        for name in names or ("tablet", "phone", "small"):
            print(self.evening.look(name), flush=True)

    def finale(self, count: int = 14) -> None:
        """Store pictures of the finish while it is shown, then what the phones show of it."""
        now = self.table
        if now["todo"]:
            self.stand(now)
        for _ in range(count):
            self.look("tablet")
            time.sleep(EACH)
        self.look()
        print("over:", now["match"]["game"], dict(self.evening.touches), flush=True)

    def _until(self, seen: Callable[[dict[str, Any]], object], seconds: float = SOON) -> None:
        """Wait until the table is so, or for so long."""
        end = time.monotonic() + seconds
        while not seen(self.table) and time.monotonic() < end:
            time.sleep(0.05)  # there is no event to wait for but the next answer


def centre(what: Locator) -> tuple[float, float]:
    """Return the middle of something that is shown now; raise TimeoutError if it is not."""
    box = what.bounding_box(timeout=SOON * 1000)
    if box is None:
        raise TimeoutError(f"{what} is not shown")
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
