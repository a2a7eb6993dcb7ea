"""The page of an evening: its champion, the points of everybody, its games."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from msgspec import Meta

from companion import games
from companion.history.tonight import Best, Tonight
from companion.match.entries import Filed
from companion.message import N_, NN_, Sentence, listed
from companion.reply import Animal, Count, Reply, Seat, When
from companion.table.faces import Face
from companion.translate import Phrase, Words
from companion.views.faces import FaceView, face_of
from companion.views.table.sentence import capital

Percent = Annotated[int, Meta(ge=0, le=100)]


class PersonTonight(Reply):
    """A person's evening; `seat`: in their newest game, for their hat; `leads`: no one is better."""

    name: str
    seat: Seat
    face: FaceView | None
    points: Count
    wins: Count
    games: Count
    leads: bool


class GameTonight(Reply):
    """A game of the evening and who won it."""

    id: Annotated[int, Meta(ge=1)]
    title: str
    animal: Animal
    when: When
    winners: list[str]


class MomentTonight(Reply):
    """The moment of the evening: the greatest turn of a game, which is `id`.

    `headline`: of that game, null until its odds are worked out; `stage` and `parts`: when it was, and what
    was decided; `name`, `seat`, `face`: who gained most by it, from `before` to `after`, in percent.
    """

    id: Annotated[int, Meta(ge=1)]
    headline: list[Phrase] | None
    stage: str
    parts: list[Phrase]
    name: str
    seat: Seat
    face: FaceView | None
    before: Percent
    after: Percent


class TonightView(Reply):
    """An evening: the sentence about it, what comes next, its people and its games.

    People: the best first; games: the newest first. `champion`: enough games were played for it; `next` is
    null before the first game, `moment` until a game's odds are worked out.
    """

    say: str
    next: str | None
    champion: bool
    people: list[PersonTonight]
    games: list[GameTonight]
    moment: MomentTonight | None


def tonight_view(
    now: Tonight, faces: Mapping[str, Face], words: Words, best: Best | None = None
) -> TonightView:
    """Return the content of the page."""
    return TonightView(
        say=words.text(said(now)),
        next=words.text(_next(now)) if now.games else None,
        champion=bool(now.games) and now.to_go == 0,
        people=[
            PersonTonight(
                name=one.name,
                seat=one.seat,
                face=face_of(faces, one.name),
                points=one.points,
                wins=one.wins,
                games=one.games,
                leads=one.name in now.leaders,
            )
            for one in now.people
        ],
        games=[_game(filed, words) for filed in now.games],
        moment=None if best is None else _moment(best, faces, words),
    )


def _moment(best: Best, faces: Mapping[str, Face], words: Words) -> MomentTonight:
    past, swing, race = best.past, best.swing, best.past.race
    seat = swing.gainer
    return MomentTonight(
        id=past.id,
        headline=None if best.headline is None else capital(words.parts(best.headline, race)),
        stage=words.text(swing.stage, race),
        parts=capital(words.parts(swing.what, race)),
        name=past.seats[seat],
        seat=seat,
        face=None if past.bots[seat] else face_of(faces, past.seats[seat]),
        before=swing.before[seat],
        after=swing.after[seat],
    )


def said(now: Tonight) -> Sentence:
    """Return the sentence about the evening: its champion, or who leads."""
    names = listed(now.leaders)
    if not now.games:
        return Sentence(_NOTHING)
    several = len(now.leaders) > 1
    if now.to_go == 0:
        return Sentence(_CHAMPIONS if several else _CHAMPION, {"names": names})
    return Sentence(_LEAD if several else _LEADS, {"names": names})


def _next(now: Tonight) -> Sentence:
    if now.chooser is not None:
        return Sentence(_CHOOSES, {"names": now.chooser})
    if now.to_go:
        return Sentence(_TO_GO[0], {"count": now.to_go}, _TO_GO[1])
    return Sentence(_ANOTHER)


def _game(filed: Filed, words: Words) -> GameTonight:
    game = games.find_by_name(filed.header.game)
    winners = [row["name"] for row in filed.standings if row["place"] == 1]
    title = filed.name or words(game.title)
    return GameTonight(id=filed.id, title=title, animal=game.animal, when=filed.began, winners=winners)


_NOTHING = N_("Tonight's first game is still to come.")
_LEADS = N_("{names} leads tonight.")
_LEAD = N_("{names} lead tonight.")
_CHAMPION = N_("{names} is the champion of the evening!")
_CHAMPIONS = N_("{names} are the champions of the evening!")
_CHOOSES = N_("{names} came last and chooses the next game.")
_TO_GO = NN_("{count} more game makes a champion.", "{count} more games make a champion.")
_ANOTHER = N_("One more game?")
