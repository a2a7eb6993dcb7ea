"""The page of a seat: the public match, and the knowledge and decisions of this seat."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from types import MappingProxyType
from typing import Annotated, Final, NamedTuple

from msgspec import Meta

from companion.games.presenter import presented
from companion.games.race import Race
from companion.games.terms import Decision
from companion.match.match import Match
from companion.message import N_, Sentence, listed
from companion.reply import Colour, Entry, Reply, Seat, Unit
from companion.table.snapshot import Snapshot
from companion.translate import Phrase, Words
from companion.views.course.drawn import CourseView, PieceAt, WayTo
from companion.views.seat.forms import (
    MOST_CHOICES,
    CardForm,
    DecisionForm,
    FormHead,
    NumbersForm,
    SetForm,
    decision_forms,
)
from companion.views.seat.meant import Meant, meant
from companion.views.seat.secrets import Known, known
from companion.views.table.luck import BadgeView, Points, SwingView, luck
from companion.views.table.page import Explanation, Heads, MatchView, SeatView, StageView, View
from companion.views.table.page import page as public_page
from companion.views.table.panels import StandingsRow
from companion.views.table.sentence import Said


class Seating(NamedTuple):
    """The seats of a match that a device holds, and the numbers of the devices that ask for one, by seat.

    `screens` is the number of screens that ask to be the table.
    """

    joined: frozenset[int] = frozenset()
    asking: Mapping[int, int] = MappingProxyType({})
    screens: int = 0


class Covered(Reply):
    """The part that is shown only while a player holds it open."""

    ways: list[DecisionForm]
    known: list[Known]


class OwnMoment(Reply):
    """The moment that moved this seat's chance most, in points: what was done, and the chance around it."""

    stage: str
    parts: list[Phrase]
    before: Points
    after: Points


class OwnFinish(Reply):
    """The end of the game for this seat: its place `of` so many, its badge and its moment.

    `headline` of the evening, `badge` and `moment` are null until the game has been analysed.
    """

    place: Annotated[int, Meta(ge=1)] | None
    of: Annotated[int, Meta(ge=1)]
    headline: list[Phrase] | None
    badge: BadgeView | None
    moment: OwnMoment | None


class OwnSeat(Reply):
    """The prompt of a seat, its open decisions, and its knowledge and decisions under cover.

    `until`: the number of turns before its own, if the game can say; `meant`: the meaning for it of something
    that is over; `finish`: the end of the game for it, once there is one; `known`: formerly secret facts that
    are public now; `sealed`: it has decided, in secret.
    """

    seat: Seat
    name: str
    piece: Colour | None
    turn: bool
    say: list[Phrase] | None
    until: list[Phrase] | None
    prompt: list[Phrase] | None
    meant: Meant | None
    finish: OwnFinish | None
    open: list[DecisionForm]
    known: list[Known]
    covered: Covered | None
    sealed: bool


class SeatPage(Reply):
    """The content of a seat's page; without a seat, the data to choose one."""

    seq: Entry
    mock: bool
    match: MatchView | None
    say: Said
    round: StageView | None
    standings: list[StandingsRow]
    heads: Heads | None
    explain: Explanation | None
    unit: Unit | None
    course: CourseView | None
    pieces: list[PieceAt]
    food: list[int]
    moves: list[WayTo]
    seats: list[SeatView]
    own: OwnSeat | None


def seats(match: Match | None, seating: Seating) -> list[SeatView]:
    """Return each seat: its name, if a device holds it or asks for it, and if it owes something secret."""
    if match is None:
        return []
    race = match.race.seen_by(None)
    due = race.awaits()
    owing = due.seats if due and match.hides(due.do) else ()
    return [
        SeatView(
            seat=seat,
            name=name,
            joined=seat in seating.joined,
            asks=seating.asking.get(seat),
            owes=seat in owing and not match.bots[seat],
            bot=bool(match.bots[seat]),
        )
        for seat, name in enumerate(race.seats)
    ]


def public(picture: Snapshot, words: Words, address: str | None, seating: Seating) -> View:
    """Return the content of a public page: the event `page`, also embedded in the page itself.

    `address` is the URL for other devices; "": the one by which the page itself was reached.
    """
    match = picture.match
    join = _join(address) if address is not None else None
    hidden = match is not None and any(match.hides(do) for do in match.race.forms)
    seated = {
        "seats": seats(match, seating),
        "seat_join": words(_SCAN) if hidden else None,
        "screens": seating.screens,
    }
    return public_page(picture, words, join, **seated)


def _join(address: str) -> dict[str, str]:
    """Return the URL to watch at and its QR code: `qr` changes with the URL, so that pages reload it."""
    url = f"{address}/watch" if address else "watch"
    return {"url": url, "qr": f"qr.svg?at={address.partition('//')[2]}"}


def page(picture: Snapshot, words: Words, seat: int | None, seating: Seating) -> SeatPage:
    """Return the content of a seat's page."""
    public, match = public_page(picture, words), picture.match
    own = _own(picture, match, seat, words) if match and seat is not None else None
    return SeatPage(
        seq=public.seq,
        mock=public.mock,
        match=public.match,
        say=public.say,
        round=public.round,
        standings=public.standings,
        heads=public.heads,
        explain=public.explain,
        unit=public.unit,
        course=public.course,
        pieces=public.pieces,
        food=public.food,
        moves=public.moves,
        seats=seats(match, seating),
        own=own,
    )


