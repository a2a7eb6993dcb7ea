"""Setting pieces up is no mistake: what the table page says while they go where a race begins, line by line."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.translate import Words
from companion.web.table.actions import actions
from companion.web.table.sentence import say
from tests.evening import PIGS, Evening

BESIDE_THE_TRACK = """
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


def shown(evening: Evening) -> tuple[str, str, str]:
    """The sentence, its tone, and the buttons that offer to agree about what stands wrong."""
    picture, words = evening.table.picture, Words.english()
    assert picture.match is not None
    race = picture.match.race.seen_by(None)
    said = say(picture, picture.match, race, words)
    sentence = "".join(part if isinstance(part, str) else part.text for part in said.parts)
    trust = actions(picture, picture.match, race, words).trust
    return sentence, said.tone, ", ".join(fix.text for fix in trust if fix.wrong)


@pytest.mark.parametrize(
    "lines", [BESIDE_THE_TRACK, LEFT_FROM_THE_LAST_RACE], ids=["beside the track", "left from the last race"]
)
def test_red_is_for_mistakes_only(tmp_path: Path, lines: str) -> None:
    """What was only not moved yet is asked for calmly; a piece put where it should not be is a mistake."""
    evening = Evening(tmp_path)
    evening.show_track()
    for line in lines.strip().splitlines():
        do, sentence, tone, trust = (part.strip() for part in line.split("|"))
        hands(evening, do)
        says, toned, offered = shown(evening)
        assert (do, says.lower(), toned, offered) == (do, sentence.lower(), tone, trust)
