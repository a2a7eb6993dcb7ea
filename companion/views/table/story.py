"""What happened last: the story and its comment, a reward, the end of a round, a race that was run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Final

from msgspec import Meta

from companion.games.presenter import presented
from companion.games.race import Race
from companion.match.match import Match
from companion.match.turn import Turn
from companion.message import N_, Sentence, listed
from companion.reply import Colour, Reply, Seat, one_of
from companion.table.snapshot import Snapshot, last_turn
from companion.table.speaker import comment_on, in_words
from companion.translate import Phrase, Words
from companion.views.table.sentence import Said, capital, of_the_race

LINES: Final = 8
_NEWS = 6  # at most in one line; the panels show all news of a round or a settlement


class StoryLine(Reply):
    """The effect of a decision, in a line; `gain` is the seat's gain, negative for a loss."""

    key: str
    seat: Seat | None
    piece: Colour | None
    parts: list[Phrase]
    gain: int


class Reward(Reply):
    """The reward of a last card that was just played, or its cost; `lead`: who leads now, and by how much."""

    key: str
    seat: Seat
    name: str
    kind: Annotated[str, one_of("kept", "lost")]
    count: int
    parts: list[Phrase]
    lead: list[Phrase]


class Won(Reply):
    """A seat's gain in a round, and its score so far."""

    seat: Seat
    name: str
    won: int
    score: int


class RoundEnd(Reply):
    """A round that was just finished."""

    key: str
    title: str
    rows: list[Won]


class CommentView(Reply):
    """One sentence on the race; `key`, the number of the entry, rises: each is spoken once."""

    key: str
    text: str


class Finisher(Reply):
    """A piece that came home, and its owner, if any."""

    piece: Colour
    seat: Seat | None


class Finale(Reply):
    """A race that was just run; `start`: the space its winner ran from; `last`: no other race follows.

    `say`: the winner of the last race of several, for a page that opens it before it names the game's winner.
    """

    key: str
    order: Annotated[list[Finisher], Meta(min_length=1)]
    start: int | None
    last: bool
    say: Said | None = None


def reward(match: Match, race: Race, words: Words) -> Reward | None:
    """Return the reward of the last card that was just played."""
    turn = last_turn(match)
    if turn is None:
        return None
    for news in turn.race.seen_by(None).news:
        if news.kind in ("kept", "lost"):
            seat = news.values["seat"]
            return Reward(
                key=str(turn.seq),
                seat=seat,
                name=race.seats[seat],
                kind=news.kind,
                count=news.values.get("count", news.values.get("loss")),
                parts=capital(words.parts(presented(race).sentence(news), race)),
                lead=_lead(turn.race, words),
            )
    return None


def _lead(race: Race, words: Words) -> list[Phrase]:
    """Return who leads, and by how much; nothing while all have the same, or once the game is over."""
    scores = race.scores()
    most, *others = sorted(scores, reverse=True)
    if race.awaits() is None or most == min(scores):
        return []
    if most > others[0]:
        return capital(
            words.parts(Sentence(_LEADS, {"seat": scores.index(most), "by": most - others[0]}), race)
        )
    names = listed([name for name, score in zip(race.seats, scores, strict=True) if score == most])
    return capital(words.parts(Sentence(_LEAD, {"names": names}), race))


def round_end(match: Match, words: Words) -> RoundEnd | None:
    """Return each seat's gain in the round that was just finished, until the next decision."""
    turn = last_turn(match)
    over = [n for n in turn.race.seen_by(None).news if n.kind == "round-over"] if turn else []
    if turn is None or not over:
        return None
    earlier = [
        t.race.scores()
        for t in match.turns
        if t.seq < turn.seq and any(n.kind == "round-over" for n in t.race.news)
    ]
    race, before = turn.race, earlier[-1] if earlier else [0] * len(match.race.seats)
    rows = [
        Won(seat=s.seat, name=s.name, won=s.score - before[s.seat], score=s.score) for s in race.standings()
    ]
    title = words.text(presented(race).sentence(over[0]), race)
    return RoundEnd(key=str(turn.seq), title=title[:1].upper() + title[1:], rows=rows)


def story(turns: Sequence[Turn], words: Words) -> list[StoryLine]:
    """Return the latest lines, newest first, as far as they are public."""
    lines = []
    for turn in reversed(turns):
        line = story_line(turn, words)
        if line is not None:
            lines.append(line)
        if len(lines) == LINES:
            break
    return lines


def story_line(turn: Turn, words: Words) -> StoryLine | None:
    """Return the effect of a decision, in a line; None if nothing new became public."""
    news = [n for n in turn.race.seen_by(None).news if n.kind != "game-over"]
    if not news:
        return None
    gain = sum(n.values.get("gain", 0) - n.values.get("loss", 0) for n in news)
    seat, piece = turn.decision.seat, next((n.values["piece"] for n in news if "piece" in n.values), None)
    parts = in_a_line([presented(turn.race).sentence(n) for n in news], turn.race, words)
    return StoryLine(key=str(turn.seq), seat=seat, piece=piece, parts=parts, gain=gain)


def in_a_line(sentences: Sequence[Sentence], race: Race, words: Words) -> list[Phrase]:
    """Return several sentences as one, the first few of them."""
    parts: list[Phrase] = []
    for sentence in sentences[:_NEWS]:
        parts += [", " if parts else "", *words.parts(sentence, race)]
    parts.append(" …" if len(sentences) > _NEWS else "")
    return [part for part in parts if part]


def comment_of(picture: Snapshot, words: Words) -> CommentView | None:
    """Return the comment on the last decision; None if there is nothing to say."""
    made = comment_on(picture)
    return None if made is None else CommentView(key=str(made.seq), text=in_words(made, picture, words))


def finale(picture: Snapshot, match: Match, race: Race, words: Words) -> Finale | None:
    """Return the race that the last decision ended, once every piece has been moved to its end."""
    turn, order = last_turn(match), presented(race).finishers()
    if turn is None or not order or picture.ending:
        return None
    owners = {race.own_piece(seat): seat for seat in range(len(race.seats))}
    stood = (match.before or {}).get(order[0])
    return Finale(
        key=str(turn.seq),
        order=[Finisher(piece=piece, seat=owners.get(piece)) for piece in order],
        start=stood.space if stood else None,
        last=match.finished,
        say=of_the_race(race, words),
    )


_LEADS: Final = N_("{seat} leads by {by}")
_LEAD: Final = N_("{names} lead together")
