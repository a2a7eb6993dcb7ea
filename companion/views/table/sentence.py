"""The one big sentence: a problem, else the pieces to move, else the decision that is due."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from msgspec.structs import replace

from companion.games.presenter import presented
from companion.games.race import Race
from companion.games.terms import Decision, News
from companion.match.match import Match
from companion.message import N_, Sentence, listed
from companion.referee.reports import Gathered, Todo
from companion.reply import Colour, Reply, Seat, one_of
from companion.table.snapshot import Snapshot, last_turn
from companion.translate import Mark, Phrase, Words


class Rebus(Reply, rename="camel"):
    """The sentence as a drawing: the player, or `seats` if several are due, the animal, the destination."""

    seat: Seat | None
    seats: list[Seat] = []
    piece: Colour | None = None
    arrow: bool = False
    to: int | None = None
    to_text: str = ""


class Said(Reply):
    """The sentence, and its sequel in small letters."""

    tone: Annotated[str, one_of("idle", "now", "wrong", "end")]
    parts: list[Phrase]
    then: list[Phrase]
    picture: Rebus | None


def nothing(words: Words, picture: Snapshot | None = None) -> Said:
    """Return the sentence if there is no match on the table."""
    if picture is not None and picture.alerts and picture.alerts[0].kind == "journal":
        return _sentence_view(words, picture.alerts[0].text, None, "wrong")
    return _sentence_view(words, Sentence(_NO_GAME), None, "idle")


def say(picture: Snapshot, match: Match, race: Race, words: Words) -> Said:
    """Return the sentence on the match on the table."""
    awaited = race.awaits()
    seat = awaited.seats[0] if awaited and len(awaited.seats) == 1 else None
    if picture.alerts and picture.alerts[0].kind != "held":
        return _sentence_view(words, picture.alerts[0].text, race, "wrong", Rebus(seat=seat))
    if picture.early is not None:
        return _early(picture.early, race, words)
    if awaited is None:
        return _ending(picture, match, race, words) if picture.ending else _over(picture, race, words)
    prompt = _prompt(match, race)
    finish = presented(race).finish()
    if finish is not None and not _wrong(picture):
        return _finished(finish, prompt, picture, race, words)
    dealing = presented(race).dealing() if match.deal == "people" else None
    if picture.todo and not all(_to_set_up(task, race) for task in picture.todo):
        after = _after_task(picture, dealing, prompt, race, words)
        return replace(_task(picture, match, race, words), then=after)
    if picture.offer is not None:
        return _offer(picture.offer.decision, race, words)
    assert prompt is not None
    rebus = Rebus(seat=seat, seats=list(awaited.seats) if seat is None else [])
    view = _sentence_view(words, prompt, race, "now", rebus, _meanwhile(picture, dealing, match))
    if dealing is None or not picture.todo or picture.gathered:
        return view
    return replace(view, then=[*view.then, " ", *capital(words.parts(dealing, race))])


def _over(picture: Snapshot, race: Race, words: Words) -> Said:
    after = presented(race).epilogue() or (picture.todo[0].text if picture.todo else None)
    return _sentence_view(words, victory(race), race, "end", Rebus(seat=race.standings()[0].seat), after)


def _ending(picture: Snapshot, match: Match, race: Race, words: Words) -> Said:
    """Return the task to move the game's last pieces, before its winner is announced."""
    task = _task(picture, match, race, words)
    return task if picture.alerts else replace(task, then=capital(words.parts(Sentence(_WHO_WINS), race)))


def _finished(finish: Sentence, prompt: Sentence | None, picture: Snapshot, race: Race, words: Words) -> Said:
    """Return the winner of a race, followed by the pieces to move, or the decision that is due."""
    after = picture.todo[0].text if picture.todo else prompt
    rebus = Rebus(seat=None, piece=presented(race).finishers()[0])
    return _sentence_view(words, finish, race, "end", rebus, Sentence(_THEN, {"then": after}))


