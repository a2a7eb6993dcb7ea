"""Make docs/table.png, docs/mock.png and docs/watch.png: the same evening every time, on modelled hardware.

Run it with `make pictures`. A companion is started in mock mode, a race of Galloping Pigs for four is played
by taps up to its third round, then one card is laid on the pad and the pages are photographed.
"""

from __future__ import annotations

import random
import struct
import sys
import tempfile
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, expect

from tests.browser.chromium import chromium
from tests.browser.hands import Hands, middle
from tests.client import Client, companion

DOCS = Path(__file__).parent.parent / "docs"
PIGS = ("red", "blue", "green", "yellow", "pink")
NAMES = ("Ada", "Ben", "Cleo", "Dev")
SEED, PLAYS = 284, 70  # the last card of these hops over three pigs on the far straight and takes the lead
LINE = 16  # so many odds make the line on the tote board
LARGEST = 200_000  # bytes of a picture


def main() -> None:
    """Play, look, write."""
    with tempfile.TemporaryDirectory() as data, companion(Path(data)) as running, chromium() as browser:
        client, home = running.client.host(), f"http://127.0.0.1:{running.client.port}"
        client.begin(seats=NAMES, options={"food_on_track": True})
        last = play(client, random.Random(SEED))
        stand_pieces(client)
        table, watch = (
            shown(browser, f"{home}/", 1280, 800),
            shown(browser, f"{home}/watch", 390, 844, scale=2),
        )
        mock = shown(browser, f"{home}/mock", 1280, 800)
        Hands(mock).lay(last)
        client.until(lambda now: now["todo"] and odds_are_there(now))
        task = client.table["todo"][0]
        for page in (table, watch):
            expect(page.locator(".tote")).not_to_have_class("old")
        write("table", table)
        write("watch", watch)
        in_the_hand(mock, task["piece"], task["to"]["space"])
        write("mock", mock)


def play(client: Client, rng: random.Random) -> str:
    """Everything but the last card, by tap; gives the colour of that card."""
    deck: list[str] = []
    played = 0
    while True:
        table = client.table
        due, seat = table["next"]["do"], table["next"]["seats"][0]
        if due == "line-up":
            client.decide(do="line-up", seat=seat, order=rng.sample(PIGS, 5))
            deck = [pig for pig in PIGS for _ in range(7)]
            rng.shuffle(deck)
        elif due == "place-food":
            free = [space for space in range(5, 18) if space not in table["state"]["track_food"]]
            client.decide(do="place-food", seat=seat, space=rng.choice(free))
        elif played == PLAYS - 1:
            return deck.pop()
        else:
            client.decide(do="play", seat=seat, card=deck.pop())
            played += 1
            if played > PLAYS - LINE:
                client.until(odds_are_there)


def odds_are_there(table: Mapping[str, Any]) -> bool:
    """Whether the odds are those of this position."""
    return bool(table["odds"]) and table["odds"]["seq"] == table["seq"]


def stand_pieces(client: Client) -> None:
    """Every pig where it should be."""
    uids = client.uids()
    for pig, place in client.table["layout"].items():
        client.space(place["space"], uids[f"piece/{pig}"])
    client.until(lambda table: not table["todo"])


def shown(browser: Browser, url: str, width: int, height: int, scale: int = 1) -> Page:
    """A page that holds still."""
    viewport = {"width": width, "height": height}
    context = browser.new_context(viewport=viewport, device_scale_factor=scale, reduced_motion="reduce")  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(url)
    expect(page.locator("#big")).to_contain_text("play a card")
    return page


def in_the_hand(mock: Page, pig: str, space: int) -> None:
    """The pig is on its way, dragged by the mouse, nearly there."""
    hands = Hands(mock)
    hands.piece(pig).hover()
    mock.mouse.down()
    x, y = middle(hands.space(space))
    mock.mouse.move(x - 14, y + 10, steps=4)


def write(name: str, page: Page) -> None:
    """Photograph a page into docs/."""
    page.evaluate("document.fonts.ready")
    page.wait_for_function("document.getAnimations().every(moving => moving.playState !== 'running')")
    picture = smaller(page.screenshot())
    if len(picture) > LARGEST:
        sys.exit(f"{name}.png has {len(picture)} bytes, more than {LARGEST}")
    DOCS.mkdir(exist_ok=True)
    (DOCS / f"{name}.png").write_bytes(picture)
    print(f"docs/{name}.png  {len(picture) // 1024} KiB")


# --- PNG: the same picture in 256 colours, a third of the size -----------------------------------------


def smaller(png: bytes) -> bytes:
    """An 8-bit RGB(A) PNG as a palette PNG: the 256 commonest colours, the others drawn in the nearest."""
    width, height, rows = pixels(png)
    counted = Counter(pixel for row in rows for pixel in row)
    palette = [colour for colour, _ in counted.most_common(256)]
    known = {colour: number for number, colour in enumerate(palette)}
    for colour in counted:
        if colour not in known:
            known[colour] = min(range(len(palette)), key=lambda n: _distance(palette[n], colour))
    lines = b"".join(b"\0" + bytes(known[pixel] for pixel in row) for row in rows)
    head = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    parts = (
        (b"IHDR", head),
        (b"PLTE", b"".join(palette)),
        (b"IDAT", zlib.compress(lines, 9)),
        (b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, body) for kind, body in parts)


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def _distance(a: Sequence[int], b: Sequence[int]) -> int:
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2


def pixels(png: bytes) -> tuple[int, int, list[list[bytes]]]:
    """Width, height and the rows of a PNG as Chromium writes it, a pixel three bytes."""
    width, height, size, data = 0, 0, 3, b""
    for kind, body in _chunks(png):
        if kind == b"IHDR":
            width, height, _, colour = struct.unpack(">IIBB", body[:10])
            size = {2: 3, 6: 4}[colour]
        elif kind == b"IDAT":
            data += body
    raw, stride, above = zlib.decompress(data), width * size, bytes(width * size)
    rows = []
    for at in range(0, height * (stride + 1), stride + 1):
        above = _unfiltered(raw[at], raw[at + 1 : at + 1 + stride], above, size)
        rows.append([above[x : x + 3] for x in range(0, stride, size)])
    return width, height, rows


def _chunks(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = 8
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at : at + 8])
        yield kind, png[at + 8 : at + 8 + length]
        at += 12 + length


def _unfiltered(kind: int, line: bytes, above: bytes, size: int) -> bytes:
    """A row of samples from its filtered form (PNG specification, 9: None, Sub, Up, Average, Paeth)."""
    out = bytearray(size) + line  # as many zeros before it as a pixel has samples: what is left of the row
    up = bytes(size) + above
    for x in range(size, len(out)) if kind else ():
        left, over, corner = out[x - size], up[x], up[x - size]
        guess = (0, left, over, (left + over) // 2, _paeth(left, over, corner))[kind]
        out[x] = (out[x] + guess) & 255
    return bytes(out[size:])


def _paeth(left: int, over: int, corner: int) -> int:
    guess = left + over - corner
    return min((left, over, corner), key=lambda sample: abs(guess - sample))


if __name__ == "__main__":
    main()
