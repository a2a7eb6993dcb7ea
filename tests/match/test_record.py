"""record.md to the letter: what is a record, what is not, at which line, and what the command says then."""

from __future__ import annotations

import io
import json
import random
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import example, given, settings
from hypothesis import strategies as st

from companion.cli import main
from companion.games.race import random_decision
from companion.games.terms import Decision
from companion.match.record import Header, Replay, header_of, replayed, written

ADA_BEN = '{"record": 1, "game": "galloping-pigs", "seats": ["Ada", "Ben"]}'
LINE_UP = '{"do": "line-up", "seat": 0, "order": ["red", "blue", "green", "yellow", "pink"]}'
DEAL = '{"do": "deal", "hands": null}'
RED = '{"do": "play", "seat": 0, "card": "red"}'
BOM = b"\xef\xbb\xbf"
DEEP = 100_000


def record(*lines: str, end: str = "\n") -> bytes:
    return "".join(line + end for line in lines).encode()


def header(**changes: Any) -> bytes:
    """Return the header of Ada and Ben, changed; a key that becomes None is left out."""
    given = {**json.loads(ADA_BEN), **changes}
    return record(json.dumps({key: value for key, value in given.items() if value is not None}))


def header_with(raw: str) -> bytes:
    """Return the header with this written behind its last value."""
    return record(ADA_BEN[:-1] + ", " + raw + "}")


def line(raw: str) -> bytes:
    """Return a record whose second decision, the third line, is this."""
    return record(ADA_BEN, LINE_UP, raw)


def card(raw: str) -> bytes:
    """Return a record whose fourth line plays a card with this written behind `do`."""
    return record(ADA_BEN, LINE_UP, DEAL, '{"do": "play", ' + raw + "}")


# --- what is a record ----------------------------------------------------------------------------

LEGAL = [
    # what it shows, the file, how many decisions
    ("a header alone", record(ADA_BEN), 0),
    ("a game may stop anywhere", record(ADA_BEN, LINE_UP, DEAL, RED), 3),
    ("lines may end in CRLF", record(ADA_BEN, LINE_UP, DEAL, RED, end="\r\n"), 3),
    ("the last line may lack its end", record(ADA_BEN, LINE_UP, DEAL, RED)[:-1], 3),
    ("a header may lack its end", ADA_BEN.encode(), 0),
    ("blank lines are skipped", record("", ADA_BEN, " \t ", LINE_UP, "", ""), 1),
    ("spaces around a line are JSON's business", record(f"  {ADA_BEN}\t", f"\t{LINE_UP} "), 1),
    ("a lone CR is a space to JSON, not a line end", record(ADA_BEN.replace(", ", ",\r"), LINE_UP), 1),
    ("start and options are the defaults", header(start=0, options={}), 0),
    ("the last seat may start", header(start=1), 0),
    ("remarks change nothing", header(at="2024-05-01T20:15:00Z", note="at Ben's"), 0),
    ("a remark may be any text", line(DEAL[:-1] + ', "at": "yesterday", "note": ""}'), 2),
    ("keys in any order", record(ADA_BEN, '{"order": ["red","blue","green","yellow","pink"], "seat": 0, "do": "line-up"}'), 1),
    ("U+2028 and U+0085 inside a text are no line ends", record(ADA_BEN.replace("Ada", "A\u2028d\x85a"), LINE_UP), 1),
    ("a vertical tab and a form feed escaped in a name", record(ADA_BEN.replace("Ada", r"A\u000b\u000c")), 0),
    ("an escaped key is the key", record(ADA_BEN.replace('"game"', r'"\u0067ame"')), 0),
    ("two halves of a character are one", record(ADA_BEN.replace("Ada", r"\ud83d\udc16")), 0),
    ("names that differ in case only are two names", header(seats=["ada", "Ada"]), 0),
    ("the edges of the options", header(options={"spaces": 6, "rounds": 100, "food": 0}), 0),
    ("the other edges", header(options={"spaces": 1000, "rounds": 1, "food": 1000, "food_on_track": True}), 0),
]  # fmt: skip


@pytest.mark.parametrize(("text", "lines"), [row[1:] for row in LEGAL], ids=[row[0] for row in LEGAL])
def test_a_record(text: bytes, lines: int) -> None:
    replay = replayed(text)
    assert replay.error is None
    assert len(replay.decisions) == lines


# --- what is not: the header ---------------------------------------------------------------------

