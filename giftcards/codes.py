"""The codes of gift cards. Anyone who knows a code can spend the card."""

import re
import secrets

from django.conf import settings

from kit.errors import InvalidData

_LETTERS = "ACDEFGHJKMNPQRTVWXY34679"
"""Letters that are not mistaken for each other: without B and 8, I, L and 1, O and 0, S and 5, U, Z and 2."""
_PARTS, _PART = 5, 4

SHORTEST, LONGEST = 8, 64
_GIVEN = re.compile(r"[0-9A-Z][ -.0-~]*")
"""Printable ASCII, since databases disagree about capital letters of other scripts, without the slash of paths."""


def new_code() -> str:
    """`GIFT-XXXX-XXXX-XXXX-XXXX-XXXX`: twenty random letters of 24, 91 bits."""
    parts = ("".join(secrets.choice(_LETTERS) for _ in range(_PART)) for _ in range(_PARTS))
    return "-".join((settings.GIFT_CARD_PREFIX, *parts))


def is_id(id_or_code: str) -> bool:
    """Whether the text is a card's id. No code starts like one: codes have no lower-case letters."""
    return id_or_code.startswith("gcard_")


def normalised(code: str) -> str:
    """The code as it is stored; letter case and surrounding spaces do not matter."""
    return code.strip().upper()


def checked(code: str) -> str:
    """A code that others have made, as it is stored. Raises InvalidData, also for text that looks like an id."""
    stored = normalised(code)
    if not _GIVEN.fullmatch(stored) or stored.startswith("GCARD_"):
        raise InvalidData("A code begins with a letter A to Z or a digit, not with gcard_, and has no slash.")
    if len(stored) > LONGEST:
        raise InvalidData(f"A code has at most {LONGEST} characters.")
    return stored


def checked_new(code: str) -> str:
    """The same for a card that is issued now: short codes are too easily guessed.

    Why: docs/decisions/gift-cards.md#imported-codes-have-at-least-eight-characters.
    """
    stored = checked(code)
    if len(stored) < SHORTEST:
        raise InvalidData(f"A code has at least {SHORTEST} characters. Leave the cell empty for a new code.")
    return stored


def masked(code: str) -> str:
    """The end of a code, for lists and logs."""
    return f"…{code[-4:]}"
