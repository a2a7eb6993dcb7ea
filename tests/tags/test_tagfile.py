"""Lists of tags: what spreadsheets and readers write is understood, and what cannot be is refused with the reason."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.devices.mock.keyboard import Style
from companion.devices.mock.tags import DEMO_SET
from companion.devices.typed import Typist
from companion.devices.uid_text import uid_of, why_impossible
from companion.errors import InvalidInput
from companion.settings import TAG_FORMATS, TagFormat
from companion.tags.tagfile import decoded, read_tags, write_table, write_tags
from tests.support.devices.modelled import uids

RED_3 = "galloping-pigs/card/red/3"
UID = "04A1B2C3D4E5F6"

TABLES = [
    f"{UID};{RED_3}",
    f"{UID},{RED_3}",
    f"{UID}\t{RED_3}",
    f'"{UID}";"{RED_3}"',
    f"'{UID}','{RED_3}'",
    f'="{UID}";{RED_3}',
    f"{UID} ; {RED_3} ;",
    f"UID;Meaning;Note\n{UID};{RED_3};from Ben",
    f'uid,means,note\n{UID},{RED_3},"torn, a bit"',
    f"Bedeutung;UID;Notiz\n{RED_3};{UID};12345678",
    f"Note;UID;Meaning\n12345678;{UID};{RED_3}",
    f"{RED_3};{UID}",
    f"sep=;\n\nUID;Meaning\n{UID};{RED_3}\n;;\n",
    f"UID MEANING\n{UID} {RED_3}",
    f"UID;Meaning\n{UID} {RED_3}",
    f"UID;Meaning\n;{UID}?;{RED_3}",
    f"# mine\n{UID} {RED_3}  # torn",
    f"04 A1 B2 C3 D4 E5 F6;{RED_3}",
    f"04:a1:b2:c3:d4:e5:f6 {RED_3}",
]


@pytest.mark.parametrize("text", TABLES)
@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_tables(text: str, ends: str) -> None:
    """Any separator, quotes, a header, empty cells, and the line ends of Windows and of old Macs."""
    assert read_tags(text.replace("\n", ends)) == {UID: RED_3}
    assert read_tags("\ufeff" + text.replace("\n", ends) + ends) == {UID: RED_3}


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252", "utf-32-le"]
)
def test_encodings(encoding: str) -> None:
    """A list is read as the spreadsheet stored it; what is no text is refused and does not crash."""
    data = f"UID;Meaning;Bemerkung für dich\n{UID};{RED_3};für Jörg".encode(encoding)
    if encoding == "utf-32-le":
        with pytest.raises(InvalidInput):
            read_tags(decoded(data))
    else:
        assert read_tags(decoded(data)) == {UID: RED_3}


@given(uids(), st.sampled_from(TAG_FORMATS), st.booleans(), st.sampled_from([("", "", ""), (";", ":", "?")]))
def test_what_a_reader_types_a_list_may_have(
    uid: bytes, form: TagFormat, enter: bool, signs: tuple[str, str, str]
) -> None:
    """The text of a reader of any format is the same tag in a list."""
    style = Style(form.startswith("decimal"), form.endswith("reversed"), enter=enter, signs=signs)
    typist = Typist()
    texts = [text for at, code in enumerate(style.keys(uid)) for text in typist.key(code, at * 0.02)]
    [text] = texts or typist.quiet()
    typed = uid_of(text, form)
    if typed is not None and len(re.sub("[^0-9A-F]", "", text)) >= 8:
        assert read_tags(f"{text} {RED_3}", form) == {typed: RED_3}


@given(st.lists(uids(), unique=True, min_size=1, max_size=20), st.sampled_from(TAG_FORMATS))
def test_what_is_written_is_read_again_at_a_table_of_any_format(
    numbers: list[bytes], form: TagFormat
) -> None:
    """A list and a table say by themselves that they are in hex, where the readers' format is another one."""
    things = random.Random(len(numbers)).sample([*DEMO_SET.values()], len(numbers))
    known = [number.hex().upper() for number in numbers]
    tags = {uid: thing for uid, thing in zip(known, things, strict=True) if why_impossible(uid) is None}
    assert read_tags(write_tags(tags, form), form) == tags
    assert read_tags(write_table(tags), form) == tags