NO_HEADER = "there is no header: the first line names the game and the seats"
BAD_HEADERS = [
    # what is wrong, the file, the line, how the reason begins
    ("an empty file", b"", 1, NO_HEADER),
    ("nothing but blank lines", b"\n \t\r\n\n", 1, NO_HEADER),
    ("a byte-order mark", BOM + record(ADA_BEN), 1, "the line starts with a byte-order mark"),
    ("nothing but a byte-order mark", BOM, 1, "the line starts with a byte-order mark"),
    ("a byte-order mark before a blank line", BOM + b"\n" + record(ADA_BEN), 1, "the line starts with a byte-order mark"),
    ("UTF-16", "\ufeff".encode("utf-16-le") + record(ADA_BEN).decode().encode("utf-16-le"), 1, "the line is not UTF-8"),
    ("Latin-1 in a name", ADA_BEN.replace("Ada", "Zoé").encode("latin-1"), 1, "the line is not UTF-8"),
    ("half a character as bytes", ADA_BEN.encode().replace(b"Ada", b"\xed\xa0\xbd"), 1, "the line is not UTF-8"),
    ("blank lines count", b"\n \r\n{}\n", 3, "header: the key 'record' is missing"),
    ("lone CR ends no line", record(ADA_BEN, LINE_UP, end="\r"), 1, "not a line of JSON: Extra data"),
    ("a form feed is no blank line", b"\x0c\n" + record(ADA_BEN), 1, "not a line of JSON"),
    ("a no-break space is no blank line", "\u00a0\n".encode() + record(ADA_BEN), 1, "not a line of JSON"),
    ("a list", b"[1]\n", 1, "a line must be an object"),
    ("a text", b'"record"\n', 1, "a line must be an object"),
    ("null", b"null\n", 1, "a line must be an object"),
    ("words", b"Ada and Ben\n", 1, "not a line of JSON"),
    ("a decision", record(DEAL), 1, "header: the key 'record' is missing"),
    ("two objects", record(ADA_BEN + ADA_BEN), 1, "not a line of JSON: Extra data"),
    ("a comment", record(ADA_BEN + " // at Ben's"), 1, "not a line of JSON: Extra data"),
    ("single quotes", record(ADA_BEN.replace('"', "'")), 1, "not a line of JSON"),
    ("a comma too many", record(ADA_BEN[:-1] + ",}"), 1, "not a line of JSON"),
    ("a torn header", record(ADA_BEN)[:40], 1, "not a line of JSON"),
    ("a raw control character", record(ADA_BEN.replace("Ada", "A\tda")), 1, "not a line of JSON: Invalid control character at column"),
    ("nested 100,000 deep", b'{"record":' + b"[" * DEEP + b"]" * DEEP + b"}", 1, "not a line of a record: nested too deeply"),
    ("torn 100,000 deep", b"[" * DEEP, 1, "not a line of a record: nested too deeply"),
    ("no version", header(record=None), 1, "header: the key 'record' is missing"),
    ("version 2", header(record=2), 1, "unknown record version 2: this program reads version 1"),
    ("version 0", header(record=0), 1, "unknown record version 0"),
    ("version true", header(record=True), 1, "unknown record version true"),
    ("version 1.0", record(ADA_BEN.replace("1", "1.0", 1)), 1, "unknown record version 1.0"),
    ("version 1e0", record(ADA_BEN.replace("1", "1e0", 1)), 1, "unknown record version"),
    ("version null", record(ADA_BEN.replace("1", "null", 1)), 1, "unknown record version null"),
    ('version "1"', header(record="1"), 1, 'unknown record version "1"'),
    ("no game", header(game=None), 1, "header: the key 'game' is missing"),
    ("an unknown game, near one", header(game="galoping-pigs"), 1, "no game called 'galoping-pigs': there are .*do you mean galloping-pigs?"),
    ("a game with a capital", header(game="Galloping-pigs"), 1, "no game called 'Galloping-pigs'"),
    ("a game without a name", header(game=""), 1, "no game called ''"),
    ("a game that is a number", header(game=1), 1, "game must be a name, not 1"),
    ("a game that is half a character", header(game="\ud800"), 1, "no game called"),
    ("no seats", header(seats=None), 1, "header: the key 'seats' is missing"),
    ("seats as a text", header(seats="Ada"), 1, 'seats must be a list of names, not "Ada"'),
    ("seats as an object", header(seats={"Ada": 0, "Ben": 1}), 1, "seats must be a list of names"),
    ("a seat that is a number", header(seats=["Ada", 7]), 1, "seats must be a list of names"),
    ("a seat that is null", header(seats=["Ada", None]), 1, "seats must be a list of names"),
    ("a seat that is a list", header(seats=["Ada", ["Ben"]]), 1, "seats must be a list of names"),
    ("one seat", header(seats=["Ada"]), 1, "galloping-pigs has 2 to 5 seats, not 1"),
    ("no one", header(seats=[]), 1, "galloping-pigs has 2 to 5 seats, not 0"),
    ("six seats", header(seats=list("abcdef")), 1, "galloping-pigs has 2 to 5 seats, not 6"),
    ("five seats", header(seats=list("abcde")), 1, "5 players need cards_per_colour of 8 or more, not 7"),
    ("five horses", header(game="galloping-horse", seats=list("abcde")), 1, "galloping-horse has 2 to 4 seats, not 5"),
    ("6 cards of a colour", header(options={"cards_per_colour": 6}), 1, "cards_per_colour must be 7 to 12, not 6"),
    ("13 cards of a colour", header(options={"cards_per_colour": 13}), 1, "cards_per_colour must be 7 to 12, not 13"),
    ("8.0 cards of a colour", record(ADA_BEN[:-1] + ', "options": {"cards_per_colour": 8.0}}'), 1, "cards_per_colour must be a whole number"),
    ("a last card that decides by 0", header(options={"last_card_decides": 0}), 1, "last_card_decides must be true or false, not 0"),
    ("a last card that decides of horses", header(game="galloping-horse", options={"last_card_decides": False}), 1, "options: unknown key 'last_card_decides'"),
    ("a name twice", header(seats=["Ada", "Ben", "Ada"]), 1, "two seats have the same name"),
    ("a name twice, once escaped", record(ADA_BEN.replace("Ben", r"\u0041da")), 1, "two seats have the same name"),
    ("the first of all halves in a name", record(ADA_BEN.replace("Ada", r"\ud800")), 1, r"the name '\\ud800' holds half a"),
    ("half a character in a name", record(ADA_BEN.replace("Ada", r"\ud83d")), 1, r"the name '\\ud83d' holds half a character"),
    ("start -1", header(start=-1), 1, "start must be 0 to 1, not -1"),
    ("start of one more than there are", header(start=2), 1, "start must be 0 to 1, not 2"),
    ("start null", header_with('"start": null'), 1, "start must be a whole number, not null"),
    ("start true", header(start=True), 1, "start must be a whole number, not true"),
    ("start 0.0", header(start=0.0), 1, "start must be a whole number, not 0.0"),
    ("start 1e0", header_with('"start": 1e0'), 1, "start must be a whole number"),
    ("start of 40 signs", header(start="x" * 38), 1, 'start must be a whole number, not "x{38}"$'),
    ("start of 41 signs", header(start="x" * 39), 1, 'start must be a whole number, not "x{36}…$'),
    ("start 01", header_with('"start": 01'), 1, "not a line of JSON"),
    ("start +1", header_with('"start": +1'), 1, "not a line of JSON"),
    ("start NaN", header_with('"start": NaN'), 1, "not a line of JSON: NaN is no number"),
    ("start -Infinity", header_with('"start": -Infinity'), 1, "not a line of JSON: -Infinity is no number"),
    ("start of 5000 digits", header_with('"start": ' + "9" * 5000), 1, "start must be a whole number, not 999.*…$"),
    ("start with a boundless exponent", header_with('"start": 1e' + "9" * 30), 1, "the number .* is out of all bounds"),
    ("start a text", header(start="0"), 1, 'start must be a whole number, not "0"'),
    ("options null", header_with('"options": null'), 1, "options must be an object, not null"),
    ("options a list", header(options=[]), 1, r"options must be an object, not \[\]"),
    ("an unknown option", header(options={"speed": 3}), 1, "options: unknown key 'speed'; galloping-pigs has .*spaces"),
    ("an option of another game", header(game="galloping-horse", options={"food_on_track": True}), 1, "options: unknown key 'food_on_track'; galloping-horse has rounds, food, spaces"),
    ("an option called start", header(options={"start": 1}), 1, "options: unknown key 'start'"),
    ("an option called seats", header(options={"seats": ["Ada", "Ben"]}), 1, "options: unknown key 'seats'"),
    ("an option called cls", header(options={"cls": 1}), 1, "options: unknown key 'cls'"),
    ("a remark among the options", header(options={"note": "quick"}), 1, "options: unknown key 'note'"),
    ("spaces 5", header(options={"spaces": 5}), 1, "spaces must be 6 to 1000, not 5"),
    ("spaces 4 for horses", header(game="galloping-horse", options={"spaces": 4}), 1, "spaces must be 5 to 1000, not 4"),
    ("spaces 1001", header(options={"spaces": 1001}), 1, "spaces must be 6 to 1000, not 1001"),
    ("rounds 0", header(options={"rounds": 0}), 1, "rounds must be 1 to 100, not 0"),
    ("rounds 101", header(options={"rounds": 101}), 1, "rounds must be 1 to 100, not 101"),
    ("food -1", header(options={"food": -1}), 1, "food must be 0 to 1000, not -1"),
    ("food 1001", header(options={"food": 1001}), 1, "food must be 0 to 1000, not 1001"),
    ("food true", header(options={"food": True}), 1, "food must be a whole number, not true"),
    ("food null", header(options={"food": None}), 1, "food must be a whole number, not null"),
    ("food 9.0", header(options={"food": 9.0}), 1, "food must be a whole number, not 9.0"),
    ("food_on_track 1", header(options={"food_on_track": 1}), 1, "food_on_track must be true or false, not 1"),
    ("food_on_track null", header(options={"food_on_track": None}), 1, "food_on_track must be true or false, not null"),
    ("an unknown key", header(deal="people"), 1, "header: unknown key 'deal'"),
    ("a key with a capital", header(Start=0), 1, "header: unknown key 'Start'"),
    ("at as a number", header(at=1714594500), 1, "at must be text, not 1714594500"),
    ("at null", header_with('"at": null'), 1, "at must be text, not null"),
    ("note as a list", header(note=["x"]), 1, r'note must be text, not \["x"\]'),
    ("a key twice", header_with('"record": 1'), 1, "the key 'record' stands twice in one object"),
    ("a remark twice", header_with('"note": "", "note": ""'), 1, "the key 'note' stands twice in one object"),
    ("a key twice, once escaped", header_with(r'"gam\u0065": "galloping-pigs"'), 1, "the key 'game' stands twice"),
    ("an option twice", header_with('"options": {"food": 1, "food": 1}'), 1, "the key 'food' stands twice in one object"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "number", "reason"), [row[1:] for row in BAD_HEADERS], ids=[row[0] for row in BAD_HEADERS]
)
def test_no_header(text: bytes, number: int, reason: str) -> None:
    """After a bad header nothing is known: no game, no state, and one error at its line."""
    replay = replayed(text)
    assert replay.error is not None
    assert replay.error.line == number
    assert_begins(replay.error.reason, reason)
    assert replay.answer() == {
        "game": None,
        "lines": 0,
        "finished": False,
        "error": {"line": number, "reason": replay.error.reason},
        "next": None,
        "standings": [],
        "state": None,
    }


