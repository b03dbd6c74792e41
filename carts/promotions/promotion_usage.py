"""Counting the uses of promotions by carts that are completed.

A use is a row for each (promotion, cart); `used` of a promotion is their number. Callers hold a transaction and the
cart's lock. Why: docs/decisions/carts.md#the-uses-of-a-promotion-are-rows.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.db.models import Q, QuerySet

from carts.errors import PromotionUsedUp
from carts.models import Promotion, PromotionUsage
from kit.reads.sql.keyed_rows import KeyedRows
from kit.values import email_address
from kit.values.ids import new_id
from kit.values.timestamps import now
from kit.writes import raw_rows


def customer_key(account_id: str | None, email: str | None) -> str | None:
    """What limits per customer count by: the id of an account, else the email address in lower case, if any."""
    return account_id or (email_address.normalized(email) if email else None)


def record_usage(cart_id: str, promotion_ids: Sequence[str], customer_key: str) -> None:
    """Count a use of each promotion by the cart, or none. What the cart has used already does not count again.

    Raises PromotionUsedUp for a promotion whose limit, in all or for the customer, is reached.
    Four statements for any number of promotions, none without promotions.
    """
    promotions = _LOCKED.read(sorted(promotion_ids))
    uses = _USES.read(sorted(promotion_ids), cart_id, customer_key)
    own = {use.promotion_id for use in uses if use.cart_id == cart_id}
    by_customer = Counter(use.promotion_id for use in uses)
    new = [promotion for promotion in promotions if promotion.id not in own]
    for promotion in new:
        per_customer = promotion.usage_limit_per_customer
        if promotion.usage_limit is not None and promotion.used >= promotion.usage_limit:
            raise PromotionUsedUp(promotion.code)
        if per_customer is not None and by_customer[promotion.id] >= per_customer:
            raise PromotionUsedUp(promotion.code)
    moment = now()
    raw_rows.update(Promotion, [{"id": each.id, "used": each.used + 1} for each in new])
    raw_rows.insert(
        PromotionUsage,
        [
            {
                "id": new_id("prouse"),
                "promotion_id": promotion.id,
                "cart_id": cart_id,
                "customer_key": customer_key,
                "created_at": moment,
            }
            for promotion in new
        ],
    )


def release_usage(cart_id: str) -> None:
    """Take back the cart's uses, once. Four statements; two where it has none."""
    promotions = _USED_BY_CART.read([cart_id])
    gone = {promotion_id: key for key, promotion_id in _OF_CART.read([cart_id])}
    raw_rows.delete(PromotionUsage, list(gone.values()))
    raw_rows.update(Promotion, [{"id": each.id, "used": each.used - 1} for each in promotions if each.id in gone])


def used_up_by_customer(limits: Mapping[str, int], cart_id: str, customer_key: str | None) -> set[str]:
    """The ids of promotions that the customer's other carts have used up. One statement.

    limits: usage_limit_per_customer, by the promotion's id.
    """
    if customer_key is None:
        return set()
    uses = _USES.read(sorted(limits), cart_id, customer_key)
    by_customer = Counter(use.promotion_id for use in uses if use.cart_id != cart_id)
    return {promotion_id for promotion_id, most in limits.items() if by_customer[promotion_id] >= most}


class _Counted(NamedTuple):
    """A promotion with its limits."""

    id: str
    code: str
    used: int
    usage_limit: int | None
    usage_limit_per_customer: int | None


class _Use(NamedTuple):
    promotion_id: str
    cart_id: str


def _uses(cart_id: str, customer_key: str) -> QuerySet[PromotionUsage]:
    """The cart's own, and the customer's of promotions that limit those: of the others there may be any number."""
    is_limited = Q(customer_key=customer_key, promotion__usage_limit_per_customer__isnull=False)
    return PromotionUsage.objects.filter(Q(cart_id=cart_id) | is_limited)


_LOCKED = KeyedRows(Promotion.objects.all, key="id", row=_Counted, locked=True)
_USED_BY_CART = KeyedRows(
    Promotion.objects.all, key="usages__cart_id", row=_Counted, columns=_Counted._fields, locked=True
)
_USES = KeyedRows(_uses, key="promotion_id", row=_Use)
_OF_CART = KeyedRows(PromotionUsage.objects.all, key="cart_id", columns=("id", "promotion_id"))
