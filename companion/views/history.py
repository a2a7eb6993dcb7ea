"""View models of past games: the list, one game moment by moment, the leaderboards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated

from msgspec import Meta

from companion import games
from companion.bots.players import all_strengths
from companion.games.race import Race
from companion.games.terms import Place
from companion.history import past as history
from companion.history.evening import evening_of
from companion.history.leaderboard import MORE_GAMES, Row
from companion.history.past import Past
from companion.match.entries import Filed
from companion.match.match import Match
from companion.message import N_, Sentence
from companion.reply import Animal, Colour, Count, Entry, GameName, Reply, Seat, SeatNames, Unit, When
from companion.table.faces import Face
from companion.table.season import Board
from companion.table.snapshot import Snapshot
from companion.translate import Phrase, Words
from companion.views.course.drawn import CourseView, resting_pieces
from companion.views.faces import FaceView, face_of, faces_of
from companion.views.seat.secrets import Known, known
from companion.views.table.luck import Badges, LuckReport, remembered, report
from companion.views.table.page import MatchAt, MatchView, match_at
from companion.views.table.public import StandingView, filed_standings
from companion.views.table.story import story_line

Strengths = Annotated[
    list[str], Meta(description="By seat how strong the companion played it; empty for a person.")
]
Part = Annotated[float, Meta(ge=0, le=1)]
ByMoment = Annotated[
    list[list[Part] | None],
    Meta(description="By moment each seat's chance to win, or half its 95 % interval; null while unknown."),
]


class GoingOn(Reply):
    """A game that is still going on; its details are not published here."""

    id: Annotated[int, Meta(ge=1)]
    game: GameName
    title: str
    when: When
    seats: SeatNames


class Over(GoingOn):
    """A game that is over; `name`: a name that people gave it; `ended`: given up, no one has a place."""

    name: str
    animal: Animal
    unit: Unit
    bots: Strengths
    ended: bool
    standings: list[StandingView]


class HistoryView(Reply):
    """Past games, the newest first; of those that still go on only that they do, on the first page.

    `more`: the number of the last game here if there are older ones, for `before`; null if there are none.
    """

    matches: list[Over]
    going_on: list[GoingOn]
    more: Annotated[int, Meta(ge=1)] | None


class PastMoment(Reply):
    """The opening, or the effect of a decision of `seat`; `gain` is its gain, negative for a loss."""

    seq: Entry
    seat: Seat | None
    piece: Colour | None
    parts: list[Phrase]
    gain: int
    scores: list[int]


class PastRound(Reply):
    """By seat the gain and the cost of a round, and the food at risk when the game was given up."""

    title: str
    kept: list[Count]
    lost: list[Count]
    open: list[Count]


class OddsByMoment(Reply):
    """The odds of `done` out of `of` moments; `off`: the reason if there are none."""

    done: Count
    of: Annotated[int, Meta(ge=1)]
    off: str | None
    wins: ByMoment
    errors: ByMoment


class PastGame(Over):
    """A past game except its views; by seat `colours`, the piece that it owned, if any, and `faces`.

    `headline` is null, and there are no `badges`, until odds and luck are known, and of a game given up.
    """

    colours: list[Colour | None]
    faces: list[FaceView | None]
    moments: list[PastMoment]
    rounds: list[PastRound]
    odds: OddsByMoment
    luck: LuckReport | None
    headline: list[Phrase] | None
    badges: Badges


class PastView(MatchAt, rename="camel"):
    """One moment of a past game, to be drawn; `hands` by seat, null unless the cards are open."""

    match: MatchView
    course: CourseView
    hands: list[list[Known]] | None


class Leader(Reply):
    """A player on the leaderboard; `bot`: a robot and its strength; `name` in its latest spelling.

    `places`: how often first, second, and so on; `best`: null over games whose scores cannot be compared;
    `face` null: as its seat has it; `share`: of wins, as if there had been more games of average luck, and
    `error` the half width of its 95 % interval.
    """

    name: str
    bot: str | None
    face: FaceView | None
    games: Annotated[int, Meta(ge=1)]
    wins: Count
    places: list[Count]
    best: int | None
    average: Annotated[float, Meta(ge=1)]
    share: Part
    error: Annotated[float, Meta(ge=0)]


class Leaderboard(Reply):
    """The leaderboard of a game, or (no `game`) of all games."""

    game: str | None
    title: str
    unit: Unit
    games: Count
    rows: list[Leader]


class Leaderboards(Reply):
    """The leaderboards over all games together and of each; `counted` and `order` explain them in words."""

    counted: str
    order: str
    boards: list[Leaderboard]


def past_and_going_on(
    over: Sequence[Filed], going_on: Sequence[Filed], more: int | None, words: Words
) -> HistoryView:
    """Return these games, and the number before which there are `more`."""
    return HistoryView(
        matches=[_over(one, words) for one in over],
        going_on=[_going_on(one, words) for one in going_on],
        more=more,
    )


def _going_on(filed: Filed, words: Words) -> GoingOn:
    return GoingOn(
        id=filed.id,
        game=filed.header.game,
        title=words(games.find_by_name(filed.header.game).title),
        when=filed.began,
        seats=list(filed.header.seats),
    )


def _over(filed: Filed, words: Words) -> Over:
    game, ended = games.find_by_name(filed.header.game), filed.state == "ended"
    return Over(
        id=filed.id,
        game=filed.header.game,
        title=words(game.title),
        when=filed.began,
        seats=list(filed.header.seats),
        name=filed.name,
        animal=game.animal,
        unit=game.unit,
        bots=list(filed.bots) or [""] * len(filed.header.seats),
        ended=ended,
        standings=filed_standings(filed, not ended),
    )


def leaderboards(boards: Iterable[Board], faces: Mapping[str, Face], words: Words) -> Leaderboards:
    """Return the leaderboards in words."""
    order = words.text(Sentence(_ORDER, {"number": MORE_GAMES}))
    return Leaderboards(
        counted=words(_COUNTED), order=order, boards=[_board(board, faces, words) for board in boards]
    )


def _board(board: Board, faces: Mapping[str, Face], words: Words) -> Leaderboard:
    game = None if board.game is None else games.find_by_name(board.game)
    return Leaderboard(
        game=board.game,
        title=words(_ALL_GAMES if game is None else game.title),
        unit="" if game is None else game.unit,
        games=board.games,
        rows=[_leader(row, faces, words) for row in board.rows],
    )


def _leader(row: Row, faces: Mapping[str, Face], words: Words) -> Leader:
    """Return a row; a robot with its strength in words."""
    how = all_strengths()[row.bot].title if row.bot in all_strengths() else row.bot  # a plug-in that is gone
    robot = words.text(Sentence(_ROBOT, {"how": words(how or "")})) if row.bot else None
    face = None if row.bot else face_of(faces, row.name)
    return Leader(**{**row._asdict(), "bot": robot, "face": face, "places": list(row.places)})


def past_game(past: Past, picture: Snapshot, words: Words) -> PastGame:
    """Return every moment in words, with its scores and odds, and the luck."""
    race = past.race
    return PastGame(
        id=past.id,
        game=past.game,
        title=words(past.title),
        when=past.when,
        seats=list(past.seats),
        name=past.name,
        animal=race.animal,
        unit=race.unit,
        bots=list(past.bots),
        ended=past.ended,
        standings=[
            StandingView(**{**s._asdict(), **({"place": None} if past.ended else {})}) for s in past.standings
        ],
        colours=[race.own_piece(seat) for seat in range(len(race.seats))],
        faces=faces_of(picture.faces, past.seats, past.bots),
        moments=list(_moments(past, words)),
        rounds=[_round(one, words) for one in past.rounds],
        odds=_odds(past, picture, words),
        luck=None if past.luck is None else report(past.luck, race, words),
        **remembered(evening_of(past), race, words),
    )


def _moments(past: Past, words: Words) -> Iterable[PastMoment]:
    opening = past.match.opening
    yield _moment(opening, 0, None, words.parts(Sentence(_BEGINNING), opening))
    for turn in past.match.turns:
        line = story_line(turn, words)
        if line is None:
            seat = turn.decision.seat
            sentence = Sentence(_DECIDED, {"seat": seat}) if seat is not None else Sentence(_NOTHING)
            yield _moment(turn.race, turn.seq, seat, words.parts(sentence, turn.race))
        else:
            yield _moment(turn.race, turn.seq, line.seat, line.parts, line.piece, line.gain)


def _moment(
    race: Race, seq: int, seat: int | None, parts: list[Phrase], piece: str | None = None, gain: int = 0
) -> PastMoment:
    return PastMoment(seq=seq, seat=seat, piece=piece, parts=parts, gain=gain, scores=list(race.scores()))


def _round(one: history.Round, words: Words) -> PastRound:
    title = words.text(Sentence(_ROUND, {"number": one.number}))
    return PastRound(title=title, kept=list(one.kept), lost=list(one.lost), open=list(one.open))


def _odds(past: Past, picture: Snapshot, words: Words) -> OddsByMoment:
    done, of = past.worked_out, len(past.odds)
    off = done < of and picture.no_odds is not None
    return OddsByMoment(
        done=done,
        of=of,
        off=words.text(picture.no_odds) if off and picture.no_odds else None,
        wins=[None if wins is None else list(wins.chances) for wins in past.odds],
        errors=[None if wins is None else list(wins.errors) for wins in past.odds],
    )


def at_moment(match: Match, hands: Race | None, faces: Mapping[str, Face], words: Words) -> PastView:
    """Return a past match at one moment as it was public then; `hands` is a position with all cards open."""
    race = match.race.seen_by(None)
    fields = match_at(Snapshot(match.seq, False, match, faces=faces), match, race, words)
    if (resting := _at_rest(match)) is not None:
        fields["pieces"] = resting_pieces(resting, race, words)
    return PastView(**fields, hands=None if hands is None else _hands(hands, words))


def _at_rest(match: Match) -> Mapping[str, Place] | None:
    """Return where the pieces came to rest with a decision that ended a round; None for any other.

    The position itself has none on the track any more: it is that of the next round.
    """
    if not match.turns or any(place.zone == "track" for place in match.race.layout().values()):
        return None
    before = match.turns[-2].race if len(match.turns) > 1 else match.opening
    moved = {
        news.values["piece"]: news.values["space"]
        for news in match.race.seen_by(None).news
        if news.kind == "moved"
    }
    standing = {piece: place for piece, place in before.layout().items() if place.zone == "track"}
    if not standing or not moved:
        return None
    return standing | {piece: Place("track", space) for piece, space in moved.items() if piece in standing}


def _hands(race: Race, words: Words) -> list[list[Known]]:
    """Return the facts that each seat knew and the others did not."""
    return [list(known(race, seat, words)) for seat in range(len(race.seats))]


_ALL_GAMES = N_("All games")
_ROBOT = N_("robot, {how}")
_COUNTED = N_(
    "Every game that was played to its end in this house counts for everybody who played it. "
    "Who came in without a place is counted just behind the last one who has one."
)
_ORDER = N_(
    "In order of wins, as if everybody had played {number} games more with average luck: "
    "one good evening does not lead for long."
)
_BEGINNING = N_("before the race")
_DECIDED = N_("{seat} has decided")
_NOTHING = N_("nothing to be seen")
_ROUND = N_("Round {number}")
