"""Codes of gift cards in the shop file."""

from dataclasses import dataclass

from giftcards.codes import LONGEST, checked
from kit.errors import InvalidData
from kit.shop_file.values import InvalidValue, Text


@dataclass(frozen=True, kw_only=True)
class CardCode(Text):
    """A code in any letter case, ours or another shop's; a text that looks like an id is not a code."""

    longest: int | None = LONGEST

    def parse(self, raw: object) -> str:
        try:
            return checked(super().parse(raw))
        except InvalidData as refusal:
            raise InvalidValue(refusal.message) from refusal
