"""Codes of gift cards in the shop file."""

import re
from dataclasses import dataclass

from giftcards.codes import LONGEST, normalised
from kit.shop_file.values import InvalidValue, Text

_CODE = re.compile(r"[0-9A-Z][ -.0-~]*")
"""Printable ASCII, since databases disagree about capital letters of other scripts, without the slash of paths."""


@dataclass(frozen=True, kw_only=True)
class CardCode(Text):
    """A code in any letter case, ours or another shop's; a text that looks like an id is not a code."""

    longest: int | None = LONGEST

    def parse(self, raw: object) -> str:
        code = normalised(super().parse(raw))
        if not _CODE.fullmatch(code) or code.startswith("GCARD_"):
            raise InvalidValue("must start with an ASCII letter or digit, not with gcard_, and have no slash")
        return code
