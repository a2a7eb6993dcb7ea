"""Mistakes of people in TOML: each is found where it is, and corrected where it is certain what is meant."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.toml_mistakes import corrected, mistakes, shown

CERTAIN = [
    # what is written, at which line and column it is wrong, and how it is meant
    ("name = “pub”", 1, 7, 'name = "pub"'),
    ("name = „pub“", 1, 7, 'name = "pub"'),
    ("name = « pub »", 1, 7, 'name = "pub"'),
    ("name = ‘pub’", 1, 7, 'name = "pub"'),
    ('name = "pub”', 1, 12, 'name = "pub"'),
    ("name = “the dog’s”", 1, 7, 'name = "the dog’s"'),
    ("name = pub", 1, 7, 'name = "pub"'),
    ('name = "pub', 1, 11, 'name = "pub"'),
    ('name = pub"', 1, 7, 'name = "pub"'),
    ("[track]\nport = /dev/ttyACM0 # the Pico", 2, 7, '[track]\nport = "/dev/ttyACM0" # the Pico'),
    ("pad = yes", 1, 6, "pad = true"),
    ("pad = True", 1, 6, "pad = true"),
    ("pad = non", 1, 6, "pad = false"),
    ("pad = ja", 1, 6, "pad = true"),
    ("pad = true,", 1, 10, "pad = true"),
    ("pad = true;  # yes", 1, 10, "pad = true  # yes"),
    ("pad: true", 1, 3, "pad = true"),
    ("pad == true", 1, 4, "pad = true"),
    ("// my table\npad = true", 1, 0, "# my table\npad = true"),
    ("[track\nspaces = 12", 1, 6, "[track]\nspaces = 12"),
    ("track]", 1, 0, "[track]"),
    ("[[hook]", 1, 6, "[[hook]]"),
    ("pad\u00a0=\u00a0true", 1, 3, "pad = true"),
    ("\u200bpad = true", 1, 0, "pad = true"),
    ("spi_bus = \u20131", 1, 10, "spi_bus = -1"),
    ("spi_bus = 01", 1, 10, "spi_bus = 1"),
    ('model = "C:\\voices\\a"', 1, 11, "model = 'C:\\voices\\a'"),
    ("hosts = [race.lan, pi]", 1, 9, 'hosts = ["race.lan", "pi"]'),
    ("hosts = [\n  “race.lan”,\n  pi,\n]", 2, 2, 'hosts = [\n  "race.lan",\n  "pi",\n]'),
    ('hosts = ["pi"', 1, 13, 'hosts = ["pi"]'),
    ("pad = yes,\nname = “pub”\n[mqtt\nhost: b", 1, 9, 'pad = true\nname = "pub"\n[mqtt]\nhost = "b"'),
]


@pytest.mark.parametrize(("text", "line", "column", "meant"), CERTAIN, ids=[row[0] for row in CERTAIN])
def test_a_mistake_is_found_in_its_place_and_corrected(text: str, line: int, column: int, meant: str) -> None:
    first = mistakes(text)[0]
    assert (first.line, first.column) == (line, column)
    assert corrected(text) == meant
    tomllib.loads(meant)


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("name =", 1, "a value is missing"),
        ("pad true", 1, "a line has a key, an equals sign and a value"),
        ("pad = true\npad = false", 2, "this is there twice"),
        ("[track]\n[track]", 2, "this is there twice"),
        ("spaces = 22 pieces", 1, "this is no whole number"),
        ("power = 1,5", 1, "this is no whole number"),
        ("url = http://b/#part", 1, 'write "http://b/#part"'),
        ("pad = true panel = true", 1, "text is between straight quotation marks"),
        ('name = ""pub""', 1, "this cannot be read: Expected newline"),
        ('a = """x', 1, "this cannot be read: Unterminated string"),
        ("x = " + "[" * 5000, 1, "it is nested too deeply|the list ends with a bracket|cannot be read"),
    ],
)
def test_a_mistake_that_could_mean_several_things_is_only_named(text: str, line: int, said: str) -> None:
    first = mistakes(text)[0]
    assert first.line == line
    assert any(words in str(first.sentence) for words in said.split("|"))
    assert corrected(text) is None


def test_a_sign_is_below_the_mistake() -> None:
    """Also in a long line, of which a part is shown, and behind a tab."""
    text = f"hosts = ['{'a' * 100}',\t“b”]"
    words, line, sign = str(shown(text, mistakes(text)[0])).split("\n")
    assert words.startswith("line 1: this quotation mark is from a word processor")
    assert line[sign.index("^")] == "“"
    assert len(line) < 130


@pytest.mark.parametrize("key", ["secret", "password", '"secret"', "  Secret"])
def test_a_secret_is_not_shown(key: str) -> None:
    text = f"{key} = sesame"
    assert "sesame" not in str(shown(text, mistakes(text)[0]))


PIECES = st.sampled_from(
    ["pad", "=", " ", "true", "yes", ",", "“", "”", '"', "'", "[", "]", "\n", "#", "\\", "é", "\u00a0", "01", ":", '"""', "{", "."]
)  # fmt: skip


@given(st.lists(PIECES, max_size=30).map("".join))
def test_what_is_corrected_is_toml_and_what_is_toml_has_no_mistake(text: str) -> None:
    try:
        tomllib.loads(text)
    except ValueError:
        found = mistakes(text)
        assert found
        assert all(1 <= one.line <= text.count("\n") + 1 for one in found)
        assert all(str(shown(text, one)) for one in found)
    else:
        assert mistakes(text) == []
    if (meant := corrected(text)) is not None:
        tomllib.loads(meant)