def of_the_race(race: Race, words: Words) -> Said | None:
    """Return the winner of the last of several races, for pages that reveal the game's winner later."""
    finish = presented(race).finish()
    if finish is None or race.awaits() is not None:
        return None
    return _sentence_view(words, finish, race, "end", Rebus(seat=None, piece=presented(race).finishers()[0]))


def _after_task(
    picture: Snapshot, dealing: Sentence | None, prompt: Sentence | None, race: Race, words: Words
) -> list[Phrase]:
    if picture.alerts:
        return capital(words.parts(picture.alerts[0].text, race))
    next_move = next((task.text for task in picture.todo[1:] if task.start is not None), None)
    then = words.parts(Sentence(_THEN, {"then": next_move or dealing or prompt}), race)
    if next_move or dealing is None or prompt is None:
        return then
    return [*then, ". ", *capital(words.parts(prompt, race))]


def _meanwhile(picture: Snapshot, dealing: Sentence | None, match: Match) -> Sentence | None:
    """Return the sequel: the progress of a set that is shown, a piece to be set up before, the deal, or where
    a decision is made in secret.
    """
    if picture.gathered:
        return _count_of(picture.gathered[-1])
    if picture.todo:
        return Sentence(_BEFORE, {"then": picture.todo[0].text})
    return Sentence(_FIRST, {"then": dealing}) if dealing else _where(match)


def _where(match: Match) -> Sentence | None:
    """Return where players decide out of the others' sight; None if they do not."""
    due = match.race.awaits()
    if due is None or all(match.bots[seat] for seat in due.seats):
        return None
    if match.hides(due.do):
        return Sentence(_ON_PHONES)
    return Sentence(_TURN_OVER) if due.do == "play" and len(due.seats) > 1 else None


def _sentence_view(
    words: Words,
    sentence: Sentence,
    race: Race | None,
    tone: str,
    picture: Rebus | None = None,
    then: Sentence | None = None,
) -> Said:
    after = [] if then is None else capital(words.parts(then, race))
    return Said(tone=tone, parts=capital(words.parts(sentence, race)), then=after, picture=picture)


def capital(parts: Sequence[Phrase]) -> list[Phrase]:
    """Return the phrases of a sentence with a capital letter at its beginning."""
    if not parts:
        return []
    first, *rest = parts
    if isinstance(first, str):
        return [first[:1].upper() + first[1:], *rest]
    return [replace(first, text=first.text[:1].upper() + first.text[1:]), *rest]


def _prompt(match: Match, race: Race) -> Sentence | None:
    """Return the prompt for the decision that is due; for a robot's seat, that it is thinking."""
    due = race.awaits()
    if due is not None and due.seats and all(match.bots[seat] for seat in due.seats):
        return Sentence(_BOT_THINKS, {"seat": due.seats[0]})
    return presented(race).prompt()


def _to_set_up(task: Todo, race: Race) -> bool:
    """Return True if a piece goes to its start and no sensor is there: that needs no sentence."""
    to_start = task.piece in race.unsensed()
    return not task.held and (to_start or (task.start is None and task.to.zone != "track"))


def _count_of(gathered: Gathered) -> Sentence:
    """Return the progress of a set with its numbers: a wrong card is laid again or taken back."""
    numbers = ", ".join(str(number) for number in gathered.numbers.values())
    values = {"seat": gathered.part.seat, "count": len(gathered.numbers), "needed": gathered.part.needed}
    return Sentence(_GATHERED, {**values, "numbers": numbers})


def _offer(decision: Decision, race: Race, words: Words) -> Said:
    """Return the pieces on the track, in order, and the question if they are meant."""
    asked = _sentence_view(
        words, Sentence(_IS_THIS, {"seat": decision.seat}), race, "now", Rebus(seat=decision.seat)
    )
    pieces = [phrase for piece in decision.what for phrase in (" ", Mark(piece=piece, text=words(piece)))]
    return replace(asked, parts=[*asked.parts, *pieces], then=[words(_PRESS_OK)])