def assert_begins(text: str, pattern: str) -> None:
    assert re.match(pattern, text), f"{text!r} does not begin like {pattern!r}"
    assert "Decimal" not in text
    assert len(text) < 300, "a reason is a sentence, however long the line"


# --- what is not: the decisions ------------------------------------------------------------------

HANDS = json.dumps([["red"] * 7, ["blue"] * 7])
BAD_LINES = [
    # what is wrong, the file, the line, how the reason begins
    ("a list as a line", line("[]"), 3, "a line must be an object"),
    ("a number as a line", line("7"), 3, "a line must be an object"),
    ("null as a line", line("null"), 3, "a line must be an object"),
    ("an empty object", line("{}"), 3, "the key 'do' is missing"),
    ("a remark alone", line('{"note": "a pause"}'), 3, "the key 'do' is missing"),
    ("the header again", line(ADA_BEN), 3, "the key 'do' is missing"),
    ("an unknown decision", line('{"do": "fly"}'), 3, 'unknown decision "fly"; galloping-pigs has line-up, deal, place-food, play'),
    ("a decision of another game", line('{"do": "show", "seat": 0, "cards": []}'), 3, 'unknown decision "show"'),
    ("do as a list", line('{"do": ["play"]}'), 3, r'unknown decision \["play"\]'),
    ("do as an object", line('{"do": {}}'), 3, "unknown decision {}"),
    ("do null", line('{"do": null}'), 3, "unknown decision null"),
    ("do of 10,000 letters", line('{"do": "' + "x" * 10_000 + '"}'), 3, "unknown decision .*…"),
    ("do half a character", line(r'{"do": "\ud800"}'), 3, "unknown decision"),
    ("two lines in one", line(DEAL + DEAL), 3, "not a line of JSON: Extra data"),
    ("a byte-order mark later", record(ADA_BEN) + BOM + record(LINE_UP), 2, "the line starts with a byte-order mark"),
    ("bytes that are not UTF-8", record(ADA_BEN, LINE_UP) + b'{"do": "deal\xff", "hands": null}', 3, "the line is not UTF-8"),
    ("a form feed as a line", line("\x0c"), 3, "not a line of JSON"),
    ("two CR before the LF", line("\r\r"), 3, "not a line of JSON"),
    ("a torn last line", line(DEAL)[:-9], 3, "not a line of JSON"),
    ("a last line torn to its first letter", line(DEAL) + b"{", 4, "not a line of JSON"),
    ("U+2028 between two decisions", line(f"{DEAL}\u2028{RED}"), 3, "not a line of JSON"),
    ("nested 100,000 deep", line('{"do":' + "[" * DEEP + "]" * DEEP + "}"), 3, "not a line of a record: nested too deeply"),
    ("objects 100,000 deep", line('{"do":' * DEEP), 3, "not a line of a record: nested too deeply"),
    ("nested 900 deep", line('{"do":' + "[" * 900 + "]" * 900 + "}"), 3, "unknown decision|not a line of a record"),
    ("nested 900 deep in a card", card('"seat": 0, "card": ' + "[" * 900 + "]" * 900), 4, "card must be text|not a line of a record"),
    ("a missing key", line('{"do": "deal"}'), 3, "deal: the key 'hands' is missing"),
    ("a missing seat", card('"card": "red"'), 4, "play: the key 'seat' is missing"),
    ("a seat where none belongs", line('{"do": "deal", "seat": 0, "hands": null}'), 3, "deal: unknown key 'seat'"),
    ("an unknown key", card('"seat": 0, "card": "red", "food": 1'), 4, "play: unknown key 'food'"),
    ("a key of another decision", card('"seat": 0, "card": "red", "space": 7'), 4, "play: unknown key 'space'"),
    ("a key twice", card('"seat": 0, "seat": 0, "card": "red"'), 4, "the key 'seat' stands twice in one object"),
    ("a key twice in an object that does not belong there", card('"seat": {"a": 1, "a": 1}, "card": "red"'), 4, "the key 'a' stands twice"),
    ("at as a number", card('"seat": 0, "card": "red", "at": 7'), 4, "at must be text, not 7"),
    ("note null", card('"seat": 0, "card": "red", "note": null'), 4, "note must be text, not null"),
    ("seat true", card('"seat": true, "card": "red"'), 4, "seat must be a whole number, not true"),
    ("seat false", card('"seat": false, "card": "red"'), 4, "seat must be a whole number, not false"),
    ("seat 0.0", card('"seat": 0.0, "card": "red"'), 4, "seat must be a whole number, not 0.0"),
    ("seat 0e0", card('"seat": 0e0, "card": "red"'), 4, "seat must be a whole number"),
    ("seat null", card('"seat": null, "card": "red"'), 4, "seat must be a whole number, not null"),
    ("seat a text", card('"seat": "0", "card": "red"'), 4, 'seat must be a whole number, not "0"'),
    ("seat a name", card('"seat": "Ada", "card": "red"'), 4, "seat must be a whole number"),
    ("seat NaN", card('"seat": NaN, "card": "red"'), 4, "not a line of JSON: NaN is no number"),
    ("seat of 5000 digits", card('"seat": ' + "1" * 5000 + ', "card": "red"'), 4, "seat must be a whole number, not 111.*…$"),
    ("seat of 5000 negative digits", card('"seat": -' + "1" * 5000 + ', "card": "red"'), 4, "seat must be a whole number, not -11.*…$"),
    ("seat with a boundless exponent", card('"seat": 1e' + "9" * 40 + ', "card": "red"'), 4, "the number .* is out of all bounds"),
    ("a seat that there is not", card('"seat": 2, "card": "red"'), 4, "there is no such seat"),
    ("seat -1", card('"seat": -1, "card": "red"'), 4, "there is no such seat"),
    ("somebody else's turn", card('"seat": 1, "card": "red"'), 4, "it is Ada's turn, not Ben's"),
    ("a card that there is not", card('"seat": 0, "card": "brown"'), 4, "there is no card brown in this game"),
    ("a hidden card", card('"seat": 0, "card": "?"'), 4, "there is no card"),
    ("a card with braces", card('"seat": 0, "card": "{seat}"'), 4, "there is no card {seat} in this game"),
    ("a card with a capital", card('"seat": 0, "card": "Red"'), 4, "there is no card Red"),
    ("a card that is a number", card('"seat": 0, "card": 3'), 4, "card must be text, not 3"),
    ("a card that is null", card('"seat": 0, "card": null'), 4, "card must be text, not null"),
    ("a card in a list", card('"seat": 0, "card": ["red"]'), 4, r'card must be text, not \["red"\]'),
    ("a line-up of four", record(ADA_BEN, LINE_UP.replace('"red", ', "")), 2, "a line-up names each of the 5 pigs once"),
    ("a line-up as a text", record(ADA_BEN, '{"do": "line-up", "seat": 0, "order": "red"}'), 2, "order must be a list of texts"),
    ("a line-up of numbers", record(ADA_BEN, '{"do": "line-up", "seat": 0, "order": [1, 2, 3, 4, 5]}'), 2, "order must be a list of texts"),
    ("a line-up null", record(ADA_BEN, '{"do": "line-up", "seat": 0, "order": null}'), 2, "order must be a list of texts, not null"),
    ("hands as an object", line('{"do": "deal", "hands": {}}'), 3, "hands must be a list of lists of texts or null"),
    ("hands of one seat", line('{"do": "deal", "hands": [' + json.dumps(["red"] * 7) + "]}"), 3, "a deal gives every seat a hand"),
    ("hands of null and null", line('{"do": "deal", "hands": [null, null]}'), 3, "hands must be a list of lists"),
    ("hands of six", line('{"do": "deal", "hands": [["red"], ["blue"]]}'), 3, "every seat gets 7 cards"),
    ("hands of hidden cards", line(f'{{"do": "deal", "hands": {HANDS.replace("red", "?")}}}'), 3, "there is no card"),
    ("a card that is not in the hand", record(ADA_BEN, LINE_UP, f'{{"do": "deal", "hands": {HANDS}}}', RED.replace("red", "blue")), 4, "Ada holds no blue card"),
    ("a deal before the line-up", record(ADA_BEN, DEAL), 2, "the line-up is due now, not"),
    ("food where none is laid", line('{"do": "place-food", "seat": 0, "space": 7}'), 3, ".* is due now, not"),
    ("a space 9.0", record(ADA_BEN, '{"do": "place-food", "seat": 0, "space": 9.0}'), 2, "space must be a whole number, not 9.0"),
    ("a space true", record(ADA_BEN, '{"do": "place-food", "seat": 0, "space": true}'), 2, "space must be a whole number, not true"),
    ("a space of 5000 digits", record(ADA_BEN, '{"do": "place-food", "seat": 0, "space": ' + "7" * 5000 + "}"), 2, "space must be a whole number, not 777"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "number", "reason"), [row[1:] for row in BAD_LINES], ids=[row[0] for row in BAD_LINES]
)
def test_no_decision(text: bytes, number: int, reason: str) -> None:
    """The lines before the bad one are applied, and nothing after it."""
    replay = replayed(text + record(DEAL, RED))
    assert replay.error is not None
    assert replay.error.line == number
    assert_begins(replay.error.reason, reason)
    prefix = replayed(b"\n".join(text.split(b"\n")[: number - 1]))
    assert prefix.error is None
    assert replay.race == prefix.race
    assert replay.answer()["lines"] == number - 2
    assert replay.answer()["state"] == prefix.answer()["state"]


