"""`python -m tests.bench.candidates`: CPU time of choosing among the most promotions that a cart may have.

100 lines and 32 promotions, all of which the cart meets: of all kinds, or buy X get Y alone; that combine with each
other, with no other, with none of their own class, or a third of each.
"""

import statistics
import sys
import time
from collections.abc import Sequence
from typing import Any

import django

django.setup()

from carts import rule_attributes as on
from carts.arithmetic.discounts import choose_promotions
from carts.arithmetic.offers import CLASSES, ActivePromotion, DiscountableLine, OfferedCart, OfferRule
from carts.states import Allocation, Comparison, PromotionKind, PromotionTarget, PromotionType

LINES, MOST = 100, 32
TURNS = 9
AIM_MS = 40
_UNIT = 10_000
_GOODS = [OfferRule(on.COLLECTION, Comparison.IN, frozenset({"a", "b", "c"}))]
_OFF_50 = [OfferRule(on.ITEM_TOTAL, Comparison("gte"), frozenset({"50"}))]
_KINDS: Sequence[dict[str, Any]] = (
    {"value": 10, "allocation": Allocation.EACH},
    {"value": 50, "allocation": Allocation.ONCE, "max_quantity": 7},
    {"value": 100, "type": PromotionType.FIXED, "is_tax_inclusive": True, "allocation": Allocation.ACROSS},
    {"value": 5, "target": PromotionTarget.ORDER, "target_rules": (), "rules": _OFF_50},
)
_BUYGET = {
    "value": 100,
    "kind": PromotionKind.BUYGET,
    "allocation": Allocation.EACH,
    "buy_rules_min_quantity": 2,
    "apply_to_quantity": 1,
    "buy_rules": _GOODS,
}
_OTHERS = frozenset({PromotionTarget.ORDER, PromotionTarget.SHIPPING_METHODS})
COMBINED = {
    "with each other": (frozenset(CLASSES),),
    "with none": (frozenset(),),
    "with other classes": (_OTHERS,),
    "a third of each": (frozenset(CLASSES), frozenset(), _OTHERS),
}


def offers(kinds: Sequence[dict[str, Any]], combined: Sequence[frozenset[PromotionTarget]]) -> list[ActivePromotion]:
    """The most that are considered, of these kinds in turn."""
    return [_offer(index, kinds[index % len(kinds)], combined[index % len(combined)]) for index in range(MOST)]


def _offer(index: int, kind: dict[str, Any], combines_with: frozenset[PromotionTarget]) -> ActivePromotion:
    usual: dict[str, Any] = {
        "type": PromotionType.PERCENTAGE,
        "target": PromotionTarget.ITEMS,
        "target_rules": _GOODS,
        "priority": index % 3,
        "combines_with": combines_with,
    }
    given = usual | kind
    return ActivePromotion(f"promo_{index}", **given | {"value": given["value"] * _UNIT})


def milliseconds(promotions: Sequence[ActivePromotion]) -> float:
    """The median of so many turns."""
    lines = [
        DiscountableLine(
            stated=(1 + index % 37) * (1 + index % 5) * 10 * _UNIT,
            quantity=1 + index % 5,
            is_tax_inclusive=True,
            rate=19 * _UNIT,
            product_id=f"prod_{index}",
            facts={on.COLLECTION: frozenset("abc"[index % 3])},
        )
        for index in range(LINES)
    ]
    taken = []
    for _ in range(TURNS):
        begin = time.process_time()
        choose_promotions(OfferedCart(lines), promotions, currency_code="eur")
        taken.append((time.process_time() - begin) * 1000)
    return statistics.median(taken)


def main() -> None:
    sys.stdout.write(f"{MOST} promotions on {LINES} lines, ms of CPU; the aim is {AIM_MS}\n")
    for title, combined in COMBINED.items():
        mixed, buyget = (milliseconds(offers(kinds, combined)) for kinds in ((*_KINDS, _BUYGET), (_BUYGET,)))
        sys.stdout.write(f"combining {title}: all kinds {mixed:.1f}, buy X get Y {buyget:.1f}\n")


if __name__ == "__main__":
    main()
