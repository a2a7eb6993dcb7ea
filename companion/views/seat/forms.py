"""What a seat may decide now, each kind of decision as a page can offer it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import islice
from typing import Any, Final

from companion.games.presenter import presented
from companion.games.race import Race
from companion.games.terms import Decision, News, Slip
from companion.match.record import decision_line
from companion.reply import Colour, Line, Reply, StartedLine
from companion.translate import Phrase, Words

MOST_LINES: Final = 64  # decisions that are listed one by one
MOST_CHOICES: Final = 1000  # a course has no more spaces


class CardView(Reply):
    """A card: a colour with its name, or a number; or a space."""

    piece: Colour | None
    text: str


class PieceNamed(Reply):
    """A piece and its name."""

    piece: Colour
    text: str


class CardChoice(CardView):
    """A card that may be chosen, and how many of it are in the hand; what it would bring, if that is said."""

    line: Line
    count: int
    brings: list[Phrase] | None


class SetChoice(Reply):
    """A whole set that may be chosen."""

    line: Line
    cards: list[str]


class FormHead(Reply, tag_field="kind"):
    """Something that a seat may decide; what it chooses goes under `key` of `line`. `due`: the game waits."""

    do: str
    title: str
    line: StartedLine
    key: str
    due: bool


class CardForm(FormHead, tag="cards"):
    """Cards, one of which is chosen; on what condition they bring what is said beside them."""

    choices: list[CardChoice]
    note: str | None


class SpaceForm(FormHead, tag="spaces"):
    """Spaces, one of which is chosen."""

    choices: list[CardChoice]


class SetForm(FormHead, tag="sets"):
    """Sets of cards, one of which is chosen."""

    choices: list[SetChoice]


class OrderForm(FormHead, tag="order"):
    """Pieces that are put in order."""

    pieces: list[PieceNamed]


class NumbersForm(FormHead, tag="numbers"):
    """Cards, so many of which are chosen."""

    numbers: list[int]
    needed: int


class BetKind(Reply):
    """A kind of bet: on how many dogs, and when it is won."""

    kind: str
    title: str
    means: str
    dogs: int


class DogToBet(PieceNamed):
    """A dog that may be bet on; `named`: people gave it a name."""

    named: bool
    rank: int


class Pay(Reply):
    """What a bet pays, in words and as a fraction, so that the page counts exactly."""

    kind: str
    dogs: list[Colour]
    odds: str
    ratio: tuple[int, int]


class BetSlip(FormHead, tag="bets"):
    """One bet of each kind at most, stakes in steps, together from `least` to `most`."""

    step: int
    least: int
    most: int
    kinds: list[BetKind]
    dogs: list[DogToBet]
    pays: list[Pay]


DecisionForm = CardForm | SpaceForm | SetForm | OrderForm | NumbersForm | BetSlip


def listed(race: Race, seat: int) -> Sequence[Decision] | None:
    """What a seat may decide now, where that is a list of a size to be shown."""
    choices = race.decisions(seat)
    return choices if isinstance(choices, Sequence) and len(choices) <= MOST_LINES else None


def decision_forms(race: Race, seat: int, words: Words, foretell: bool = False) -> Iterable[DecisionForm]:
    """The kinds of decision that this seat may make now; `foretell`: with what each would bring."""
    choices = race.decisions(seat)
    first = next(iter(choices), None)
    if first is None:
        return
    if not isinstance(race.forms[first.do].shape, type):
        if (put_together := _put_together(race, seat, first, words)) is not None:
            yield put_together
        return
    by_kind: dict[str, list[Decision]] = {}
    for decision in islice(choices, MOST_CHOICES):
        by_kind.setdefault(decision.do, []).append(decision)
    for do, decisions in by_kind.items():
        yield _cards(race, seat, do, decisions, words, foretell)


def _head(race: Race, seat: int, do: str, words: Words) -> dict[str, Any]:
    """The fields of a `FormHead`."""
    form, due = race.forms[do], race.awaits()
    line = {"do": do, "seat": seat} if form.seat else {"do": do}
    title = words.text(presented(race).sentence(News(do)), race)
    return {"do": do, "title": title, "line": line, "key": form.key, "due": due is not None and due.do == do}


def _cards(
    race: Race, seat: int, do: str, decisions: Sequence[Decision], words: Words, foretell: bool
) -> DecisionForm:
    hand, says = list(race.secrets_of(seat).get("hand") or ()), presented(race)
    spaces = race.forms[do].key == "space"
    choices = []
    for decision in decisions:
        shown = _space(decision.what, race, words) if spaces else card(decision.what, race, words)
        brings = says.foretold(decision) if foretell else None
        choice = CardChoice(
            piece=shown.piece,
            text=shown.text,
            line=decision_line(race, decision),
            count=hand.count(decision.what),
            brings=words.parts(brings, race) if brings else None,
        )
        choices.append(choice)
    head = _head(race, seat, do, words)
    if spaces:
        return SpaceForm(**head, choices=choices)
    told = any(choice.brings for choice in choices)
    return CardForm(**head, choices=choices, note=words(says.foretells) if told else None)


def _space(space: int, race: Race, words: Words) -> CardView:
    return CardView(piece=None, text=words.space(space, race))


def card(what: object, race: Race, words: Words) -> CardView:
    """A card: a colour with its name, or a number."""
    return CardView(
        piece=what if isinstance(what, str) and what in race.pieces else None, text=words(str(what))
    )


def _put_together(race: Race, seat: int, first: Decision, words: Words) -> DecisionForm | None:
    """What is no single card: whole sets, pieces in order, several numbers, or a bet slip."""
    form, whole = race.forms[first.do], listed(race, seat)
    head = _head(race, seat, first.do, words)
    if form.shape == [str]:
        pieces = sorted(first.what, key=list(race.pieces).index)
        return OrderForm(**head, pieces=[PieceNamed(piece=p, text=words.piece(p, race)) for p in pieces])
    if form.shape != [int]:
        return slip(race, first.do, seat, words)
    if whole is not None:
        lines = [(decision_line(race, d), [str(card) for card in sorted(d.what)]) for d in whole]
        return SetForm(**head, choices=[SetChoice(line=line, cards=cards) for line, cards in lines])
    hand = race.secrets_of(seat).get("hand") or ()
    numbers = hand if set(first.what) <= set(hand) else range(1, race.numbers + 1)
    return NumbersForm(**head, numbers=list(numbers), needed=len(first.what))


def slip(race: Race, do: str, seat: int, words: Words) -> BetSlip | None:
    """The bet slip of a seat that owes one, as its page draws it."""
    owed = presented(race).slip(seat)
    return _slip(race, seat, do, owed, words) if owed else None


def _slip(race: Race, seat: int, do: str, slip: Slip, words: Words) -> BetSlip:
    kinds = {kind: max(len(bet.pieces) for bet in slip.pays if bet.kind == kind) for kind, *_ in slip.pays}
    dogs = dict.fromkeys(piece for bet in slip.pays for piece in bet.pieces)
    said = partial(word, race, words=words)
    return BetSlip(
        **_head(race, seat, do, words),
        step=slip.step,
        least=slip.least,
        most=slip.most,
        kinds=[
            BetKind(kind=kind, title=said(kind), means=said(f"{kind}-means"), dogs=n)
            for kind, n in kinds.items()
        ],
        dogs=[
            DogToBet(piece=dog, text=words.piece(dog, race), named=dog in race.nicknames, rank=rank)
            for rank, dog in enumerate(dogs, 1)
        ],
        pays=[
            Pay(
                kind=bet.kind,
                dogs=list(bet.pieces),
                odds=words.number(bet.odds),
                ratio=bet.odds.as_integer_ratio(),
            )
            for bet in slip.pays
        ],
    )


def word(race: Race, key: str, words: Words) -> str:
    """A word of the game, such as a kind of bet; "" where it has none."""
    return words.text(presented(race).sentence(News(key)), race) if key in presented(race).words else ""