def test_blank_lines_and_line_ends_are_counted() -> None:
    """The number is the line in the file, as an editor shows it, whichever way its lines end."""
    for end in ("\n", "\r\n"):
        replay = replayed(record("", ADA_BEN, " ", "\t", LINE_UP, "", "{}", end=end))
        assert replay.error is not None
        assert replay.error.line == 7


def test_an_error_after_the_end_of_the_game_is_an_error() -> None:
    """A finished game takes no further line."""
    text = whole_game("galloping-pigs", 1) + record(RED)
    replay = replayed(text)
    assert replay.error is not None
    assert replay.error.line == text.count(b"\n")
    assert replay.error.reason == "the game is finished"
    assert replay.answer()["finished"]
    assert replay.answer()["next"] is None


# --- written and read back -----------------------------------------------------------------------

NAMES = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "spaces": st.integers(6, 1000),
        "rounds": st.integers(1, 3),
        "food": st.integers(0, 1000),
        "food_on_track": st.booleans(),
    },
)


def whole_game(
    game: str, seed: int, seats: tuple[str, ...] = ("Ada", "Ben", "Cleo"), **options: Any
) -> bytes:
    """Return the record of a random game."""
    header, rng, decisions = Header(game, seats, 0, {"rounds": 1, **options}), random.Random(seed), []
    race = header.opening()
    while (decision := random_decision(race, rng)) is not None:
        decisions.append(decision)
        race = race.after(decision)
    return written(header, decisions).encode()


