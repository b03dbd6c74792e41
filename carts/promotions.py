"""The promotions of a cart: those whose codes were added to it, and automatic ones.

A promotion is active from starts_at on and before ends_at, while its uses are below usage_limit, and only in its
currency if it is a fixed amount.
"""

from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from django.db.models import BooleanField, Expression, ExpressionWrapper, F, Q, QuerySet, Value
from django.db.models.functions import Now

from carts.discounts import ActivePromotion
from carts.models import Promotion
from carts.states import PromotionTarget, PromotionType
from commerce.kit.core import database


class CartPromotion(NamedTuple):
    """An active promotion, with its code."""

    promotion: ActivePromotion
    code: str
    is_automatic: bool


class Promotions(NamedTuple):
    """active: in the order of their ids. given: the ids of all that the cart has, active or not."""

    active: list[CartPromotion]
    given: frozenset[str]


def load_promotions(cart_id: str, currency_code: str) -> Promotions:
    """The automatic promotions, and those of the cart. One statement."""
    active: dict[str, CartPromotion] = {}
    given = set()
    text, parameters = _statement()
    for row in database.fetch(text, [cart_id if each == _CART else each for each in parameters]):
        key, code, is_automatic, kind, target, value, currency, is_given, is_in_force, product_id = row
        if is_given:
            given.add(key)
        if is_in_force and currency in (None, currency_code):
            products = active[key].promotion.product_ids if key in active else frozenset()
            promotion = ActivePromotion(
                key, PromotionType(kind), PromotionTarget(target), value, products | ({product_id} - {None})
            )
            active[key] = CartPromotion(promotion, code, bool(is_automatic))
    return Promotions([active[key] for key in sorted(active)], frozenset(given))


def find_by_code(codes: Iterable[str], currency_code: str) -> dict[str, Promotion]:
    """The active promotions, by code. One statement."""
    paid = Q(currency=None) | Q(currency=currency_code)
    return {each.code: each for each in Promotion.objects.not_deleted().filter(_IN_FORCE, paid, code__in=list(codes))}


_IN_FORCE = (
    (Q(starts_at=None) | Q(starts_at__lte=Now()))
    & (Q(ends_at=None) | Q(ends_at__gt=Now()))
    & (Q(usage_limit=None) | Q(used__lt=F("usage_limit")))
)
_CART = "the cart"
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
    columns = ("id", "code", "is_automatic", "type", "target", "value", "currency_id", "is_given", "is_in_force")
    return rows.annotate(is_given=is_given, is_in_force=is_in_force).values_list(*columns, "products__id")
