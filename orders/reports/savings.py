"""What promotions took off orders, summed again from the orders; `record_usage` of carts keeps it otherwise.

Uses that an older version has counted lack it, and one that releases a use does not lower the sum.
"""

from django.db import transaction
from django.db.models import Case, Exists, F, OuterRef, Q, QuerySet, Subquery, Sum, When
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce

from carts.models import Promotion, PromotionUsage
from kit.values.money import MoneyField, stored
from orders.models import Order, OrderAdjustment, OrderShippingMethodAdjustment

_AT_ONCE = 2000
_AS_STATED = Q(stated_amount__isnull=False, beside_amount=F("amount"), beside_total=F("item__placed_total"))
_OFF_LINE = Case(When(_AS_STATED, then="stated_amount"), default="amount")
_ORDERS = Order.objects.filter(cart_id=OuterRef("cart_id"))


def recompute_savings() -> int:
    """Returns how many promotions had another sum. Orders can be placed and canceled meanwhile."""
    _fill_uses()
    promotions = Promotion.objects.filter(Q(used__gt=0) | ~Q(saved=None)).order_by("pk")
    return sum(map(_sum_uses, promotions.values_list("pk", flat=True)))


def _fill_uses() -> None:
    """In transactions of a few milliseconds for each thousand."""
    lines = OrderAdjustment.objects.filter(item__order__cart_id=OuterRef("cart_id"))
    methods = OrderShippingMethodAdjustment.objects.filter(shipping_method__order__cart_id=OuterRef("cart_id"))
    saved = _taken(lines, _OFF_LINE) + _taken(methods, F("amount"))
    unfilled = PromotionUsage.objects.filter(Exists(_ORDERS), saved=None).order_by("pk")
    last = ""
    while keys := list(unfilled.filter(pk__gt=last).values_list("pk", flat=True)[:_AT_ONCE]):
        last = keys[-1]
        chosen = PromotionUsage.objects.filter(pk__in=keys, saved=None)
        chosen.update(saved=saved, currency_code=Subquery(_ORDERS.values("currency")))


def _taken(parts: "QuerySet[OrderAdjustment] | QuerySet[OrderShippingMethodAdjustment]", amount: object) -> Combinable:
    """What those parts of a use's order take off."""
    own = parts.filter(deleted_at=None, promotion_id=OuterRef("promotion_id")).order_by().values("promotion_id")
    taken = own.annotate(taken=Sum(amount, output_field=MoneyField())).values("taken")
    return Coalesce(Subquery(taken), 0, output_field=MoneyField())


@transaction.atomic
def _sum_uses(promotion_id: str) -> bool:
    """Whether the promotion had another sum."""
    row = Promotion.objects.select_for_update().filter(pk=promotion_id)
    [saved] = row.values_list("saved", flat=True)
    uses = PromotionUsage.objects.filter(promotion=promotion_id).exclude(currency_code=None).order_by()
    sums = uses.values_list("currency_code").annotate(Sum("saved"))
    found = {code: stored(amount) for code, amount in sums}
    if {code: amount for code, amount in (saved or {}).items() if amount} == {c: a for c, a in found.items() if a}:
        return False
    row.update(saved=found)
    return True
