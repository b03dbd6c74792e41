"""Counting the uses of promotions by carts that are completed.

A use is a row for each (promotion, cart); `used` of a promotion is their number. Callers hold a transaction and the
cart's lock. Why: docs/decisions/carts.md#the-uses-of-a-promotion-are-rows.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.db.models import Exists, OuterRef, Q, QuerySet

from carts.errors import PromotionUsedUp
from carts.models import Promotion, PromotionRule, PromotionUsage
from carts.promotions.claimed_limits import give_back_budgets, give_back_codes, take_budgets, take_codes
from carts.rule_attributes import IS_FIRST_ORDER
from kit.reads.sql.keyed_rows import KeyedRows
from kit.values import email_address
from kit.values.ids import new_id
from kit.values.timestamps import now
from kit.writes import raw_rows


def customer_key(account_id: str | None, email: str | None) -> str | None:
    """What limits per customer count by: the id of an account, else the email address in lower case, if any."""
    return account_id or (email_address.normalized(email) if email else None)


class Claim(NamedTuple):
    """What a use of a promotion takes besides. code_id: of the entered code.

    campaign_id: whose budget counts it. amount: what the promotion takes off, in 1/10,000 as stated on the lines.
    currency_code: of the cart.
    """

    code_id: str | None = None
    campaign_id: str | None = None
    amount: int = 0
    currency_code: str | None = None


def record_usage(
    cart_id: str, promotion_ids: Sequence[str], customer_key: str, claims: Mapping[str, Claim] | None = None
) -> None:
    """Count a use of each promotion by the cart, or none. What the cart has used already does not count again.

    claims: by promotion; without one, it takes no code and no budget.
    Raises PromotionUsedUp for a promotion whose limit, in all or for the customer, is reached, or that of its code or
    campaign. Four statements for any number of promotions, none without promotions; one more for each code and budget.
    """
    promotions = _LOCKED.read(sorted(promotion_ids))
    uses = _USES.read(sorted(promotion_ids), cart_id, customer_key)
    own = {use.promotion_id for use in uses if use.cart_id == cart_id}
    by_customer = Counter(use.promotion_id for use in uses)
    new = [promotion for promotion in promotions if promotion.id not in own]
    for promotion in new:
        per_customer = 1 if promotion.is_for_first_order else promotion.usage_limit_per_customer
        if promotion.usage_limit is not None and promotion.used >= promotion.usage_limit:
            raise PromotionUsedUp(promotion.code)
        if per_customer is not None and by_customer[promotion.id] >= per_customer:
            raise PromotionUsedUp(promotion.code)
    moment = now()
    given = {promotion.id: (claims or {}).get(promotion.id, Claim()) for promotion in new}
    names = {promotion.id: promotion.code for promotion in new}
    take_codes({claim.code_id: names[key] for key, claim in given.items() if claim.code_id})
    taken = take_budgets([(claim.campaign_id, claim.amount, names[key]) for key, claim in given.items()])
    raw_rows.update(Promotion, [each.moved(1, given[each.id].currency_code, given[each.id].amount) for each in new])
    raw_rows.insert(
        PromotionUsage,
        [
            {
                "id": new_id("prouse"),
                "promotion_id": promotion.id,
                "cart_id": cart_id,
                "customer_key": customer_key,
                "code_id": given[promotion.id].code_id,
                "campaign_id": given[promotion.id].campaign_id,
                "amount": amount,
                "saved": given[promotion.id].amount,
                "currency_code": given[promotion.id].currency_code,
                "created_at": moment,
            }
            for promotion, amount in zip(new, taken, strict=True)
        ],
    )


def release_usage(cart_id: str) -> None:
    """Take back the cart's uses, once. Four statements; two where it has none; one more for each code and budget."""
    promotions = _USED_BY_CART.read([cart_id])
    gone = {use.promotion_id: use for use in _OF_CART.read([cart_id])}
    raw_rows.delete(PromotionUsage, [use.id for use in gone.values()])
    left = [(each, gone[each.id]) for each in promotions if each.id in gone]
    raw_rows.update(Promotion, [each.moved(-1, use.currency_code, -(use.saved or 0)) for each, use in left])
    give_back_codes([use.code_id for use in gone.values() if use.code_id])
    give_back_budgets([(use.campaign_id, use.amount) for use in gone.values()])


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
    saved: dict[str, int] | None
    is_for_first_order: bool = False

    def moved(self, uses: int, currency_code: str | None, amount: int) -> dict[str, object]:
        """The row with these uses more, which take that off.

        Why: docs/decisions/carts.md#what-promotions-took-off-is-kept-in-their-rows.
        """
        saved = self.saved
        if currency_code is not None:
            saved = {**(saved or {}), currency_code: (saved or {}).get(currency_code, 0) + amount}
        return {"id": self.id, "used": self.used + uses, "saved": saved}


class _OwnUse(NamedTuple):
    id: str
    promotion_id: str
    code_id: str | None
    campaign_id: str | None
    amount: int | None
    saved: int | None
    currency_code: str | None


class _Use(NamedTuple):
    promotion_id: str
    cart_id: str


_FIRST_ORDER = PromotionRule.objects.filter(attribute=IS_FIRST_ORDER, values=["true"])


def _uses(cart_id: str, customer_key: str) -> QuerySet[PromotionUsage]:
    """The cart's own, and the customer's of promotions that limit those: of the others there may be any number."""
    of_first_order = Exists(_FIRST_ORDER.filter(promotion=OuterRef("promotion")))
    has_limit = Q(promotion__usage_limit_per_customer__isnull=False) | Q(of_first_order)
    is_limited = Q(customer_key=customer_key) & has_limit
    return PromotionUsage.objects.filter(Q(cart_id=cart_id) | is_limited)


def _promotions() -> QuerySet[Promotion]:
    of_first_order = Exists(_FIRST_ORDER.filter(promotion=OuterRef("pk")))
    rows: QuerySet[Promotion] = Promotion.objects.annotate(is_for_first_order=of_first_order)
    return rows


_LOCKED = KeyedRows(_promotions, key="id", row=_Counted, columns=_Counted._fields, decoded=("saved",), locked=True)
_USED_BY_CART = KeyedRows(
    Promotion.objects.all,
    key="usages__cart_id",
    row=_Counted,
    columns=_Counted._fields[:-1],
    decoded=("saved",),
    locked=True,
)
_USES = KeyedRows(_uses, key="promotion_id", row=_Use)
_OF_CART = KeyedRows(PromotionUsage.objects.all, key="cart_id", row=_OwnUse)