@settings(max_examples=60, deadline=None)
@given(
    names=st.lists(NAMES, min_size=2, max_size=4, unique=True),
    options=OPTIONS,
    seed=st.integers(0, 2**32),
    stop=st.integers(0, 40),
    data=st.data(),
)
@example(["", "\x00"], {}, 0, 40, None)
@example(["\u2028", "\u2029", "\x85", "\r\n"], {}, 0, 40, None)
@example(['"', "\\", "{seat}", "null"], {}, 0, 40, None)
@example(["\ufeff", "🐷", "e\u0301", "é"], {}, 0, 40, None)
def test_what_is_written_reads_back(
    names: list[str], options: dict[str, Any], seed: int, stop: int, data: st.DataObject | None
) -> None:
    """With any names of seats, header, decisions, position and every byte come back."""
    start = data.draw(st.integers(0, len(names) - 1)) if data else 0
    header, rng = Header("galloping-pigs", tuple(names), start, options), random.Random(seed)
    decisions: list[Decision] = []
    race = header.opening()
    while len(decisions) < stop and (decision := random_decision(race, rng)) is not None:
        decisions.append(decision)
        race = race.after(decision)
    text = written(header, decisions)
    replay = replayed(text.encode())
    assert replay.error is None
    assert replay.header == header
    assert list(replay.decisions) == decisions
    assert replay.race == race
    assert written(replay.header, replay.decisions) == text
    assert replayed(text.replace("\n", "\r\n").encode()).race == race
    assert header_of(json.loads(header.line())) == header


