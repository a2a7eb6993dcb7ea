"""A record leaves its table signed: any later change is noticed, and where it is."""

from __future__ import annotations

import base64
import stat
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec.structs import replace

from companion.errors import InvalidInput
from companion.match.record import Header, RecordError, replayed
from companion.publishing.results import Results
from companion.publishing.sealed import Luck, Sealed, digest, opened, sealed, table_key
from companion.store.backup import whole
from companion.store.file import now
from companion.store.journal import Journal
from companion.store.restore import JOURNAL, TABLE_KEY, checked, restore
from tests.support.hub.stories import Evening

CASES = Path(__file__).parents[1] / "cases"
OVER = [
    file
    for file in sorted(CASES.glob("*/*.jsonl"))
    if (replay := replayed(file.read_bytes()).answer())["finished"] and replay["error"] is None
]
LUCK = [Luck(50, 100, 20, 30, 0), Luck(50, 0, None, -20, -30)]
KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))


def signed(record: str, key: Ed25519PrivateKey = KEY, luck: list[Luck] | None = LUCK) -> Sealed:
    return sealed(record, key, table="window-2", match=3, entry=99, at="2026-11-27T20:00:00+00:00", luck=luck)


def one() -> Sealed:
    return signed(OVER[0].read_text("utf-8"))


def lines(given: Sealed, changed: Sequence[str]) -> Sealed:
    return replace(given, lines=list(changed))


@pytest.mark.parametrize("file", OVER, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_what_a_table_signs_is_read_and_replayed(file: Path) -> None:
    game = opened(signed(file.read_text("utf-8")))
    assert game.answer() == replayed(file.read_bytes()).answer()


def test_every_line_that_is_changed_is_named() -> None:
    """It is named also where the other line would be just as legal; the first one counts."""
    given = one()
    for number in range(len(given.lines)):
        changed = [*given.lines[:number], given.lines[number] + " ", *given.lines[number + 1 :]]
        with pytest.raises(RecordError, match="is not the one that the table signed") as raised:
            opened(lines(given, changed))
        assert raised.value.line == number + 1


def test_a_line_more_or_less_is_named() -> None:
    given = one()
    with pytest.raises(RecordError, match=f"{len(given.lines)}: this line is missing"):
        opened(lines(given, given.lines[:-1]))
    with pytest.raises(RecordError, match=f"{len(given.lines) + 1}: this line is too many"):
        opened(lines(given, [*given.lines, "{}"]))


@pytest.mark.parametrize(
    "forged",
    [
        {"table": "window-3"},
        {"match": 4},
        {"entry": 100},
        {"at": "2026-11-28T20:00:00+00:00"},
        {"luck": None},
        {"luck": LUCK[::-1]},
        {"digests": [digest("{}")]},
    ],
    ids=str,
)
def test_nothing_that_is_claimed_can_be_changed(forged: dict[str, object]) -> None:
    given = one()
    with pytest.raises(InvalidInput, match="the table has not signed this"):
        opened(replace(given, claim=replace(given.claim, **forged)))


def test_another_tables_key_does_not_fit() -> None:
    other = signed("".join(f"{line}\n" for line in one().lines), Ed25519PrivateKey.generate())
    with pytest.raises(InvalidInput, match="the table has not signed this"):
        opened(replace(one(), key=other.key))
    for wrong in ("", "no key", "AAAA", "ä"):
        with pytest.raises(InvalidInput, match="take the file again"):
            opened(replace(one(), key=wrong))
        with pytest.raises(InvalidInput):
            opened(replace(one(), signature=wrong))


def test_what_a_table_signs_is_judged_by_the_rules_all_the_same() -> None:
    text = OVER[0].read_text("utf-8").splitlines(keepends=True)
    with pytest.raises(InvalidInput, match="is not over"):
        opened(signed("".join(text[:-1])))
    with pytest.raises(RecordError, match=f"^{len(text) - 1}: "):
        opened(signed("".join([*text[:-2], text[-1], text[-2]])))


def test_a_table_has_one_key_that_only_it_can_read(tmp_path: Path) -> None:
    key = table_key(tmp_path)
    assert table_key(tmp_path).private_bytes_raw() == key.private_bytes_raw()
    assert stat.S_IMODE((tmp_path / TABLE_KEY).stat().st_mode) == 0o600
    assert [file.name for file in tmp_path.iterdir()] == [TABLE_KEY]
    (tmp_path / TABLE_KEY).write_bytes(b"half")
    with pytest.raises(InvalidInput, match="table-key is no key of a table: take it away"):
        table_key(tmp_path)


def test_every_game_of_a_table_that_was_offline(tmp_path: Path) -> None:
    """They are the finished games, as they would have been published: a hub takes each as the same."""
    evening = Evening(tmp_path / "table", "garden", 3)
    for game in ("galloping-pigs", "giro-galoppo"):
        evening.play(game, ("Ada", "Ben"))
    evening.undo()
    evening.go_on()
    published = [
        msgspec.json.decode(one.payload, type=Sealed) for one in evening.messages() if one.what == "records"
    ]
    evening.table.begin(Header("galloping-horse", ("Ada", "Ben")), "companion")
    written = [*Results(evening.journal, "garden", tmp_path / "table").every()]
    evening.close()
    assert written == [published[0], published[-1]]


def test_the_key_is_in_no_copy(tmp_path: Path) -> None:
    """A copy that is put back is another table to who has heard it: numbers of games may come again."""
    data = tmp_path / "table"
    evening = Evening(data, "garden", 3)
    evening.play("galloping-pigs", ("Ada", "Ben"))
    [*_] = evening.messages()
    evening.close()
    secret = (data / TABLE_KEY).read_bytes()
    copy = tmp_path / "copy"
    copy.write_bytes(whole(Journal.copy_of(data / JOURNAL), None))
    assert secret not in copy.read_bytes()
    assert base64.b64encode(secret) not in copy.read_bytes()
    restore(checked(copy), data, now())
    assert not (data / TABLE_KEY).exists()