def _own(picture: Snapshot, match: Match, seat: int, words: Words) -> OwnSeat:
    race, public_race = match.race.seen_by(seat), match.race.seen_by(None)
    due = race.awaits()
    turn, prompt = due is not None and seat in due.seats, presented(race).prompt()
    offered = list(decision_forms(race, seat, words, picture.switches.landings))
    shown = {_SHOWN_BY.get(type(way)) for way in offered}
    facts = [fact for fact in known(race, seat, words) if fact.key not in shown] if due else []
    public_facts = [fact for fact in facts if _is_public(fact, public_race, seat)]
    facts = [fact for fact in facts if fact not in public_facts]
    sealed = {decision.do for decision in _examples(race, seat) if race.sealed(decision) is not None}
    covered = [way for way in offered if way.do in sealed or match.hides(way.do)]
    addressed = presented(race).addressed(seat) if turn else None
    return OwnSeat(
        seat=seat,
        name=race.seats[seat],
        piece=race.own_piece(seat),
        turn=turn,
        say=words.parts(_call(race, seat, addressed), race) if due and due.seats else None,
        until=_until(race, seat, words),
        prompt=words.parts(prompt, race) if turn and prompt and addressed is None else None,
        meant=None if picture.ending else meant(match, seat, words),
        finish=_finish(picture, match, seat, words),
        open=[way for way in offered if way not in covered],
        known=public_facts,
        covered=Covered(ways=covered, known=facts) if covered or facts else None,
        sealed=not turn and any(fact.key in ("choice", "bets") for fact in facts),
    )


def _finish(picture: Snapshot, match: Match, seat: int, words: Words) -> OwnFinish | None:
    """Return the end of the game for a seat, once every piece has been moved to its end."""
    if not match.finished or picture.ending:
        return None
    race = match.race.seen_by(None)
    of_all = luck(picture, race, words)
    badges = of_all.badges[seat] if of_all and of_all.badges else []
    return OwnFinish(
        place=next((row.place for row in race.standings() if row.seat == seat), None),
        of=len(race.seats),
        headline=of_all.headline if of_all else None,
        badge=badges[0] if badges else None,
        moment=_moment(of_all.swings, seat) if of_all else None,
    )


def _moment(swings: Sequence[SwingView], seat: int) -> OwnMoment | None:
    """Return the moment that moved this seat's chance most; None if none moved it by _MOVED."""
    by = {abs(swing.after[seat] - swing.before[seat]): swing for swing in reversed(swings)}
    most = max(by, default=0)
    if most < _MOVED:
        return None
    swing = by[most]
    return OwnMoment(stage=swing.stage, parts=swing.parts, before=swing.before[seat], after=swing.after[seat])


_MOVED: Final = 5  # points: less is no moment to speak of
_SHOWN_BY: Mapping[type[FormHead], str] = {CardForm: "hand", NumbersForm: "hand", SetForm: "sets"}
"""The fact that a form shows already: it is not shown twice."""


def _is_public(fact: Known, public_race: Race, seat: int) -> bool:
    """Return True if this fact is public by now; not of a hand and sets, which players must remember."""
    return fact.key not in ("hand", "sets") and public_race.secrets_of(seat).get(fact.key) is not None


def _until(race: Race, seat: int, words: Words) -> list[Phrase] | None:
    """Return the number of turns before this seat's, and the names of their players."""
    before = presented(race).before(seat)
    if not before:
        return None
    names = ", ".join(race.seats[one] for one in before)
    if len(before) == 1:
        return words.parts(Sentence(_NEXT))
    return words.parts(Sentence(_TURNS_TILL, {"count": len(before), "names": names}))


def _examples(race: Race, seat: int) -> Iterable[Decision]:
    """Return one decision of each kind that this seat may make now."""
    examples: dict[str, Decision] = {}
    for decision in islice(race.decisions(seat), MOST_CHOICES):
        examples.setdefault(decision.do, decision)
    return examples.values()


def _call(race: Race, seat: int, addressed: Sentence | None) -> Sentence:
    """Return a short sentence about whose turn it is, with what is due if the game says that to a seat."""
    due = race.awaits()
    assert due is not None
    if addressed is not None:
        return Sentence(_YOUR_TURN_TO, {"then": addressed})
    if seat in due.seats:
        return Sentence(_YOUR_TURN if len(due.seats) == 1 else _YOU_STILL_CHOOSE)
    if len(due.seats) == 1:
        return Sentence(_WAIT_FOR_ONE, {"seat": due.seats[0]})
    return Sentence(_WAIT_FOR, {"names": listed([race.seats[s] for s in due.seats])})


_SCAN = N_("scan to take your seat")
_YOUR_TURN = N_("your turn")
_YOUR_TURN_TO = N_("your turn: {then}")
_YOU_STILL_CHOOSE = N_("you still choose")
_NEXT = N_("you are next")
_TURNS_TILL = N_("{count} turns till yours: {names}")
_WAIT_FOR_ONE = N_("wait for {seat}")
_WAIT_FOR = N_("wait for {names}")
