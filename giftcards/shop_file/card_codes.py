"""Codes of gift cards in the shop file."""

import re
from dataclasses import dataclass
from typing import Any

from commerce.kit.shop_file.values import InvalidValue, Text
from giftcards.codes import LONGEST, normalised

_CODE = re.compile(r"[0-9A-Z][ -.0-~]*")
"""Printable ASCII, since databases do not agree on the capital letters of all scripts, without the slash of paths."""


@dataclass(frozen=True, kw_only=True)
class CardCode(Text):
    """A code in any letter case, as it is or as another shop printed it; one that looks like an id is none."""

    longest: int | None = LONGEST

    def parse(self, raw: Any) -> str:
        code = normalised(super().parse(raw))
        if not _CODE.fullmatch(code) or code.startswith("GCARD_"):
            raise InvalidValue(
                "is no code: it begins with a letter or digit of ASCII, not with gcard_, and has no slash"
            )
        return code
