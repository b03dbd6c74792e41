"""The promotions of a cart: those whose codes it was given, and automatic ones.

A promotion is in force while it is active, from starts_at on and before ends_at, its own and its campaign's, while its
uses, those of its code, and its campaign's budget are below their limits, and only in its currency if it has one. The
cart's own use, once it is being completed, does not count.
"""

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from django.db.models import (
    BooleanField,
    Count,
    Exists,
    ExpressionWrapper,
    FilteredRelation,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
)
from django.db.models.functions import Coalesce

from carts.arithmetic.offers import OfferRule
from carts.models import Promotion, PromotionCode, PromotionGate, PromotionUsage
from carts.promotions.codes import code_key
from carts.promotions.in_force import automatic, below_limit, in_force, open_gates, within_dates
from carts.promotions.listed_parameters import places, size_of, values
from carts.promotions.offered import OfferedPromotion, PromotionRow, offered, rule_of
from carts.states import PromotionStatus
from kit.database import raw_sql
from kit.reads.sql.keyed_rows import KeyedRows


class CartLink(NamedTuple):
    """What is stored of a promotion that a cart has; see carts.models.CartPromotion."""

    is_applied: bool
    reason: str | None
    missing: int | None


class Promotions(NamedTuple):
    """active: in the order of their ids. given: what the cart has stored, by promotion, active or not."""

    active: list[OfferedPromotion]
    given: Mapping[str, CartLink]


NO_PROMOTIONS = Promotions([], {})


def load_promotions(
    cart_id: str, currency_code: str, customer_key: str | None, *, gates: Collection[str] = ()
) -> Promotions:
    """The automatic promotions whose gates are open, and those of the cart. One statement."""
    rows, rules = _read(cart_id, customer_key or "", sorted(gates))
    links = {
        row.id: CartLink(bool(row.link__is_applied), row.link__reason, row.link__missing)
        for row in rows
        if row.link__id is not None
    }
    active = [
        offered(row, rules.get(row.id, {}).values())
        for row in rows
        if row.is_in_force and row.currency_id in (None, currency_code)
    ]
    return Promotions(active, links)


def any_opened(gates: Collection[str]) -> bool:
    """Whether an automatic promotion has one of these gates. One statement, if there are any gates."""
    return bool(_OPEN_GATES.read(sorted(gates)))


def applied_promotions(cart_id: str) -> list[OfferedPromotion]:
    """The promotions that take something off the cart, as it was last refreshed, also deleted ones. One statement."""
    rows, rules = _read(cart_id, "", ())
    return [offered(row, rules.get(row.id, {}).values()) for row in rows if row.link__id and row.link__is_applied]


def _read(
    cart_id: str, customer_key: str, gates: Sequence[str]
) -> tuple[list[PromotionRow], dict[str, dict[str, tuple[str, OfferRule]]]]:
    """By id; the rules by promotion and id, each with its kind."""
    given: dict[object, object] = {_CART: cart_id, _CUSTOMER: customer_key, **values(gates)}
    text, parameters = _statement(size_of(gates))
    rows: dict[str, PromotionRow] = {}
    rules: dict[str, dict[str, tuple[str, OfferRule]]] = {}
    for found in raw_sql.fetch(text, [given.get(each, each) for each in parameters]):
        row = PromotionRow(*found)
        rows[row.id] = row
        if row.rules__id is not None:
            rules.setdefault(row.id, {})[row.rules__id] = (row.rules__kind, rule_of(row))
    return [rows[key] for key in sorted(rows)], rules


def find_by_code(codes: Collection[str], currency_code: str) -> dict[str, PromotionCode]:
    """What these codes open for anybody now, with its promotion, by the typed code. One statement."""
    keys = {code_key(code) for code in codes} | {code.strip() for code in codes}
    paid = Q(promotion__currency=None) | Q(promotion__currency=currency_code)
    rows = PromotionCode.objects.not_deleted().filter(code_key__in=keys)
    current = in_force("promotion__") & below_limit("") & paid
    found = {each.code_key: each for each in rows.filter(current).select_related("promotion")}
    opened = {code: found.get(code.strip()) or found.get(code_key(code)) for code in codes}
    return {code: row for code, row in opened.items() if row is not None}


_CART, _CUSTOMER = "the cart", "the customer"


_USAGES = PromotionUsage.objects.filter(promotion=OuterRef("pk")).order_by()
_BY_CUSTOMER = _USAGES.filter(customer_key=_CUSTOMER).exclude(cart_id=_CART)
_USED_BY_CUSTOMER = Coalesce(Subquery(_BY_CUSTOMER.values("promotion").annotate(uses=Count("pk")).values("uses")), 0)
_CLAIMED = Exists(_USAGES.filter(cart_id=_CART))
_OPEN_GATES = KeyedRows(open_gates, key="key", columns=("promotion_id",))
_CODE = "link__promotion_code__"
_FLAG = BooleanField()


@cache
def _statement(size: int) -> tuple[str, tuple[object, ...]]:
    """Parts, each with an index of its own; a promotion comes once for each rule, and in several parts.

    size: of the list of gates.
    """
    link = FilteredRelation("cart_promotions", condition=Q(cart_promotions__cart=_CART))
    rows = Promotion.objects.annotate(link=link)
    active = rows.filter(automatic(""))
    parts = [_part(rows.filter(link__cart=_CART)), _part(active.filter(is_gated=False))]
    if size:
        opened = PromotionGate.objects.filter(key__in=places(size)).values("promotion")
        parts.append(_part(active.filter(is_gated=True, pk__in=opened)))
    text, parameters = parts[0].union(*parts[1:], all=True).query.sql_with_params()
    return text, tuple(parameters)


def _part(rows: QuerySet[Promotion]) -> QuerySet[Promotion, tuple[object, ...]]:
    per_customer = Q(usage_limit_per_customer=None) | Q(usage_limit_per_customer__gt=_USED_BY_CUSTOMER)
    has_code = Q(link__promotion_code=None) | Q(**{f"{_CODE}deleted_at": None}) & below_limit(_CODE)
    is_claimed = Q(_CLAIMED, status=PromotionStatus.ACTIVE.value, deleted_at=None) & within_dates("")
    flags = {
        "is_in_force": ExpressionWrapper((in_force("") & has_code | is_claimed) & per_customer, _FLAG),
        "is_claimed": ExpressionWrapper(Q(_CLAIMED), _FLAG),
    }
    return rows.annotate(**flags).values_list(*PromotionRow._fields)
