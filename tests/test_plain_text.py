"""Text files as editors and word processors save them: read, or named for what they are."""

from __future__ import annotations

import codecs
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.plain_text import NotPlainTextError, decoded, first_line

TEXT = 'name = "Müllers Tisch"\npad = true\n'
SAVED = {
    "UTF-8": TEXT.encode(),
    "with a mark": codecs.BOM_UTF8 + TEXT.encode(),
    "UTF-16": codecs.BOM_UTF16_LE + TEXT.encode("utf-16-le"),
    "the other UTF-16": codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"),
    "UTF-16 without a mark": TEXT.encode("utf-16-le"),
    "the other without a mark": TEXT.encode("utf-16-be"),
    "UTF-32": codecs.BOM_UTF32_LE + TEXT.encode("utf-32-le"),
    "Windows": TEXT.replace("\n", "\r\n").encode(),
    "an old Mac": TEXT.replace("\n", "\r").encode(),
    "line breaks of a word processor": TEXT.replace("\n", "\u2028").encode(),
}


@pytest.mark.parametrize("content", SAVED.values(), ids=SAVED)
def test_text_is_read_as_it_was_saved(content: bytes) -> None:
    assert decoded(content) == TEXT


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (rb"{\rtf1\ansi pad = true}", "this is a document (RTF), not plain text"),
        (b"PK\x03\x04 word/document.xml", "this is a document (docx, odt)"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "this is a document (doc)"),
        (b"\n<!doctype html><p>pad = true", "this is a document (HTML)"),
        (b"pad = true\nname = 'caf\xe9'", "not in UTF-8, see line 2"),
        (codecs.BOM_UTF16_LE + b"odd", "not in UTF-8"),
        (b"pad\0 = true", "this is no text"),
    ],
)
def test_what_is_no_plain_text_is_named(content: bytes, said: str) -> None:
    with pytest.raises(NotPlainTextError) as error:
        decoded(content)
    assert said in str(error.value)


@pytest.mark.parametrize(
    "written", ["sesame", "sesame \t", "sesame\nmore", "\nsesame", "sesame\u00a0", " sesame\r\n"]
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_password_is_the_first_line_without_blanks_around_it(written: str, encoding: str) -> None:
    assert first_line(written.encode(encoding)) == "sesame"


@given(st.binary(max_size=100))
def test_any_bytes_are_text_or_named(content: bytes) -> None:
    with suppress(NotPlainTextError):
        assert "\r" not in decoded(content)
