"""Which units a promotion discounts: the cheapest ones, and with buy X get Y, for those that are bought. No database.

What a unit costs is what its line has left, by its quantity; of equal ones those of the earlier line come first.
Why: docs/decisions/carts.md#buy-x-get-y-discounts-the-cheapest-units.
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from carts.arithmetic.offer_rules import pieces
from carts.arithmetic.offers import ActivePromotion, DiscountableLine, Skip
from carts.states import SkipReason

Units = dict[int, int]
"""Units by the index of their row."""


def cheapest(count: int, rows: Sequence[DiscountableLine], left: Sequence[int], among: Iterable[int]) -> Units:
    """The cheapest units of these rows: `count` of them, or all."""
    units: Units = {}
    for index in sorted(among, key=lambda index: _price(rows, left, index)):
        units[index] = min(rows[index].quantity, count)
        count -= units[index]
    return units


class BoughtUnits:
    """The units of a cart that no buy X get Y has used yet: none serves two of them. free: how many of each row."""

    def __init__(self, rows: Sequence[DiscountableLine]) -> None:
        self._rows = rows
        self.free: Sequence[int] = [row.quantity for row in rows]

    def take(
        self, promotion: ActivePromotion, left: Sequence[int], *, buys: Sequence[int], targets: Sequence[int]
    ) -> Units | Skip:
        """The units to discount, or what is missing.

        buys: the rows to buy from. targets: rows that can be discounted.
        """
        bought, given = promotion.buy_rules_min_quantity, promotion.apply_to_quantity
        of_buys, of_targets, of_both = (self._count(among) for among in (buys, targets, {*buys, *targets}))
        times = min(of_buys // bought, of_targets // given, of_both // (bought + given))
        if promotion.max_quantity is not None:
            times = min(times, promotion.max_quantity // given)
        if not times:
            missing = max(bought - of_buys, given - of_targets, bought + given - of_both, 0)
            return Skip(SkipReason.MINIMUM_NOT_REACHED, pieces(missing))
        both = {*buys}
        discounted = self._cheapest(times * given, left, targets, within=both, allowance=of_buys - times * bought)
        self._use(discounted)
        self._use(self._dearest(times * bought, left, buys))
        return discounted

    def _count(self, among: Iterable[int]) -> int:
        return sum(self.free[index] for index in among)

    def _cheapest(
        self, count: int, left: Sequence[int], targets: Sequence[int], *, within: set[int], allowance: int
    ) -> Units:
        """allowance: how many units of the rows `within` can be discounted, so that enough are left to be bought."""
        units: Units = {}
        for index in sorted(targets, key=lambda index: _price(self._rows, left, index)):
            taken = min(self.free[index], count)
            if index in within:
                taken = min(taken, allowance)
                allowance -= taken
            count -= taken
            if taken:
                units[index] = taken
        return units

    def _dearest(self, count: int, left: Sequence[int], buys: Sequence[int]) -> Units:
        units: Units = {}
        for index in sorted(buys, key=lambda index: -_price(self._rows, left, index)):
            units[index] = min(self.free[index], count)
            count -= units[index]
        return units

    def _use(self, units: Mapping[int, int]) -> None:
        self.free = [number - units.get(index, 0) for index, number in enumerate(self.free)]


def _price(rows: Sequence[DiscountableLine], left: Sequence[int], index: int) -> Fraction:
    return Fraction(left[index], rows[index].quantity)
