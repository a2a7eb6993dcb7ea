"""What the table page says while a game is set up, line by line: where the pieces go, who deals what."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from companion.games.race import random_decision
from companion.match.match import Match
from companion.match.record import decision_line
from companion.translate import Phrase, Words
from companion.views.table.actions import actions
from companion.views.table.sentence import say
from tests.support.evening import PIGS, Evening

OFF_THE_TRACK = """
line up            | put the red pig on start        | now   |
put red on 5       | move the red pig from 5 to start | wrong | ignore the red pig until it moves
put red on 0       | put the blue pig on 21          | now   |
put blue on 21     | put the green pig on 20         | now   |
put green on 20    | put the yellow pig on 19        | now   |
put yellow on 19   | put the pink pig on 18          | now   |
put pink on 18     | Ada, play a card                | now   |
put green on 19    | two pieces on 19: move the green pig to 20 | wrong | ignore the green pig until it moves
"""

LEFT_FROM_THE_LAST_RACE = """
put red on 3       | Ada, line up the pigs: the front one on start, the others right behind it | now |
put blue on 14     | Ada, line up the pigs: the front one on start, the others right behind it | now |
line up            | move the red pig from 3 to start | now   |
lay pink 1         | move the red pig from 3 to start | now   |
lift               | the pink card was lifted too early and not played: put the pieces right, then lay it again | wrong |
press next         | move the red pig from 3 to start | now   |
the power fails    | move the red pig from 3 to start | now   |
put red on 0       | move the blue pig from 14 to 21 | now   |
take blue          | move the blue pig to 21         | now   |
put blue on 15     | move the blue pig from 15 to 21 | wrong | ignore the blue pig until it moves
put blue on 21     | put the green pig on 20         | now   |
"""


DEALING = """
galloping-pigs  | line-up        | then shuffle all race cards and deal 7 to each. Ada, play a card
galloping-pigs  | play           | then Ben, play a card
galloping-pigs  | line-up again  | then shuffle all race cards and deal 7 to each. Ben, play a card
galloping-horse | line-up        | then shuffle all race cards and deal 7 to each. Ada, play a card
galloping-horse | new round      | then shuffle all race cards and deal 7 to each. Ben, play a card
giro-galoppo    | new game       | Before that put the red horse into the gate …
giro-galoppo    | last obstacle  | First: everybody takes the 6 cards of their horse's colour
giro-galoppo    | play           | Then turn them over together
greyhounds      | new game       | Before that put the red dog on start … Everybody shuffles low cards (1 to 10) and high ones (11 to 20) apart and draws three and three for each of 3 sets
greyhounds      | show           |
"""


def hands(evening: Evening, do: str) -> None:
    """Do what a line says."""
    match do.split():
        case ["line", "up"]:
            evening.tap({"do": "line-up", "seat": 0, "order": list(PIGS)})
        case ["put", piece, "on", space]:
            evening.put(piece, int(space))
        case ["take", piece]:
            evening.put(piece, None)
        case ["lay", *card]:
            evening.lay(" ".join(card))
        case ["lift"]:
            evening.lift()
        case ["press", button]:
            evening.press(button)
        case ["the", "power", "fails"]:
            evening.restart()
        case other:
            raise ValueError(other)


def read(parts: Sequence[Phrase]) -> str:
    """Return a sentence as it is read."""
    return "".join(part if isinstance(part, str) else part.text for part in parts)


def running(evening: Evening) -> Match:
    """Return the match on the table."""
    match = evening.table.snapshot.match
    assert match is not None
    return match


def small_text(evening: Evening) -> str:
    """Return the small text next to the sentence."""
    match = running(evening)
    return read(say(evening.table.snapshot, match, match.race.seen_by(None), Words.english()).then)


def reached(moment: str, match: Match) -> bool:
    """Return whether a game without sensors is at this moment, after the decision just made."""
    last = match.turns[-1].decision if match.turns else None
    race: Any = match.race
    match moment:
        case "line-up":
            return [turn.decision.do for turn in match.turns] == ["line-up", "deal"]
        case "line-up again":
            return bool(race.round == 2 and race.due == "play")
        case "new round":
            return race.round == 2 and not race.played
        case "last obstacle":
            return bool(race.awaits().do == "play")
        case "new game":
            return all(turn.by == "companion" for turn in match.turns)
        case _:
            return last is not None and last.do == moment


def shown(evening: Evening) -> tuple[str, str, str]:
    """Return the sentence, its tone, and the buttons that offer to agree about what stands wrong."""
    picture, words = evening.table.snapshot, Words.english()
    assert picture.match is not None
    race = picture.match.race.seen_by(None)
    said = say(picture, picture.match, race, words)
    sentence = read(said.parts)
    trust = actions(picture, picture.match, race, words).trust
    return sentence, said.tone, ", ".join(fix.text for fix in trust if fix.wrong)


@pytest.mark.parametrize(
    "lines", [OFF_THE_TRACK, LEFT_FROM_THE_LAST_RACE], ids=["beside the track", "left from the last race"]
)
def test_red_is_for_mistakes_only(tmp_path: Path, lines: str) -> None:
    """A piece that was only not moved yet is asked for calmly; one on a wrong space is a mistake."""
    evening = Evening(tmp_path)
    evening.show_track()
    for line in lines.strip().splitlines():
        do, sentence, tone, trust = (part.strip() for part in line.split("|"))
        hands(evening, do)
        says, toned, offered = shown(evening)
        assert (do, says.lower(), toned, offered) == (do, sentence.lower(), tone, trust)


@pytest.mark.parametrize("deal", ["people", "companion"])
@pytest.mark.parametrize("line", DEALING.strip().splitlines())
def test_dealing_is_a_step_that_is_said(tmp_path: Path, line: str, deal: str) -> None:
    """It is said next to the first sentence after it, at each deal; never where the companion deals."""
    game, moment, said = (part.strip() for part in line.split("|"))
    evening, rng = Evening(tmp_path, game, spaces=None, deal=deal), random.Random(1)
    while not reached(moment, running(evening)):
        decision = random_decision(evening.race, rng)
        assert decision is not None
        evening.tap(decision_line(evening.race, decision))
    if deal == "people":
        assert small_text(evening) == said
    else:
        assert not re.search("shuffle|takes", small_text(evening))
