"""Text files that people write with any editor: their encoding, and what is no plain text at all.

May use errors and sentences.
"""

from __future__ import annotations

import codecs
from typing import Final

from companion.errors import ValidationError
from companion.message import N_, Sentence

_BOMS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark begins like it
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DOCUMENTS: Final = (
    (b"{\\rtf", "RTF"),
    (b"PK\x03\x04", "docx, odt"),
    (b"\xd0\xcf\x11\xe0", "doc"),
    (b"%PDF", "PDF"),
    (b"<!DOCTYPE", "HTML"),
    (b"<html", "HTML"),
    (b"<?xml", "XML"),
)
_LINE_ENDS: Final = str.maketrans(dict.fromkeys("\r\v\f\x85\u2028\u2029", "\n"))


class NotPlainTextError(ValidationError):
    """The file is a document, or in an encoding that cannot be recognised."""


def decoded(content: bytes) -> str:
    r"""Return the text of a file in UTF-8, or in UTF-16 as editors of Windows save it, with \n at line ends.

    NotPlainTextError says what else it is.

    >>> decoded("\ufeffpad = true\r\n".encode("utf-16-le"))
    'pad = true\n'
    """
    for beginning, kind in _DOCUMENTS:
        if content.lstrip()[: len(beginning)].upper() == beginning.upper():
            raise NotPlainTextError(Sentence(_DOCUMENT, {"text": kind}))
    mark, encoding = next((one for one in _BOMS if content.startswith(one[0])), (b"", _without_mark(content)))
    try:
        text = content[len(mark) :].decode(encoding)
    except UnicodeDecodeError as error:
        number = content[: error.start].count(b"\n") + 1
        raise NotPlainTextError(Sentence(_NOT_UTF8, {"number": number})) from None
    if "\0" in text:
        raise NotPlainTextError(Sentence(_BINARY))
    return text.replace("\r\n", "\n").translate(_LINE_ENDS)


def first_line(content: bytes) -> str:
    r"""Return the first line of a file that holds one password, without blanks around it.

    NotPlainTextError if it is no text.

    >>> first_line(b"\xef\xbb\xbfsesame \r\n")
    'sesame'
    """
    return decoded(content).lstrip("\n").partition("\n")[0].strip()


def _without_mark(content: bytes) -> str:
    """Return the encoding of text without a mark: in UTF-16 every other byte of plain letters is zero."""
    if len(content) >= 4 and not any(content[1:64:2]) and all(content[:64:2]):
        return "utf-16-le"
    if len(content) >= 4 and not any(content[:64:2]) and all(content[1:64:2]):
        return "utf-16-be"
    return "utf-8"


_DOCUMENT: Final = N_(
    "this is a document ({text}), not plain text: in the word processor, save it as plain text"
)
_NOT_UTF8: Final = N_(
    "the text is not in UTF-8, see line {number}: when you save it, choose the encoding UTF-8"
)
_BINARY: Final = N_("this is no text: name another file")
