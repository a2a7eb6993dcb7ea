"""Sentences for people, before they are translated."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

QUANTITIES: Final = ("count", "gain", "loss", "score")
"""The values that choose between the two forms of a message: the first of them that it has."""


def N_(text: str) -> str:  # noqa: N802  gettext's own name for "a message, translated later"
    """Mark `text` as a message of the catalogue; return it unchanged."""
    return text


def NN_(one: str, many: str) -> tuple[str, str]:  # noqa: N802
    """Mark a message that a quantity chooses the form of; return both forms unchanged."""
    return one, many


def quantity(values: Mapping[str, Any]) -> int:
    """Return the value that chooses the form of a message.

    >>> quantity({"seat": 1, "loss": 3})
    3
    """
    return next(int(values[name]) for name in QUANTITIES if name in values)


class Sentence(NamedTuple):
    """An English template, its message id in the catalogue, and the values that fill it.

    The *name* of a value gives its type, so that the edge can word it, colour it or draw it: `seat…` a seat's
    number (its name is said), `piece…` a colour ("the red pig"), `card…` a card, `space…` a space of the
    track (0 on a loop is "start"), `kind…` a word of the catalogue, `money…` dollars, `news…`/`then…` another
    Sentence; any other value is inserted unchanged, a Decimal in the language's number format. With `plural`
    its quantity, such as `count`, chooses between the two templates.

    >>> str(Sentence("move {piece} to {space}", {"piece": "red", "space": 9}))
    'move red to 9'
    >>> str(Sentence("{count} card", {"count": 2}, "{count} cards"))
    '2 cards'
    """

    text: str
    values: Mapping[str, Any] = {}
    plural: str | None = None

    def __str__(self) -> str:
        one = self.plural is None or quantity(self.values) == 1
        return (self.text if one else str(self.plural)).format_map(
            {k: str(v) for k, v in self.values.items()}
        )


def listed(names: Sequence[str]) -> Sentence | str:
    """Return names as people say them one after the other.

    >>> str(listed(["Ada", "Ben", "Cleo"])), str(listed(["Ada"]))
    ('Ada, Ben and Cleo', 'Ada')
    """
    if len(names) < 2:
        return "".join(names)
    return Sentence(_AND, {"names": ", ".join(names[:-1]), "name_last": names[-1]})


def written_down(sentence: Sentence) -> dict[str, Any]:
    """Return a sentence as JSON data, not translated yet.

    >>> written_down(Sentence("{news_a}!", {"news_a": Sentence("to {space}", {"space": 9})}))
    {'text': '{news_a}!', 'values': {'news_a': {'text': 'to {space}', 'values': {'space': 9}}}}
    """
    values = {k: written_down(v) if isinstance(v, Sentence) else v for k, v in sentence.values.items()}
    plural = {} if sentence.plural is None else {"plural": sentence.plural}
    return {"text": sentence.text, "values": values} | plural


def read_again(line: Mapping[str, Any]) -> Sentence:
    """Return the sentence from its JSON data.

    >>> read_again(written_down(Sentence("{count} card", {"count": 2}, "{count} cards")))
    Sentence(text='{count} card', values={'count': 2}, plural='{count} cards')
    """
    values = {k: read_again(v) if isinstance(v, Mapping) else v for k, v in line["values"].items()}
    return Sentence(line["text"], values, line.get("plural"))


def ranges(numbers: Iterable[int]) -> str:
    """Return numbers in ascending order as people write them: three and more in a row from the first to the
    last.

    >>> ranges([3, 5, 6, 9, 10, 11]), ranges([])
    ('3, 5, 6, 9–11', '')
    """
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]}–{run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in runs)


_AND: Final = N_("{names} and {name_last}")