def _early(decision: Decision, race: Race, words: Words) -> Said:
    """Return the sentence on a piece that was moved before its card."""
    stood, stands = race.layout(), race.after(decision).layout()
    piece = next(piece for piece in stands if stood.get(piece) != stands[piece])
    at, back = stands[piece], stood[piece]
    values = {
        "piece": piece,
        "space": at.space,
        "card": decision.what,
        "space_back": back.space,
        "seat": decision.seat,
    }
    rebus = _going(decision.seat, piece, at.space or 0, race, words)
    return _sentence_view(words, Sentence(_EARLY, values), race, "wrong", rebus)


def _going(seat: int | None, piece: str, to: int | None, race: Race, words: Words) -> Rebus:
    text = words.space(to, race) if to is not None else ""
    return Rebus(seat=seat, piece=piece, arrow=to is not None, to=to, to_text=text)


def _task(picture: Snapshot, match: Match, race: Race, words: Words) -> Said:
    """Return the first piece to move, misplaced ones first; after a card with the effects of the move."""
    wrong = _wrong(picture)
    if wrong:
        rebus = _going(None, wrong[0].piece, wrong[0].to.space, race, words)
        return _sentence_view(words, wrong[0].text, race, "wrong", rebus)
    task, turn = picture.todo[0], last_turn(match)
    news = turn.race.seen_by(None).news if turn is not None else ()
    mover = next(
        (n.values["seat"] for n in news if n.kind == "moved" and n.values["piece"] == task.piece), None
    )
    rebus = _going(mover, task.piece, task.to.space, race, words)
    if turn is None or mover is None or task.to.space is None:
        return _sentence_view(words, task.text, race, "wrong" if task.astray else "now", rebus)
    values = {"seat": mover, "piece": task.piece, "space": task.to.space, "card": turn.decision.what}
    robot = turn.by == "bot" and turn.decision.seat == mover and race.one_card_at_a_time
    view = _sentence_view(words, Sentence(_BOT_PLAYED if robot else _PLAYED, values), race, "now", rebus)
    if not race.one_card_at_a_time:  # one card moves many pieces, and the panels show the rest
        return view
    rest = (presented(race).sentence(n) for n in news if n.kind not in _SAID_ELSEWHERE)
    more = [phrase for sentence in rest for phrase in (". ", *capital(words.parts(sentence, race)))]
    return replace(view, parts=[*view.parts, *more])


def _wrong(picture: Snapshot) -> list[Todo]:
    """Return the misplaced pieces, to be put right first."""
    return [task for task in picture.todo if task.start != task.to and task.astray]


_SAID_ELSEWHERE = ("moved", "dealt", "round-over", "game-over")


def victory(race: Race) -> Sentence:
    """Return the winner of a game that is over."""
    first = [standing for standing in race.standings() if standing.place == 1]
    if len(first) == len(race.seats) > 2:
        return Sentence(_EVERYONE)
    names = listed([standing.name for standing in first])
    score = first[0].score if first else 0
    kind = "won" if len(first) == 1 else "shared"
    return presented(race).sentence(
        News(kind, {"seat": first[0].seat if first else 0, "names": names, "score": score})
    )


_EVERYONE = N_("everyone shares the victory")
_NO_GAME = N_("who plays tonight?")
_GATHERED = N_("{seat}: {count} of {needed} cards: {numbers}. A wrong one? Lay it again.")
_THEN = N_("then {then}")
_WHO_WINS = N_("then we see who has won")
_BEFORE = N_("before that {then} …")
_FIRST = N_("first: {then}")
_ON_PHONES = N_("on your phone, or hold your name on this screen")
_TURN_OVER = N_("then turn them over together")
_PLAYED = N_("{seat}: move {piece} to {space}")
_BOT_PLAYED = N_("{seat} plays {card}: move {piece} to {space}")
_EARLY = N_("{piece} was moved to {space}: {seat}, lay the {card} card, or put it back on {space_back}")
_IS_THIS = N_("{seat}, is this the line-up?")
_BOT_THINKS = N_("{seat} (robot) is thinking …")
_PRESS_OK = N_("front first; press OK, or move them")
