"""Mistakes that people make in TOML: where each is, what is meant, and how to write it.

May use sentences.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from companion.message import N_, Sentence


class Mistake(NamedTuple):
    """A mistake in a line (from 1) at a column (from 0), and how to write it.

    `corrected` is the statement without it, which begins in line `first` and ends before line `end`; None if
    that is not certain.
    """

    line: int
    column: int
    sentence: Sentence
    first: int
    end: int
    corrected: str | None


def shown(text: str, mistake: Mistake) -> Sentence:
    r"""Return a mistake as people read it: its line, a sign below it, and how to write it; without secrets.

    >>> text = "name = “pub”"
    >>> print(shown(text, mistakes(text)[0]))
    line 1: this quotation mark is from a word processor: type a straight one, "
        name = “pub”
               ^
    """
    line = text.split("\n")[mistake.line - 1] if text else ""
    if _SECRET.match(line):
        return Sentence(_AT, {"number": mistake.line, "then_what": Sentence(_NOT_SHOWN)})
    begin = max(0, mistake.column - _WIDTH)
    part = line[begin : begin + 2 * _WIDTH].replace("\t", " ")
    sign = " " * (mistake.column - begin) + "^"
    below = {"number": mistake.line, "then_what": mistake.sentence}
    return Sentence(
        "{then_at}\n    {text_a}\n    {text_b}",
        {"then_at": Sentence(_AT, below), "text_a": part, "text_b": sign},
    )


class _Found(NamedTuple):
    """A mistake in a statement at an index, and the statement without it; None if that is not certain."""

    at: int
    sentence: Sentence
    text: str | None


def mistakes(text: str) -> list[Mistake]:
    r"""Return the mistakes because of which a text is not TOML; [] if it is.

    >>> [found] = mistakes("pad = true\nname = “pub”")
    >>> found.line, found.column, found.corrected
    (2, 7, 'name = "pub"')
    """
    try:
        tomllib.loads(text)
    except RecursionError:
        return [Mistake(1, 0, Sentence(_NESTED), 1, 2, None)]
    except ValueError as error:  # TOMLDecodeError is one; so is Python's error for an endless number
        found = [*_found_in(text)] if len(text) <= _LONGEST else []
        return found or [_of_parser(text, str(error))]
    return []


def corrected(text: str) -> str | None:
    """Return the text without its mistakes; None if it is not certain how each is meant."""
    lines = text.split("\n")
    for mistake in reversed(mistakes(text)):
        if mistake.corrected is None:
            return None
        lines[mistake.first - 1 : mistake.end - 1] = mistake.corrected.split("\n")
    whole = "\n".join(lines)
    return None if mistakes(whole) else whole


def _of_parser(text: str, reason: str) -> Mistake:
    """Return what the parser says: a mistake of no known kind."""
    at = re.search(r"\(at line (\d+), column (\d+)\)", reason)
    lines = text.rstrip().split("\n")
    line, column = (int(at[1]), int(at[2]) - 1) if at else (len(lines), len(lines[-1]))
    again = re.match(r"Cannot (?:overwrite|declare|mutate)", reason)
    sentence = Sentence(_AGAIN) if again else Sentence(_OTHER, {"text": reason.partition(" (at")[0]})
    return Mistake(line, column, sentence, line, line + 1, None)


def _found_in(text: str) -> Iterator[Mistake]:
    for first, statement in _statements(text.split("\n")):
        if (found := _mistake_in(statement)) is not None:
            before = statement[: found.at]
            line = first + before.count("\n")
            column = found.at - (before.rfind("\n") + 1)
            end = first + statement.count("\n") + 1
            yield Mistake(line, column, found.sentence, first, end, found.text)


def _statements(lines: list[str]) -> Iterator[tuple[int, str]]:
    """Yield the statements of a text, each with the number of its first line; a list may have many lines."""
    at = 0
    while at < len(lines):
        end = at + 1
        value = lines[at].partition("=")[2].strip()
        quotes = value[:3]
        if quotes in _LONG_QUOTES and quotes not in value[3:]:
            end = next((n for n in range(at + 1, len(lines)) if quotes in lines[n]), len(lines) - 1) + 1
        if value.startswith("[") and "]" not in value:
            end = next((n for n in range(at + 1, len(lines)) if _ends_list(lines[n])), at) + 1
        yield at + 1, "\n".join(lines[at:end])
        at = end


def _ends_list(line: str) -> bool:
    return "]" in line or "=" in line or not line.strip()


def _is_toml(statement: str) -> bool:
    try:
        tomllib.loads(statement)
    except (ValueError, RecursionError):
        return False
    return True


def _mistake_in(statement: str) -> _Found | None:
    """Return the first mistake of a statement, with the statement without this and all further ones."""
    first, text = None, statement
    for _ in range(_MOST if len(statement) <= _LONGEST_LINE else 0):
        if _is_toml(text):
            break
        found = next(filter(None, (find(text) for find in _KINDS)), None)
        first = first or found
        if found is None or found.text is None or found.text == text:
            return first and first._replace(text=None)
        text = found.text
    return first and first._replace(text=text if _is_toml(text) else None)


# --- kinds of mistakes -----------------------------------------------------------------------------

_DOUBLE: Final = "“”„‟«»″"
_SINGLE: Final = "‘’‚‛′`´"
_BLANKS: Final = "\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
_UNSEEN: Final = "\ufeff\u200b\u200c\u200d\u2060\u00ad\u200e\u200f"
_DASHES: Final = "‐‑‒–—−"
_TRUE: Final = frozenset(("true", "yes", "on", "ja", "ein", "an", "oui", "vrai", "wahr"))
_FALSE: Final = frozenset(("false", "no", "off", "nein", "aus", "non", "faux", "falsch"))
_VALUE: Final = re.compile(
    r"(?P<key>\s*[^=\n\"\'#]*?=\s*)(?P<value>.*?)(?P<rest>\s*(?:\s#[^\n]*)?)\Z", re.DOTALL
)


def _outside(statement: str) -> Iterator[int]:
    """Yield the indexes of the characters that are in no string and no remark."""
    quote, at = "", 0
    while at < len(statement):
        letter = statement[at]
        if quote:
            if letter == "\\" and quote == '"':
                at += 1
            elif letter == quote or letter == "\n":
                quote = ""
        elif letter == "#":
            at = statement.find("\n", at)
            if at < 0:
                return
        elif letter in "\"'":
            quote = letter
        else:
            yield at
        at += 1


def _quotes(statement: str) -> _Found | None:
    """Find quotation marks as word processors set them."""
    for at in _outside(statement):
        letter = statement[at]
        if letter in _DOUBLE or letter in _SINGLE:
            same, straight = (_DOUBLE, '"') if letter in _DOUBLE else (_SINGLE, "'")
            pair = re.compile(f"[{same}]([^{same}{straight}\\n]*)[{same}{straight}]").match(statement, at)
            if pair is None:
                return _Found(at, Sentence(_CURLY), statement[:at] + straight + statement[at + 1 :])
            inside = pair[1].strip(" \u00a0\u202f") if letter in "«»" else pair[1]
            written = json.dumps(inside, ensure_ascii=False)
            return _Found(at, Sentence(_CURLY), statement[:at] + written + statement[pair.end() :])
    return None


def _strange_letters(statement: str) -> _Found | None:
    """Find blanks, dashes and invisible characters as word processors set them."""
    for at in _outside(statement):
        letter, after = statement[at], statement[at + 1 :]
        if letter in _BLANKS:
            return _Found(at, Sentence(_BLANK), f"{statement[:at]} {after}")
        if letter in _UNSEEN:
            return _Found(at, Sentence(_INVISIBLE), statement[:at] + after)
        if letter in _DASHES and after[:1].isdigit():
            return _Found(at, Sentence(_DASH), f"{statement[:at]}-{after}")
    return None


def _remark(statement: str) -> _Found | None:
    """Find a remark that begins as in other languages."""
    mark = re.match(r"\s*(//|;|--)\s*", statement)
    return mark and _Found(mark.start(1), Sentence(_REMARK), f"# {statement[mark.end() :]}")


def _header(statement: str) -> _Found | None:
    """Find the name of a part without all of its brackets."""
    name = re.fullmatch(r"\s*(\[{0,2})\s*([\w-]+)\s*(\]{0,2})\s*(#.*)?", statement)
    if name is None or name[1] == name[3].replace("]", "["):
        return None
    brackets = max(len(name[1]), len(name[3]))
    whole = f"{'[' * brackets}{name[2]}{']' * brackets}"
    at = name.end(2) if len(name[3]) < brackets else name.start(2)
    return _Found(at, Sentence(_BRACKETS, {"text": whole}), f"{whole} {name[4] or ''}".rstrip())


def _colon(statement: str) -> _Found | None:
    """Find a colon, or another sign, in the place of the equals sign."""
    sign = re.match(r"\s*[\w.-]+\s*(:=|=>|==|:|\uff1d)\s*", statement)
    if sign is None:
        return None
    after = statement[sign.end() :]
    return _Found(sign.start(1), Sentence(_EQUALS), f"{statement[: sign.start(1)].rstrip()} = {after}")


def _end(statement: str) -> _Found | None:
    """Find a comma or a semicolon behind a value."""
    sign = re.search(r"\s*([,;])\s*(?:\s#[^\n]*)?\Z", statement)
    if sign is None or "=" not in statement or sign.start(1) not in {*_outside(statement)}:
        return None
    return _Found(
        sign.start(1),
        Sentence(_COMMA, {"text": sign[1]}),
        statement[: sign.start()] + statement[sign.end(1) :],
    )


def _value(statement: str) -> _Found | None:
    """Find a value that is not written as TOML has it."""
    parts = _VALUE.match(statement)
    if parts is None:
        return None
    key, value, rest, at = parts["key"], parts["value"], parts["rest"], parts.start("value")
    if not value:
        return _Found(len(key.rstrip()), Sentence(_MISSING), None)
    if value.startswith("["):
        return _list(key, value, rest)
    found = _single(value)
    return found and found._replace(at=at + found.at, text=found.text and f"{key}{found.text}{rest}")


def _list(key: str, value: str, rest: str) -> _Found | None:
    """Find a value in a list that is not written as TOML has it, or a list that does not end."""
    if not value.endswith("]"):
        return _Found(len(key) + len(value), Sentence(_LIST), f"{key}{value}]{rest}")
    for item in re.finditer(r"[^\s,\[\]][^,\[\]\n]*", value):
        bare = item[0].rstrip()
        if not _is_toml(f"x = {bare}") and (found := _single(bare)) is not None:
            whole = (
                found.text
                and f"{key}{value[: item.start()]}{found.text}{value[item.start() + len(bare) :]}{rest}"
            )
            return found._replace(at=len(key) + item.start() + found.at, text=whole)
    return None


def _single(value: str) -> _Found | None:
    """Find the mistake in one value that is no list."""
    word = value.casefold()
    if word in _TRUE or word in _FALSE:
        meant = "true" if word in _TRUE else "false"
        return _Found(0, Sentence(_WORD, {"text": meant}), meant)
    if re.fullmatch(r"[+-]?0[0-9]+", value):
        meant = str(int(value))
        return _Found(0, Sentence(_WORD, {"text": meant}), meant)
    if re.match(r"[0-9]+(?:,[0-9]|\s+\S)", value):
        return _Found(0, Sentence(_NUMBER), None)
    quotes = value.count('"') + value.count("'")
    if value[0] in "\"'" and quotes == 2 and value[-1] == value[0] and "\\" in value:
        meant = f"'{value[1:-1]}'"
        return _Found(value.index("\\"), Sentence(_BACKSLASH, {"text": meant}), meant)
    if quotes == 0 or (quotes == 1 and (value[0] in "\"'" or value[-1] in "\"'")):
        inside = value.strip("\"'" + _DOUBLE + _SINGLE).strip()
        meant = json.dumps(inside, ensure_ascii=False)
        is_certain = "#" not in value and not set("[]{}=") & set(value)
        at = 0 if value[0] not in "\"'" else len(value)
        return _Found(at, Sentence(_UNQUOTED, {"text": meant}), meant if is_certain else None)
    return None


def _no_equals(statement: str) -> _Found | None:
    """Find a line that has no value at all."""
    plain = statement.partition("#")[0]
    if "=" in plain or not plain.strip() or plain.strip().startswith("["):
        return None
    return _Found(len(plain) - len(plain.lstrip()), Sentence(_LINE), None)


_KINDS: Final[tuple[Callable[[str], _Found | None], ...]] = (
    _quotes,
    _strange_letters,
    _remark,
    _header,
    _colon,
    _end,
    _value,
    _no_equals,
)
_SECRET: Final = re.compile(r"\s*[\"']?(?:secret|password)\b(?!_file)", re.IGNORECASE)
_LONG_QUOTES: Final = ('"""', "'''")
_LONGEST: Final = 20_000  # letters of a text: a longer one is no settings of a person
_LONGEST_LINE: Final = 2_000
_MOST: Final = 100  # mistakes in one statement
_WIDTH: Final = 60  # letters of a long line that are shown on each side of a mistake
_AT: Final = N_("line {number}: {then_what}")
_NOT_SHOWN: Final = N_(
    "the value is not written correctly, and not repeated here: text is between straight quotation marks"
)
_NESTED: Final = N_("it is nested too deeply")
_AGAIN: Final = N_("this is there twice: delete one of the two")
_OTHER: Final = N_("this cannot be read: {text}")
_CURLY: Final = N_('this quotation mark is from a word processor: type a straight one, "')
_BLANK: Final = N_("this space is not a normal one, as a word processor sets it: type a normal space")
_INVISIBLE: Final = N_("there is an invisible character here: delete it, or type the line again")
_DASH: Final = N_("this dash is from a word processor: type a hyphen, -")
_REMARK: Final = N_("a remark begins with #")
_BRACKETS: Final = N_("write {text}")
_EQUALS: Final = N_("write an equals sign here: =")
_COMMA: Final = N_("delete {text} here: only a remark may follow a value")
_MISSING: Final = N_("a value is missing behind the equals sign")
_LIST: Final = N_("the list ends with a bracket: ]")
_WORD: Final = N_("write {text} here")
_NUMBER: Final = N_("this is no whole number: write it without anything else")
_BACKSLASH: Final = N_("a backslash means something else here: write {text}")
_UNQUOTED: Final = N_("text is between straight quotation marks: write {text}")
_LINE: Final = N_("a line has a key, an equals sign and a value, such as pad = true; a remark begins with #")
