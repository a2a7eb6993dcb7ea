"""The buttons at the table: take back, confirm, trust a side, tap a decision."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from companion.games.presenter import presented
from companion.games.race import Race
from companion.games.terms import Decision
from companion.match.change import turn_sentence
from companion.match.match import Match
from companion.match.record import decision_line
from companion.match.turn import Turn
from companion.message import N_, Sentence
from companion.referee.reports import Fix
from companion.reply import Colour, Line, Reply, Seat, StartedLine, one_of
from companion.table.snapshot import Snapshot
from companion.translate import Words


class Press(Reply):
    """A button and its label."""

    text: str


class ConfirmPress(Press):
    """The button for the line-up that the pieces on the track offer; it is sent back with it."""

    order: list[Colour]


class FixView(Reply):
    """A way to agree: the side that is trusted; `wrong`: about a misplaced piece, or all the table.

    `piece` is "" where several pieces are left where they are at once.
    """

    side: Annotated[str, one_of("app", "table")]
    piece: Colour | Literal[""]
    text: str
    wrong: bool


class TapChoice(Reply):
    """A decision to choose: a space, or a card (`piece`: of that colour)."""

    space: int | UnsetType = UNSET
    piece: Colour | UnsetType | None = UNSET
    label: str
    line: Line


class Tap(Reply):
    """A decision that is tapped: `choices`, pieces in order, or `needed` cards, put under `key` of `line`."""

    do: str
    seat: Seat
    name: str
    key: str
    line: StartedLine
    pieces: list[Colour] | UnsetType = UNSET
    labels: list[str] | UnsetType = UNSET
    choices: list[TapChoice] | UnsetType = UNSET
    needed: int | UnsetType = UNSET


class Actions(Reply):
    """The buttons that are there now; `tap` is there only if exactly one seat taps, `taps` are all."""

    undo: Press | None = None
    redo: Press | None = None
    confirm: ConfirmPress | None = None
    trust: list[FixView] = []
    tap: Tap | None = None
    taps: list[Tap] = []


def actions(picture: Snapshot, match: Match, race: Race, words: Words) -> Actions:
    """Return the buttons of this moment."""
    taps = [] if match.private() else _taps(match, race, words)
    offer = picture.offer
    return Actions(
        undo=undo(picture, match, words),
        redo=_redo(match, words),
        confirm=ConfirmPress(text=words(_CONFIRM), order=list(offer.decision.what)) if offer else None,
        trust=_trust(picture, race, words),
        tap=taps[0] if len(taps) == 1 else None,
        taps=taps,
    )


def undo(picture: Snapshot, match: Match, words: Words) -> Press | None:
    """Return the button for an undo; the last card of a set that is being shown goes first."""
    if picture.gathered:
        number = list(picture.gathered[-1].numbers.values())[-1]
        return Press(text=words.text(Sentence(_TAKE_CARD_BACK, {"card": number})))
    if match.takes_change_back():
        was = match.changes[-1].was
        index = match.place_of(was.seq)
        return _about(_TAKE_CHANGE_BACK, was if index is None else match.turns[index], words)
    group = match.last_group()
    return _about(_TAKE_BACK, group[0], words) if group else None


def _redo(match: Match, words: Words) -> Press | None:
    if not match.undone:
        return None
    again = match.undone[-1]
    if len(again.changes) > len(match.changes):
        return _about(_CHANGE_AGAIN, again.changes[-1].was, words)
    return _about(_PUT_AGAIN, again.turns[len(match.turns)], words)


def _about(text: str, turn: Turn, words: Words) -> Press:
    """Return a button to take back or put back a decision, in public words."""
    bet = turn.decision.do == "bet" and turn.decision.seat is not None
    then = Sentence(_BET, {"seat": turn.decision.seat}) if bet else turn_sentence(turn, turn.secret)
    return Press(text=words.text(Sentence(text, {"then": then}), turn.race))


def _trust(picture: Snapshot, race: Race, words: Words) -> list[FixView]:
    """Return the ways to agree, once a piece is misplaced; `wrong`: about that piece, or all the table.

    The others are about pieces that were only not moved yet: they are for those who look for them.
    """
    astray = {task.piece for task in picture.todo if task.astray}
    ignored = [fix for fix in picture.fixes if fix.side == "app" and fix.piece in astray]
    if not astray:
        return []
    if len(ignored) < 2:
        return [_fix(fix, astray, race, words) for fix in picture.fixes]
    text = words.text(Sentence(_TRUST_APP_ALL, {"count": len(ignored)}))
    all_of_them = FixView(side="app", piece="", text=text, wrong=True)
    return [all_of_them, *(_fix(fix, astray, race, words) for fix in picture.fixes if fix not in ignored)]


def _fix(fix: Fix, astray: set[str], race: Race, words: Words) -> FixView:
    if fix.change == "ignore":
        sentence = Sentence(_TRUST_APP, {"piece": fix.piece})
    elif fix.change == "undo":
        sentence = Sentence(_TRUST_UNDO)
    else:
        assert isinstance(fix.change, Decision)
        sentence = Sentence(_TRUST_CARD, {"seat": fix.change.seat, "card": fix.change.what})
    wrong = fix.side == "table" or fix.piece in astray
    return FixView(side=fix.side, piece=fix.piece, text=words.text(sentence, race), wrong=wrong)


def _taps(match: Match, race: Race, words: Words) -> list[Tap]:
    """Return a tap for each seat that is due and that a person plays."""
    due = race.awaits()
    people = [seat for seat in due.seats if not match.bots[seat]] if due else []
    return [tap(race, due.do, seat, words) for seat in people] if due else []


def tap(race: Race, do: str, seat: int, words: Words) -> Tap:
    """Return a seat's decision: choices if they can be listed, else the parts to put under `key`."""
    form = race.forms[do]
    line = {"do": do, "seat": seat} if form.seat else {"do": do}
    whose = Tap(do=do, seat=seat, name=race.seats[seat], key=form.key, line=line)
    if form.key == "order":
        pieces = list(race.pieces if race.owned else race.field())
        return replace(whose, pieces=pieces, labels=[words.piece(piece, race) for piece in pieces])
    if form.shape is int or form.shape is str:
        offered = presented(race).offered(seat)
        # what may be done as well, such as setting a card aside, is secret: it is not tapped in front of all
        choices = [_pick(race, decision, words) for decision in offered if decision.do == do]
        return replace(whose, choices=choices)
    return replace(whose, needed=presented(race).needed(do, seat))


def _pick(race: Race, decision: Decision, words: Words) -> TapChoice:
    line, form = decision_line(race, decision), race.forms[decision.do]
    if form.key == "space":
        return TapChoice(space=decision.what, label=words.space(decision.what, race), line=line)
    piece = decision.what if decision.what in race.pieces else None
    return TapChoice(piece=piece, label=words(str(decision.what)), line=line)


_TAKE_CARD_BACK = N_("undo the card {card}")
_TAKE_BACK = N_("undo: {then}")
_PUT_AGAIN = N_("redo: {then}")
_TAKE_CHANGE_BACK = N_("undo the change: {then}")
_CHANGE_AGAIN = N_("redo the change: {then}")
_BET = N_("{seat}'s bet")
_CONFIRM = N_("OK, this line-up")
_TRUST_APP = N_("ignore {piece} until it moves")
_TRUST_APP_ALL = N_("leave all {count} where they are")
_TRUST_UNDO = N_("the table is right: take the last decision back")
_TRUST_CARD = N_("the table is right: {seat} played {card}")
