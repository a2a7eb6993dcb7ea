"""The table as one seat may see it: everything public, and what only this seat knows and may decide."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from decimal import Decimal
from itertools import islice
from typing import Any, Final

from companion.games.presenter import presented
from companion.games.race import Race
from companion.games.terms import HIDDEN, Decision, News, Slip
from companion.match.match import Match
from companion.match.record import awaited, decision_line, standings
from companion.message import N_, Sentence
from companion.table.picture import Picture
from companion.translate import Words
from companion.web.seats import secret
from companion.web.table import view

MOST_LINES: Final = 64  # decisions that are listed one by one
_MOST_CHOICES = 1000  # a course has no more spaces
_SHOWN_BY = {"cards": "hand", "numbers": "hand", "sets": "sets"}  # what is chosen from is not shown twice
_SECRETS = ("hand", "sets", "bets", "choice", "set_aside")


def table(picture: Picture, words: Words, seat: int) -> dict[str, Any]:
    """What `GET /api/seat` and the event `seat` say; a match lies on the table."""
    match = picture.match
    assert match is not None
    race = match.race.seen_by(seat)
    layout = {piece: {"zone": place.zone, "space": place.space} for piece, place in race.layout().items()}
    secrets = {key: race.secrets_of(seat).get(key) for key in _SECRETS}
    return view.table(picture, words) | {
        "next": awaited(race),
        "standings": standings(race),
        "state": race.state(),
        "layout": layout,
        "news": list(_news(match, race, seat, words)),
        "own": {"seat": seat, **secrets, "decisions": _lines(race, seat)},
    }


def _news(match: Match, race: Race, seat: int, words: Words) -> Iterable[dict[str, str]]:
    for news in match.happened(seat):
        yield {"kind": news.kind, "text": words.text(view.said(news, race), race)}


def _listed(race: Race, seat: int) -> Sequence[Decision] | None:
    """What a seat may decide now, where that is a list of a size to be shown."""
    choices = race.decisions(seat)
    return choices if isinstance(choices, Sequence) and len(choices) <= MOST_LINES else None


def _lines(race: Race, seat: int) -> list[dict[str, Any]] | None:
    listed = _listed(race, seat)
    return None if listed is None else [decision_line(race, decision) for decision in listed]


# --- the page ------------------------------------------------------------------------------------


def seats(match: Match | None, joined: Collection[int]) -> list[dict[str, Any]]:
    """Who sits where, whether a device holds the seat, and whether it owes something secret."""
    if match is None:
        return []
    race = match.race.seen_by(None)
    due = race.awaits()
    owing = due.seats if due and secret(match, due.do) else ()
    return [
        {
            "seat": seat,
            "name": name,
            "joined": seat in joined,
            "owes": seat in owing and not match.bots[seat],
            "bot": bool(match.bots[seat]),
        }
        for seat, name in enumerate(race.seats)
    ]


def seating(match: Match | None, words: Words, joined: Collection[int]) -> dict[str, Any]:
    """What the public pages have of the seats: who sits where, and what to say where phones are needed."""
    hidden = match is not None and any(secret(match, do) for do in match.race.forms)
    return {"seats": seats(match, joined), "seatJoin": words(_SCAN) if hidden else None}


def public(picture: Picture, words: Words, address: str | None, joined: Collection[int]) -> dict[str, Any]:
    """Everything that a public page draws: the event `page`, and what comes with the page itself."""
    join = {"url": f"{address}/watch", "qr": "/qr.svg"} if address else None
    return view.page(picture, words, join) | seating(picture.match, words, joined)


def page(picture: Picture, words: Words, seat: int | None, joined: Collection[int]) -> dict[str, Any]:
    """Everything that the page of a seat draws; without a seat, what it takes to choose one."""
    public, match = view.page(picture, words), picture.match
    shown = {
        key: public[key] for key in ("seq", "mock", "match", "say", "round", "standings", "heads", "explain")
    }
    shown |= {"unit": public.get("unit"), "seats": seats(match, joined), "own": None}
    if match is None or seat is None:
        return shown
    return shown | {"own": _own(match, match.race.seen_by(seat), seat, words)}


def _own(match: Match, race: Race, seat: int, words: Words) -> dict[str, Any]:
    """What a seat is to do, what it may decide openly, and what it knows and decides under cover."""
    due = race.awaits()
    turn, prompt = due is not None and seat in due.seats, presented(race).prompt()
    ways = list(_ways(race, seat, words))
    shown = {_SHOWN_BY.get(way["kind"]) for way in ways}
    facts = [fact for fact in known(race, seat, words) if fact["key"] not in shown]
    sealed = {decision.do for decision in _examples(race, seat) if race.sealed(decision) is not None}
    covered = [way for way in ways if way["do"] in sealed or secret(match, way["do"])]
    return {
        "seat": seat,
        "name": race.seats[seat],
        "piece": race.own_piece(seat),
        "turn": turn,
        "say": words.parts(_call(race, seat), race) if due and due.seats else None,
        "prompt": words.parts(prompt, race) if turn and prompt else None,
        "open": [way for way in ways if way not in covered],
        "covered": {"ways": covered, "known": facts} if covered or facts else None,
        "sealed": not turn and any(fact["key"] in ("choice", "bets") for fact in facts),
    }


def _examples(race: Race, seat: int) -> Iterable[Decision]:
    """One decision of each kind that this seat may make now."""
    found: dict[str, Decision] = {}
    for decision in islice(race.decisions(seat), _MOST_CHOICES):
        found.setdefault(decision.do, decision)
    return found.values()


def _call(race: Race, seat: int) -> Sentence:
    """Whose turn it is, in a word."""
    due = race.awaits()
    assert due is not None
    if seat in due.seats:
        return Sentence(_YOUR_TURN)
    if len(due.seats) == 1:
        return Sentence(_WAIT_FOR_ONE, {"seat": due.seats[0]})
    return Sentence(_WAIT_FOR, {"names": ", ".join(race.seats[s] for s in due.seats)})


def _ways(race: Race, seat: int, words: Words) -> Iterable[dict[str, Any]]:
    """The kinds of decision that this seat may make now, each as a page can offer it."""
    choices = race.decisions(seat)
    first = next(iter(choices), None)
    if first is None:
        return
    if isinstance(race.forms[first.do].shape, type):
        listed: dict[str, list[Decision]] = {}
        for decision in islice(choices, _MOST_CHOICES):
            listed.setdefault(decision.do, []).append(decision)
        for do, decisions in listed.items():
            yield _way(race, seat, do, words) | _choices(race, seat, decisions, words)
    else:
        put_together = _put_together(race, seat, first, words)
        if put_together is not None:
            yield _way(race, seat, first.do, words) | put_together


def _way(race: Race, seat: int, do: str, words: Words) -> dict[str, Any]:
    form, due = race.forms[do], race.awaits()
    line = {"do": do, "seat": seat} if form.seat else {"do": do}
    named = words.text(presented(race).said(News(do)), race)
    return {"do": do, "title": named, "line": line, "key": form.key, "due": due is not None and due.do == do}


def _choices(race: Race, seat: int, decisions: Sequence[Decision], words: Words) -> dict[str, Any]:
    """Cards, or spaces, one of which is chosen."""
    hand = list(race.secrets_of(seat).get("hand") or ())
    spaces = race.forms[decisions[0].do].key == "space"
    choices = []
    for decision in decisions:
        shown = _space(decision.what, race, words) if spaces else _card(decision.what, race, words)
        choices.append(shown | {"line": decision_line(race, decision), "count": hand.count(decision.what)})
    return {"kind": "spaces" if spaces else "cards", "choices": choices}


def _space(space: int, race: Race, words: Words) -> dict[str, Any]:
    return {"piece": None, "text": words.space(space, race)}


def _card(card: object, race: Race, words: Words) -> dict[str, Any]:
    """A card: a colour with its name, or a number."""
    return {"piece": card if card in race.pieces else None, "text": words(str(card))}


def _put_together(race: Race, seat: int, first: Decision, words: Words) -> dict[str, Any] | None:
    """What is no single card: whole sets, pieces in order, several numbers, or a bet slip."""
    form, listed = race.forms[first.do], _listed(race, seat)
    if form.shape == [str]:
        pieces = sorted(first.what, key=list(race.pieces).index)
        return {"kind": "order", "pieces": [{"piece": p, "text": words.piece(p, race)} for p in pieces]}
    if form.shape == [int]:
        if listed is not None:
            lines = [(decision_line(race, d), [str(card) for card in sorted(d.what)]) for d in listed]
            return {"kind": "sets", "choices": [{"line": line, "cards": cards} for line, cards in lines]}
        hand = race.secrets_of(seat).get("hand") or ()
        numbers = hand if set(first.what) <= set(hand) else range(1, race.numbers + 1)
        return {"kind": "numbers", "numbers": list(numbers), "needed": len(first.what)}
    slip = presented(race).slip(seat)
    return {"kind": "bets", **_slip(race, slip, words)} if slip else None


def slip(race: Race, do: str, seat: int, words: Words) -> dict[str, Any] | None:
    """The bet slip of a seat that owes one, as its page draws it."""
    owed = presented(race).slip(seat)
    return _way(race, seat, do, words) | {"kind": "bets", **_slip(race, owed, words)} if owed else None


def _slip(race: Race, slip: Slip, words: Words) -> dict[str, Any]:
    """The bet slip: every bet there is with what it pays, as a fraction, so that the page counts exactly."""
    kinds = {kind: max(len(bet.pieces) for bet in slip.pays if bet.kind == kind) for kind, *_ in slip.pays}
    pieces = dict.fromkeys(piece for bet in slip.pays for piece in bet.pieces)
    return {
        "step": slip.step,
        "least": slip.least,
        "most": slip.most,
        "kinds": [
            {
                "kind": kind,
                "title": _word(race, kind, words),
                "means": _word(race, f"{kind}-means", words),
                "dogs": n,
            }
            for kind, n in kinds.items()
        ],
        "dogs": [
            {
                "piece": piece,
                "text": words.piece(piece, race),
                "named": piece in race.nicknames,
                "rank": rank,
            }
            for rank, piece in enumerate(pieces, 1)
        ],
        "pays": [
            {
                "kind": bet.kind,
                "dogs": list(bet.pieces),
                "odds": words.number(bet.odds),
                "ratio": bet.odds.as_integer_ratio(),
            }
            for bet in slip.pays
        ],
    }


def _ratio(odds: Decimal) -> list[str]:
    """A fraction as texts: a page has no exact numbers of any size."""
    return [str(part) for part in odds.as_integer_ratio()]


def _word(race: Race, key: str, words: Words) -> str:
    return words.text(presented(race).said(News(key)), race) if key in presented(race).words else ""


def known(race: Race, seat: int, words: Words) -> Iterable[dict[str, Any]]:
    """What only this seat knows, in the order in which it is shown."""
    own = race.secrets_of(seat)
    for key, title in _TITLES.items():
        value = own.get(key)
        if value is None or value in ([], ()):
            continue
        fact: dict[str, Any] = {"key": key, "title": words(title)}
        if key == "bets":
            yield fact | {"bets": [_bet(bet, race, words) for bet in value]}
        elif key == "sets":
            yield fact | {"sets": [[str(card) for card in cards] for cards in value]}
        else:
            cards = value if key == "hand" else [value]
            yield fact | {"cards": [_card(card, race, words) for card in cards if card != HIDDEN]}


def _bet(bet: Mapping[str, Any], race: Race, words: Words) -> dict[str, Any]:
    dogs = [{"piece": piece, "text": words.piece(piece, race)} for piece in bet["dogs"]]
    return {"title": _word(race, bet["kind"], words), "dogs": dogs, "stake": bet["stake"]}


_SCAN = N_("scan to take your seat")
_YOUR_TURN = N_("your turn")
_WAIT_FOR_ONE = N_("wait for {seat}")
_WAIT_FOR = N_("wait for {names}")
_TITLES = {
    "choice": N_("your choice"),
    "bets": N_("your bets"),
    "set_aside": N_("set aside"),
    "hand": N_("your hand"),
    "sets": N_("your sets"),
}
