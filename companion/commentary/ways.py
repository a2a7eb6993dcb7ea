"""The wordings of each fact: several each, short enough to be said before the next card."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from companion.message import N_

WAYS: Final[Mapping[str, tuple[str, ...]]] = {
    "wins": (N_("{seat} wins it!"), N_("the victory goes to {seat}!"), N_("and the winner is {seat}!")),
    "upset": (
        N_("{seat} wins: who would have bet on that?"),
        N_("against all odds: {seat} wins!"),
        N_("what a surprise: the winner is {seat}!"),
    ),
    "shared": (
        N_("a dead heat: {names}!"),
        N_("nothing parts them: {names}!"),
        N_("they share it: {names}!"),
    ),
    "home-first": (
        N_("{piece} is home first!"),
        N_("first over the line: {piece}!"),
        N_("nobody catches {piece} now: home first!"),
    ),
    "home": (
        N_("{piece} comes home as number {place}"),
        N_("number {place} over the line: {piece}"),
        N_("home as number {place}: {piece}"),
    ),
    "kept": (
        N_("the last card leads: {seat} brings the food home!"),
        N_("{piece} in front, {seat}'s food is safe!"),
        N_("that was well saved: {seat} keeps it all!"),
    ),
    "lost": (
        N_("{piece} does not lead: {seat}'s food goes back"),
        N_("all for nothing: {seat} gives the food back"),
        N_("that hurts: the food of {seat} is gone"),
    ),
    "lapped": (
        N_("{piece} is lapped: out!"),
        N_("a whole lap behind: {piece} is out"),
        N_("this race is over for {piece}"),
    ),
    "pushed-back": (
        N_("{piece1} pushes {piece2} back to {space}"),
        N_("make way for {piece1}: back to {space} for {piece2}"),
        N_("no room for two: {piece2} must go back to {space}"),
    ),
    "pushed-to-gate": (
        N_("{piece1} pushes {piece2} back into the gate"),
        N_("make way for {piece1}: into the gate with {piece2}"),
        N_("all to do again for {piece2}: back into the gate"),
    ),
    "outsider": (
        N_("{piece} leads: who would have thought it of {seat}?"),
        N_("from nowhere: {piece} is in front"),
        N_("nobody reckoned with {seat}, and now {piece} leads"),
    ),
    "takes": (
        N_("{piece1} takes the lead from {piece2}"),
        N_("{piece1} passes {piece2} and leads"),
        N_("in front now: {piece1}, ahead of {piece2}"),
        N_("{piece2} is caught, {piece1} leads"),
    ),
    "leads": (N_("{piece} takes the lead"), N_("in front now: {piece}"), N_("{piece} goes to the front")),
    "last-card": (
        N_("all or nothing now for {seat}"),
        N_("one card left, {seat}: will it lead?"),
        N_("now it counts: the last card of {seat}"),
    ),
    "stopped": (
        N_("an obstacle stops {piece}"),
        N_("{piece} refuses: an obstacle on {space}"),
        N_("no way over {space} for {piece}"),
    ),
    "level": (
        N_("neck and neck: {piece1} and {piece2}"),
        N_("nothing between {piece1} and {piece2}"),
        N_("{piece1} and {piece2} are level in front"),
    ),
    "far": (
        N_("{piece} is far ahead"),
        N_("{piece} runs away from them all"),
        N_("who can still catch {piece}?"),
    ),
    "swing": (
        N_("that has helped {seat} a lot"),
        N_("keep an eye on {seat}: the chances have grown"),
        N_("the odds turn: better ones for {seat}"),
    ),
    "passes-many": (
        N_("{piece} passes one after the other"),
        N_("several passed at once: what a leap, {piece}!"),
        N_("{piece} leaves them standing"),
    ),
    "close": (
        N_("{piece2} is right behind {piece1}"),
        N_("{piece1} leads by a nose, here comes {piece2}"),
        N_("{piece2} has nearly caught {piece1}"),
    ),
    "falls-back": (N_("now {piece} is last"), N_("{piece} falls back"), N_("{piece} brings up the rear")),
    "passes": (
        N_("{piece1} passes {piece2}"),
        N_("{piece1} goes by {piece2}"),
        N_("{piece1} leaves {piece2} behind"),
        N_("{piece2} lets {piece1} go by"),
    ),
}
"""By kind of a fact; the commentator chooses among the wordings."""
