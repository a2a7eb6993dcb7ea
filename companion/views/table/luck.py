"""Luck in retrospect: a headline, bars, badges, the decisive moments, and all of it in words."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from companion.games.race import Race
from companion.history.badges import badges
from companion.history.evening import Evening
from companion.history.headline import headline
from companion.odds.luck_summary import LuckSummary, Swing, scatter
from companion.reply import Count, Reply, Seat
from companion.table.messages import LuckIs
from companion.table.snapshot import Snapshot
from companion.translate import Phrase, Words
from companion.views.table.sentence import capital

Points = Annotated[int, Meta(ge=0, le=100)]


class LuckParts(Reply):
    """A seat's chance at the start and share of the victory at the end, and by how much luck, its own and the
    others' choices moved it, in points of a hundred; null: no clear difference.

    Luck is the effect of `deals`, 0 if nothing is dealt, and the effects of choices beyond what their makers
    could know, `unseen`; both are null of games that were analysed before this was known.
    """

    start: Points
    end: Points
    luck: int | None
    own: int | None
    others: int | None
    deals: int | None
    unseen: int | None


class SwingView(Reply):
    """A moment that decided the game: from moment `since` to moment `at`; chances by seat, in points."""

    since: Count
    at: Annotated[int, Meta(ge=1)]
    stage: str
    parts: list[Phrase]
    before: list[Points]
    after: list[Points]
    gainer: Seat
    loser: Seat


class LuckReport(Reply):
    """Luck against choice in words, and in numbers to be drawn, by seat and by moment.

    `note` says how far choices at random scatter in one game; null where that was not measured.
    """

    title: str
    note: str | None
    seats: list[str]
    moments: list[str]
    parts: list[LuckParts]
    swings: list[SwingView]


class BadgeView(Reply):
    """A seat's badge for an evening, and its rule."""

    name: str
    rule: str


Badges = Annotated[list[list[BadgeView]], Meta(description="By seat, the strongest first.")]


class EveningReport(LuckReport):
    """Luck against choice in the game that has just ended, with its headline and badges.

    `headline` is null, and there are no `badges`, until the odds of every moment are known.
    """

    headline: list[Phrase] | None
    badges: Badges


def luck(picture: Snapshot, race: Race, words: Words) -> EveningReport | None:
    """Return luck against choice, once the game is over and has been analysed."""
    if picture.luck is None:
        return None
    return EveningReport(
        **_report_fields(picture.luck, race, words), **remembered(picture.evening, race, words)
    )


def report(summary: LuckSummary, race: Race, words: Words) -> LuckReport:
    """Return luck against choice in a past game."""
    return LuckReport(**_report_fields(summary, race, words))


def remembered(evening: Evening | None, race: Race, words: Words) -> dict[str, Any]:
    """Return `headline` and `badges`, as far as they are known."""
    if evening is None:
        return {"headline": None, "badges": []}
    return {
        "headline": capital(words.parts(headline(evening), race)),
        "badges": [
            [BadgeView(name=words(badge.name), rule=words.text(badge.rule, race)) for badge in of_seat]
            for of_seat in badges(evening)
        ],
    }


def _report_fields(summary: LuckSummary | LuckIs, race: Race, words: Words) -> dict[str, Any]:
    """Return the fields of a `LuckReport`."""
    return {
        "title": words.text(summary.title, race),
        "note": None if (note := scatter(race)) is None else words.text(note, race),
        "seats": [words.text(sentence, race) for sentence in summary.seats],
        "moments": [words.text(sentence, race) for sentence in summary.moments],
        "parts": [LuckParts(**parts._asdict()) for parts in summary.parts],
        "swings": [_swing(swing, race, words) for swing in summary.swings],
    }


def _swing(swing: Swing, race: Race, words: Words) -> SwingView:
    return SwingView(
        since=swing.since,
        at=swing.at,
        stage=words.text(swing.stage, race),
        parts=capital(words.parts(swing.what, race)),
        before=list(swing.before),
        after=list(swing.after),
        gainer=swing.gainer,
        loser=swing.loser,
    )
