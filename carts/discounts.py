"""What promotions take off the lines of a cart, before tax. No database: frozen numbers in, frozen numbers out.

Promotions on items come before those on the order, among these percentages before amounts, and otherwise each in the
order given. Each takes from what those before it have left, so that no line falls below 0. Amounts are in 1/10,000 of a
major unit, net of tax. Source: behaviour.md 0.21.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from carts.states import PromotionTarget, PromotionType
from commerce.kit.core import money
from commerce.kit.core.money import HUNDRED_PERCENT
from commerce.kit.core.rounding import half_up, split_within


class DiscountedLine(NamedTuple):
    """A line as promotions see it. subtotal: its LineTotals.subtotal, in the currency's digits."""

    subtotal: int
    quantity: int
    product_id: str | None = None
    is_discountable: bool = True


class Offer(NamedTuple):
    """A promotion that holds now, for the cart's currency.

    value: a percentage in 1/10,000 percent; or an amount, off each piece on items, off all together on the order.
    product_ids: the products that it is for; of none, for all. An offer on the order is then one on their lines.
    """

    promotion_id: str
    type: PromotionType
    target: PromotionTarget
    value: int
    product_ids: frozenset[str] = frozenset()


class Taken(NamedTuple):
    """What one promotion takes off one line: above 0."""

    promotion_id: str
    amount: int


def take_off(lines: Sequence[DiscountedLine], offers: Iterable[Offer], *, currency_code: str) -> list[list[Taken]]:
    """What is taken off each line, by promotion in the order in which they were applied.

    An amount off the order, or the share in percent of it, is rounded once and shared over the lines by what is left of
    them: half-up, the remainder on the last line, and on the one before where that would take more than is left of it.
    """
    step = money.step(currency_code)
    left = [line.subtotal if line.is_discountable else 0 for line in lines]
    taken: list[list[Taken]] = [[] for _ in lines]
    for offer in sorted(offers, key=_turn):
        open_to_it = [amount if _is_for(offer, line) else 0 for amount, line in zip(left, lines, strict=True)]
        take = _take_from_items if offer.target == PromotionTarget.ITEMS else _take_from_order
        for index, amount in enumerate(take(offer, lines, open_to_it, step)):
            if amount:
                left[index] -= amount
                taken[index].append(Taken(offer.promotion_id, amount))
    return taken


def _turn(offer: Offer) -> tuple[bool, bool]:
    return offer.target == PromotionTarget.ORDER, offer.type == PromotionType.FIXED


def _is_for(offer: Offer, line: DiscountedLine) -> bool:
    return not offer.product_ids or line.product_id in offer.product_ids


def _take_from_items(offer: Offer, lines: Sequence[DiscountedLine], left: Sequence[int], step: int) -> list[int]:
    return [_amount(offer, amount, line.quantity, step) for amount, line in zip(left, lines, strict=True)]


def _take_from_order(offer: Offer, _: Sequence[DiscountedLine], left: Sequence[int], step: int) -> list[int]:
    return split_within(_amount(offer, sum(left), 1, step), left, step)


def _amount(offer: Offer, left: int, pieces: int, step: int) -> int:
    """What the offer takes from an amount: never more than there is."""
    if offer.type == PromotionType.PERCENTAGE:
        return min(half_up(left * offer.value, HUNDRED_PERCENT, step), left)
    return min(half_up(offer.value * pieces, 1, step), left)
