"""Valid names of people, animals and evenings: readable on every screen."""

from __future__ import annotations

from typing import Final
from unicodedata import category

from companion.errors import validation_error
from companion.message import N_

LONGEST_SEAT: Final = 40  # letters, as the pages let people type
_JOINERS: Final = "\u200c\u200d"  # of some scripts, and of emoji made of several


def check_name(name: str, most: int) -> None:
    """Raise ValidationError for a name that is too long, or has invisible or direction-changing letters.

    >>> check_name("Zoë 👩‍🚀", 40)
    >>> check_name("Ada\u202e", 40)
    Traceback (most recent call last):
    companion.errors.ValidationError: the name 'Ada\\u202e' holds letters that cannot be seen: write it anew
    """
    if len(name) > most:
        raise validation_error(
            N_("the name {text} has more than {high} letters"), text=f"{name[:12]}…", high=most
        )
    kinds = {category(letter) for letter in name if letter not in _JOINERS}
    hidden = kinds & {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}
    # Cn: what this Python does not know yet, such as an emoji of this year
    if hidden or (name.strip() and not any(kind[0] in "LNPS" or kind == "Cn" for kind in kinds)):
        raise validation_error(
            N_("the name {text} holds letters that cannot be seen: write it anew"), text=ascii(name)
        )
