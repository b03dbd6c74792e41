"""The promotions of a cart: those whose codes were added to it, and automatic ones.

A promotion is active from starts_at on and before ends_at, while its uses are below its limits, and only in its
currency if it is a fixed amount. The cart's own use, once it is being completed, does not count.
"""

from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from django.db.models import (
    BooleanField,
    Count,
    Exists,
    Expression,
    ExpressionWrapper,
    F,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
)
from django.db.models.functions import Coalesce, Now

from carts.arithmetic.discounts import ActivePromotion
from carts.models import Promotion, PromotionUsage
from carts.states import PromotionTarget, PromotionType
from kit.database import raw_sql


class CartPromotion(NamedTuple):
    """An active promotion, with its code. currency_code: of a fixed amount."""

    promotion: ActivePromotion
    code: str
    is_automatic: bool
    currency_code: str | None


class Promotions(NamedTuple):
    """active: in the order of their ids. given: the ids of all that the cart has, active or not."""

    active: list[CartPromotion]
    given: frozenset[str]


def load_promotions(cart_id: str, currency_code: str, customer_key: str | None) -> Promotions:
    """The automatic promotions, and those of the cart. One statement."""
    given_values: dict[object, object] = {_CART: cart_id, _CUSTOMER: customer_key or ""}
    active: dict[str, CartPromotion] = {}
    given = set()
    text, parameters = _statement()
    for row in raw_sql.fetch(text, [given_values.get(each, each) for each in parameters]):
        key, code, is_automatic, kind, target, value, is_taxed, currency, is_given, is_in_force, product_id = row
        if is_given:
            given.add(key)
        if is_in_force and currency in (None, currency_code):
            products = active[key].promotion.product_ids if key in active else frozenset()
            promotion = ActivePromotion(
                key,
                PromotionType(kind),
                PromotionTarget(target),
                value,
                bool(is_taxed),
                products | ({product_id} - {None}),
            )
            active[key] = CartPromotion(promotion, code, bool(is_automatic), currency)
    return Promotions([active[key] for key in sorted(active)], frozenset(given))


def find_by_code(codes: Iterable[str], currency_code: str) -> dict[str, Promotion]:
    """The promotions that anybody can still use, by code. One statement."""
    paid = Q(currency=None) | Q(currency=currency_code)
    rows = Promotion.objects.not_deleted().filter(_CURRENT, _UNLIMITED, paid, code__in=list(codes))
    return {each.code: each for each in rows}


_CART, _CUSTOMER = "the cart", "the customer"
_USAGES = PromotionUsage.objects.filter(promotion=OuterRef("pk")).order_by()
_BY_CUSTOMER = _USAGES.filter(customer_key=_CUSTOMER).exclude(cart_id=_CART)
_USED_BY_CUSTOMER = Coalesce(Subquery(_BY_CUSTOMER.values("promotion").annotate(uses=Count("pk")).values("uses")), 0)
_CURRENT = (Q(starts_at=None) | Q(starts_at__lte=Now())) & (Q(ends_at=None) | Q(ends_at__gt=Now()))
_UNLIMITED = Q(usage_limit=None) | Q(used__lt=F("usage_limit"))
_IN_FORCE = (
    _CURRENT
    & (_UNLIMITED | Q(Exists(_USAGES.filter(cart_id=_CART))))
    & (Q(usage_limit_per_customer=None) | Q(usage_limit_per_customer__gt=_USED_BY_CUSTOMER))
)
_FLAG = BooleanField()


@cache
def _statement() -> tuple[str, tuple[object, ...]]:
    """Two halves, each with an index of its own; a promotion that is in both comes twice."""
    rows = Promotion.objects.not_deleted()
    automatic = _half(rows.filter(_IN_FORCE, is_automatic=True), Value(value=False), Value(value=True))
    given = _half(rows.filter(carts=_CART), Value(value=True), ExpressionWrapper(_IN_FORCE, _FLAG))
    text, parameters = automatic.union(given, all=True).query.sql_with_params()
    return text, tuple(parameters)


def _half(
    rows: QuerySet[Promotion], is_given: Expression, is_in_force: Expression
) -> QuerySet[Promotion, tuple[object, ...]]:
    terms = ("type", "target", "value", "is_tax_inclusive", "currency_id")
    columns = ("id", "code", "is_automatic", *terms, "is_given", "is_in_force")
    return rows.annotate(is_given=is_given, is_in_force=is_in_force).values_list(*columns, "products__id")
