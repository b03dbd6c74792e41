"""Applying promotions that may be used together to a cart. No database.

Class by class (products, order, shipping); within a class by priority, then buy X get Y, percentages, fixed amounts,
otherwise in the order given. Each applies to the amount that the earlier ones leave, so that no row falls below 0;
minimums are compared as a class begins. Why: docs/decisions/carts.md#discounts-apply-to-amounts-as-stated.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from carts import rule_attributes as attributes
from carts.arithmetic.discounted_units import BoughtUnits, cheapest
from carts.arithmetic.offer_rules import pieces, selects, threshold, unmet
from carts.arithmetic.offers import CLASSES, ActivePromotion, Discount, OfferedCart, OfferRule, Outcome, Skip
from carts.arithmetic.taken_amounts import off_all, off_units
from carts.states import Allocation, PromotionKind, PromotionTarget, PromotionType, SkipReason

_ORDER = {PromotionType.PERCENTAGE: 1, PromotionType.FIXED: 2}


class Prepared(NamedTuple):
    """A promotion with its place in the order, and the rows that its rules select.

    selected: what target_total and target_quantity count. targets: those among them that take discounts.
    skip: why it applies to no amount of these goods.
    """

    promotion: ActivePromotion
    place: tuple[int, int, int]
    selected: Sequence[int]
    targets: Sequence[int]
    buys: Sequence[int]
    skip: Skip | None


class Application:
    """Promotions that are prepared once for a cart, and applied in several combinations."""

    def __init__(self, cart: OfferedCart, step: int) -> None:
        self.cart, self.step = cart, step
        self.rows = (*cart.lines, *cart.methods)
        self.stated = [row.stated for row in self.rows]
        self._goods = [index for index, line in enumerate(cart.lines) if not line.is_giftcard]
        self._methods = range(len(cart.lines), len(self.rows))

    def prepare(self, promotion: ActivePromotion) -> Prepared:
        """The promotion, for the rows of the cart."""
        is_shipping = promotion.target == PromotionTarget.SHIPPING_METHODS
        selected = self._selected(promotion.target_rules, self._methods if is_shipping else self._goods)
        targets = [index for index in selected if self.rows[index].is_discountable]
        buys = self._selected(promotion.buy_rules, self._goods) if promotion.kind == PromotionKind.BUYGET else ()
        skip = unmet(promotion.rules, self.cart.facts)
        if skip is None and not targets:
            skip = Skip(SkipReason.NO_SHIPPING_METHOD if is_shipping else SkipReason.NO_MATCHING_ITEMS)
        kind = 0 if promotion.kind == PromotionKind.BUYGET else _ORDER[promotion.type]
        place = (CLASSES.index(promotion.target), -promotion.priority, kind)
        return Prepared(promotion, place, selected, targets, buys, skip)

    def apply(self, promotions: Iterable[Prepared]) -> Outcome:
        """What they take off together."""
        left, discounts, skipped = [*self.stated], [list[Discount]() for _ in self.rows], dict[str, Skip]()
        bought, spent = BoughtUnits(self.rows), Counter[str]()
        at_beginning, current = left, -1
        for each in sorted(promotions, key=lambda each: each.place):
            if each.place[0] != current:
                at_beginning, current = [*left], each.place[0]
            free = bought.free
            taken = each.skip or self._taken(each, left, at_beginning, bought)
            if not isinstance(taken, Skip):
                taken = self._within_budget(each.promotion, taken, spent)
            if isinstance(taken, Skip):
                if taken.reason == SkipReason.BUDGET_EXCEEDED:
                    bought.free = free  # other promotions can use its units
                skipped[each.promotion.promotion_id] = taken
                continue
            for index, amount in taken:
                left[index] -= amount
                discounts[index].append(Discount(each.promotion.promotion_id, amount))
        return Outcome(discounts, skipped)

    def _selected(self, rules: Sequence[OfferRule], among: Iterable[int]) -> Sequence[int]:
        return [index for index in among if selects(rules, self.rows[index])] if rules else [*among]

    def _taken(
        self, each: Prepared, left: Sequence[int], at_beginning: Sequence[int], bought: BoughtUnits
    ) -> list[tuple[int, int]] | Skip:
        """The amounts above 0, by row."""
        promotion, step = each.promotion, self.step
        if promotion.rules and (
            below := threshold(promotion.rules, lambda name: self._number(name, each, at_beginning))
        ):
            return below
        targets = [index for index in each.targets if left[index]]
        if promotion.target == PromotionTarget.ORDER or promotion.allocation == Allocation.ACROSS:
            rows, amounts = [self.rows[index] for index in targets], [left[index] for index in targets]
            return _above_0(targets, off_all(promotion, rows, amounts, step))
        if promotion.kind == PromotionKind.BUYGET:
            units = bought.take(promotion, left, buys=each.buys, targets=targets)
            if isinstance(units, Skip):
                return units
        elif promotion.allocation == Allocation.ONCE:
            units = cheapest(promotion.max_quantity or 0, self.rows, left, targets)
        else:
            units = {index: self._most(promotion, index) for index in targets}
        return _above_0(
            units,
            (off_units(promotion, self.rows[index], left[index], number, step) for index, number in units.items()),
        )

    def _most(self, promotion: ActivePromotion, index: int) -> int:
        quantity, most = self.rows[index].quantity, promotion.max_quantity
        return quantity if most is None else min(quantity, most)

    def _number(self, attribute: str, each: Prepared, at_beginning: Sequence[int]) -> int:
        match attribute:
            case attributes.ITEM_TOTAL:
                return sum(at_beginning[index] for index in self._goods)
            case attributes.ORIGINAL_ITEM_TOTAL:
                return sum(self.stated[index] for index in self._goods)
            case attributes.TARGET_TOTAL:
                return sum(at_beginning[index] for index in each.selected)
            case attributes.TARGET_QUANTITY:
                return pieces(sum(self.rows[index].quantity for index in each.selected))
        return pieces(sum(self.rows[index].quantity for index in self._goods))

    @staticmethod
    def _within_budget(
        promotion: ActivePromotion, taken: list[tuple[int, int]], spent: Counter[str]
    ) -> list[tuple[int, int]] | Skip:
        if not taken:
            return Skip(SkipReason.NO_MATCHING_ITEMS)
        if promotion.budget is not None:
            campaign_id, available = promotion.budget
            together = spent[campaign_id] + sum(amount for _, amount in taken)
            if together > available:
                return Skip(SkipReason.BUDGET_EXCEEDED)
            spent[campaign_id] = together
        return taken


def _above_0(indexes: Iterable[int], amounts: Iterable[int]) -> list[tuple[int, int]]:
    return [(index, amount) for index, amount in zip(indexes, amounts, strict=True) if amount]