# --- fuzzing -------------------------------------------------------------------------------------

GAMES = [whole_game("galloping-pigs", 1, food_on_track=True), whole_game("galloping-horse", 2)]
NASTY = [
    b"\n", b"\r", b"\r\n", b" ", b"\t", b"\x00", b"\xff", b"\xed\xa0\x80", BOM, "\u2028".encode(), b"{", b"}", b"[", b"]", b'"',
    b"\\", b",", b":", b"true", b"null", b"NaN", b"-", b"0", b"9.0", b"1e0", b"1e999999999999999999999", b"9" * 5000, b"[" * 3000,
    rb'"\ud800"', b'{"do":', b'"seat": 0', b'"note": 1, ', b'"at": "now", ', b"-Infinity", b'"?"', b'"start": 0, ', b'"cls": 1',
]  # fmt: skip
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.integers(-2, 25)
    | st.floats()
    | st.sampled_from(["red", "pink", "?", "play", "deal", "line-up", "galloping-horse", "seats", ""])
    | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.sampled_from(["do", "seat", "x"]), inner),
    max_leaves=10,
)


@st.composite
def mangled(draw: st.DrawFn) -> bytes:
    """Return a valid record with a few bytes, lines or values changed, moved, doubled or cut."""
    text = draw(st.sampled_from(GAMES))
    for _ in range(draw(st.integers(1, 3))):
        text = draw(st.sampled_from(WAYS))(draw, text)
    return text


def _bytes(draw: st.DrawFn, text: bytes) -> bytes:
    at = draw(st.integers(0, len(text)))
    cut = draw(st.integers(0, 3))
    return text[:at] + draw(st.sampled_from(NASTY) | st.binary(max_size=4)) + text[at + cut :]


