"""What an order costs after a change, with fractions and unit by unit: it imports nothing of the shop.

Amounts are in coins: whole numbers of the smallest amount that a currency pays.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from tests.carts.money.plain import PlainCost, PlainLine, PlainPromotion, costs, rounded, shared
from tests.carts.promotions.plain import PlainOffer, PlainRow, apply


@dataclass(frozen=True)
class PlainOrderLine:
    """off: what each promotion takes off all units, as stated, by the number of the promotion."""

    price: int
    quantity: int
    incl: bool
    rates: tuple[Fraction, ...] = ()
    exempt: bool = False
    off: Mapping[int, int] | None = None
    returned: int = 0
    requested: int = 0
    kind: str = ""
    is_discountable: bool = True

    def cost(self, units: int) -> PlainCost:
        """What so many units cost, each with its part of the discounts."""
        one = PlainLine(self.price * units, 1, self.incl, self.rates, exempt=self.exempt)
        whole = sum((self.off or {}).values())
        share = PlainPromotion(False, False, Fraction(rounded(Fraction(whole * units, self.quantity))), self.incl)
        return costs([one], [share])[0]

    @property
    def kept(self) -> PlainCost:
        return self.cost(self.quantity - self.returned)

    @property
    def left(self) -> PlainCost:
        """Without the units that are requested back."""
        return self.cost(self.quantity - self.returned - self.requested)


def changed(line: PlainOrderLine, quantity: int, price: int, offers: Sequence[PlainOffer]) -> PlainOrderLine:
    """The line with other units, and the discounts that it keeps."""
    if (quantity, price) == (line.quantity, line.price):
        return line
    before, after = line.quantity - line.returned, quantity - line.returned
    if not after:
        before, after = line.quantity, quantity
    shares = {}
    for number, amount in (line.off or {}).items():
        units = after if rises(offers[number]) else min(before, after)
        shares[number] = Fraction(amount, line.quantity) * units
    off = rounded(sum(shares.values(), Fraction(0)))
    if quantity > after:
        off = rounded(Fraction(off * quantity, after))
    off = min(off, price * quantity)
    parts = dict(zip(shares, shared(off, list(shares.values())), strict=True)) if off else {}
    return replace(line, quantity=quantity, price=price, off=parts)


def rises(offer: PlainOffer) -> bool:
    return offer.target == "items" and offer.allocation == "each" and offer.most is None and not offer.buy


def carried(lines: Sequence[PlainOrderLine], offers: Sequence[PlainOffer]) -> list[PlainOrderLine]:
    """The lines with what the promotions take off them anew. Each is a kind of its own, which promotions name."""
    rows = [
        PlainRow(
            line.price * line.quantity, line.quantity, line.incl, sum(line.rates, Fraction(0)), str(index),
            line.is_discountable,
        )
        for index, line in enumerate(lines)
    ]  # fmt: skip
    by_number = {
        number: replace(
            offer,
            kinds=_named(offer.kinds, [line.kind in offer.kinds or number in (line.off or {}) for line in lines]),
            bought_kinds=_named(offer.bought_kinds, [line.kind in offer.bought_kinds for line in lines]),
        )
        for number, offer in enumerate(offers)
        if offer.target != "shipping_methods"
    }
    return [replace(line, off=taken) for line, taken in zip(lines, apply(rows, by_number), strict=True)]


def _named(kinds: frozenset[str], matches: Sequence[bool]) -> frozenset[str]:
    return frozenset({"none", *(str(index) for index, matched in enumerate(matches) if matched)}) if kinds else kinds