def test_a_table_is_not_changed_by_a_spreadsheet() -> None:
    """What looks like a number or a date is written in pairs; the case of the specification as it is."""
    tags = {"04112233": "a", "1234E567": "b", "12DEC024": "c", UID: "d"}
    assert write_table(tags).splitlines() == [
        "UID (hex);meaning",
        "04 11 22 33;a",
        "12 34 E5 67;b",
        "12 DE C0 24;c",
        "04A1B2C3D4E5F6;d",
    ]


def test_a_list_has_one_format() -> None:
    """Where readers type decimal numbers, a list with letters is in hex as a whole, or it is refused."""
    assert read_tags("30407030 galloping-pigs/card/red/1", "decimal") == {
        "01CFF976": "galloping-pigs/card/red/1"
    }
    assert read_tags(f"{UID} {RED_3}\n30407030 galloping-pigs/card/red/1", "decimal") == {
        UID: RED_3,
        "30407030": "galloping-pigs/card/red/1",
    }
    with pytest.raises(InvalidInput, match=r"1: '04A1B2C3D4E5F6' is no decimal number.*write UID \(hex\)"):
        read_tags(f"{UID} {RED_3}\n0077705923 galloping-pigs/card/red/1", "decimal")


REFUSED = [
    ("88046E51", "'88046E51' is only a part of a longer UID, for 88 says that more follows"),
    ("88040CAC12ED4C", "is only a part of a longer UID"),
    ("88040CAC8812ED4C8100", "is only a part of a longer UID"),
    ("04A1B288D4E5F6", "has 88 as its fourth byte, where no UID of 7 bytes can have it"),
    ("00000000", "is nothing but zeros"),
    ("00 00 00 00 00 00 00", "is nothing but zeros"),
    ("FFFFFFFFFFFFFFFFFFFF", "is nothing but Fs"),
    ("08A1B2C3", "changes at every read"),
    ("04A1B2", "'04A1B2' is no UID: it has 3 bytes, not 4, 7 or 10"),
    ("04A1B2C3D4", "'04A1B2C3D4' is no UID: it has 5 bytes"),
    ("04A1B2C3D4E5F6F7", "it has 8 bytes, not 4, 7 or 10"),
    ("04A1B2C", "'04A1B2C' is no UID: it has 4, 7 or 10 bytes in hex, or is a decimal number"),
    ("1,30369E+15", "'1,30369E+15' was rounded by the spreadsheet"),
    ("red", "'red' is no UID"),
]


@pytest.mark.parametrize(("uid", "why"), REFUSED)
@pytest.mark.parametrize("separator", [";", " ", "\t"])
def test_a_uid_that_cannot_be_is_refused(uid: str, why: str, separator: str) -> None:
    """The reason and the line are named, and nothing is learnt."""
    with pytest.raises(InvalidInput) as refused:
        read_tags(f"UID;Meaning\n{UID}{separator}galloping-pigs/card/red/1\n{uid}{separator}{RED_3}")
    assert str(refused.value).startswith("3: ")
    assert why in str(refused.value)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("hello", "1: a line has a UID and its meaning"),
        (f"{UID} {RED_3} junk", "1: a line has a UID and its meaning"),
        (
            decoded(b"PK\x03\x04\x14\x00\x06\x00\x08\xff"),
            "1: this is a spreadsheet's own file: save the table as CSV",
        ),
        (f";{RED_3}", "1: a line has a UID and its meaning"),
        (f"{UID};galloping-pigs/crad/red/3", "1: a tag means GAME/card/COLOUR/NUMBER or GAME/piece/COLOUR"),
        (
            f"{UID};galloping-pigs/card/mauve/3",
            "1: galloping-pigs has red, blue, green, yellow, pink, not 'mauve'",
        ),
        (f"{UID};{RED_3}\n{UID};galloping-pigs/card/red/4", "2: the tag 04A1B2C3D4E5F6 stands here twice"),
        (f"{UID};{RED_3}\n04A1B2C3;{RED_3}", "2: two tags for galloping-pigs/card/red/3"),
    ],
)
def test_a_line_that_cannot_be_used(text: str, why: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        read_tags(text)
    assert str(refused.value).startswith(why)