def _torn(draw: st.DrawFn, text: bytes) -> bytes:
    return text[: draw(st.integers(0, len(text)))]


def _lines(draw: st.DrawFn, text: bytes) -> bytes:
    lines = text.split(b"\n")
    one, other = (draw(st.integers(0, len(lines) - 1)) for _ in range(2))
    way = draw(st.sampled_from(["swap", "double", "drop", "blank"]))
    if way == "swap":
        lines[one], lines[other] = lines[other], lines[one]
    elif way == "double":
        lines.insert(other, lines[one])
    elif way == "drop":
        del lines[one]
    else:
        lines.insert(one, draw(st.sampled_from([b"", b" \t", b"\r", b"\x0b"])))
    return b"\n".join(lines)


def _value(draw: st.DrawFn, text: bytes) -> bytes:
    lines = text.split(b"\n")
    at = draw(st.integers(0, len(lines) - 1))
    try:
        given = json.loads(lines[at])
    except (ValueError, RecursionError):
        return text
    if not isinstance(given, dict):
        return text
    key = draw(st.sampled_from([*given, "note", "at", "start", "options", "more"]))
    old = given.get(key)
    if isinstance(old, list) and old and draw(st.booleans()):
        old[draw(st.integers(0, len(old) - 1))] = draw(JSON)
    elif draw(st.integers(0, 5)) == 0:
        given.pop(key, None)
    else:
        given[key] = draw(JSON)
    lines[at] = json.dumps(given).encode()
    return b"\n".join(lines)


WAYS: list[Callable[[st.DrawFn, bytes], bytes]] = [_bytes, _torn, _lines, _value]


@settings(max_examples=400, deadline=None)
@given(text=mangled())
def test_a_mangled_record_is_replayed_up_to_its_first_bad_line(text: bytes) -> None:
    """No file crashes the replay; the position is that of the longest legal prefix, the error the next line."""
    replay = replayed(text)
    answer = json.dumps(replay.answer())
    if replay.error is None:
        assert replay.race is not None
        return
    lines, number = text.split(b"\n"), replay.error.line
    assert 1 <= number <= len(lines)
    assert replay.error.reason.strip()
    longer = replayed(b"\n".join(lines[:number]))
    assert json.dumps(longer.answer()) == answer, "what follows the bad line changes nothing"
    prefix = replayed(b"\n".join(lines[: number - 1]))
    if replay.race is None:
        assert prefix.race is None
    else:
        assert prefix == Replay(replay.header, replay.race, replay.decisions)


@settings(max_examples=100, deadline=None)
@given(
    text=st.binary(max_size=60)
    | st.text(max_size=60).map(str.encode)
    | JSON.map(lambda v: json.dumps(v).encode())
)
def test_anything_else_is_no_header(text: bytes) -> None:
    """Any file at all has an answer."""
    assert replayed(text).error is not None


# --- the command ---------------------------------------------------------------------------------


def run(*arguments: str, stdin: bytes = b"") -> Result:
    return CliRunner().invoke(main, list(arguments), input=stdin, catch_exceptions=False)


GOOD = record(ADA_BEN, LINE_UP, DEAL, RED)
BAD = record(ADA_BEN, LINE_UP, "", '{"do": "deal"}', RED)


def test_a_legal_record_ends_with_0(tmp_path: Path) -> None:
    (tmp_path / "race.jsonl").write_bytes(GOOD)
    ran = run("replay", str(tmp_path / "race.jsonl"))
    assert (ran.exit_code, ran.stderr) == (0, "")


def test_a_bad_line_ends_with_1_and_is_named_as_the_file_was_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """FILE:LINE: reason, FILE as it was given."""
    (tmp_path / "race.jsonl").write_bytes(BAD)
    monkeypatch.chdir(tmp_path)
    for given_as in ("race.jsonl", "./race.jsonl", str(tmp_path / "race.jsonl")):
        for more in ([], ["--json"]):
            ran = run("replay", given_as, *more)
            assert ran.exit_code == 1
            assert ran.stderr == f"{given_as}:4: deal: the key 'hands' is missing\n"


def test_standard_input_is_called_a_dash() -> None:
    ran = run("replay", "-", stdin=BAD)
    assert ran.exit_code == 1
    assert ran.stderr == "-:4: deal: the key 'hands' is missing\n"
    assert run("replay", "-", stdin=GOOD).exit_code == 0
    assert run("replay", "-").stderr == f"-:1: {NO_HEADER}\n"


def test_bytes_of_standard_input_are_read_as_they_are() -> None:
    """No encoding of the terminal comes between: bytes that are not UTF-8 are an error at their line."""
    ran = run("replay", "-", "--json", stdin=record(ADA_BEN, LINE_UP) + b"\xff\n")
    assert ran.stderr == "-:3: the line is not UTF-8 text\n"
    assert json.loads(ran.stdout)["lines"] == 1


CANNOT_BE_READ = [
    ("there is no such file", ["replay", "missing.jsonl"], "missing.jsonl: No such file or directory"),
    ("a directory", ["replay", "."], ".: Is a directory"),
    ("no file named", ["replay"], "Missing argument 'FILE'"),
    ("two files named", ["replay", "a", "b"], "unexpected extra argument"),
    ("an unknown option", ["replay", "--yaml", "-"], "No such option"),
    ("an unknown command", ["repaly", "-"], "No such command"),
]


@pytest.mark.parametrize(
    ("arguments", "said"), [row[1:] for row in CANNOT_BE_READ], ids=[row[0] for row in CANNOT_BE_READ]
)
@pytest.mark.parametrize("more", [[], ["--json"]], ids=["plain", "json"])
def test_what_cannot_be_read_ends_with_2(
    arguments: list[str], said: str, more: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing on standard output, the reason on standard error."""
    monkeypatch.chdir(tmp_path)
    ran = run(*arguments, *more)
    assert (ran.exit_code, ran.stdout) == (2, "")
    assert said in ran.stderr


def test_standard_input_that_cannot_be_read_ends_with_2(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken(io.RawIOBase):
        def readable(self) -> bool:
            return True

        def readinto(self, into: Any) -> int:
            raise OSError(5, "Input/output error")

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(Broken())))
    with pytest.raises(SystemExit) as ended:
        main(["replay", "-"], standalone_mode=False)
    assert ended.value.code == 2


@pytest.mark.parametrize(
    "text",
    [GOOD, BAD, b"", b"\xff", BOM, whole_game("galloping-horse", 3), b"[" * DEEP],
    ids=["legal", "bad", "empty", "bytes", "mark", "finished", "deep"],
)
def test_json_is_exactly_one_object(text: bytes) -> None:
    """On exit 0 and on exit 1, also after a bad header: one object, all its keys, nothing else."""
    ran = run("replay", "-", "--json", stdin=text)
    answer = json.loads(ran.stdout)
    assert list(answer) == ["game", "lines", "finished", "error", "next", "standings", "state"]
    assert ran.exit_code == (0 if answer["error"] is None else 1)
    assert ran.stdout == json.dumps(answer) + "\n"


def test_the_answer_has_the_shape_that_record_md_shows() -> None:
    answer = json.loads(run("replay", "-", "--json", stdin=GOOD).stdout)
    assert answer == {
        "game": "galloping-pigs",
        "lines": 3,
        "finished": False,
        "error": None,
        "next": {"do": "play", "seats": [1]},
        "standings": [
            {"seat": 0, "name": "Ada", "score": 0, "place": 1},
            {"seat": 1, "name": "Ben", "score": 0, "place": 1},
        ],
        "state": {
            "round": 1,
            "to_play": 1,
            "progress": {"red": 1, "blue": -1, "green": -2, "yellow": -3, "pink": -4},
            "stock": 54,
            "provisional": [1, 0],
            "kept": [0, 0],
            "track_food": [],
            "played": [1, 0],
        },
    }


def test_plain_output_tells_the_story_and_the_standings() -> None:
    """A line per decision with what followed from it, the standings by place, and what is due."""
    ran = run("replay", "-", stdin=GOOD)
    assert ran.stdout.splitlines() == [
        "Galloping Pigs: Ada, Ben",
        "  1. Ada: Ada lines up the pigs, the red pig in front",
        "  2. 7 cards for everybody",
        "  3. Ada: the red pig to 1, it takes the lead: +1 acorn",
        "",
        " 1. Ada: 0",
        " 1. Ben: 0",
        "Next: Ben, play a card",
    ]


def test_the_story_of_a_whole_game_ends_with_its_standings() -> None:
    """A line per decision, none left out, and no line for what is due when nothing is."""
    text = whole_game("galloping-pigs", 5, food_on_track=True)
    ran = run("replay", "-", stdin=text)
    lines = ran.stdout.splitlines()
    numbered = [line for line in lines if line.lstrip()[:1].isdigit() and ". " in line]
    decisions = text.count(b"\n") - 1
    assert len(numbered) == decisions + 3
    assert not lines[-1].startswith("Next")
    scores = [s.score for s in replayed(text).race.standings()]  # type: ignore[union-attr]
    assert [int(line.rpartition(": ")[2]) for line in lines[-3:]] == scores


def test_after_a_bad_line_the_story_up_to_it_is_shown() -> None:
    ran = run("replay", "-", stdin=BAD)
    assert "Ada lines up the pigs" in ran.stdout
    assert "7 cards to everybody" in ran.stdout
    assert "\n 1. Ada: 0\n" in ran.stdout


def test_after_a_bad_header_there_is_no_story() -> None:
    ran = run("replay", "-", stdin=b"{}")
    assert (ran.exit_code, ran.stdout) == (1, "")


def test_names_with_line_ends_do_not_break_the_story() -> None:
    """A name may hold anything; the story still has a line per decision."""
    text = whole_game("galloping-horse", 4, seats=("A\nda", "B\r\n", "\x1b[31mC\u2028"))
    ran = run("replay", "-", stdin=text)
    assert ran.exit_code == 0
    assert len(ran.stdout.split("\n")) == 1 + (text.count(b"\n") - 1) + 1 + 3 + 1
