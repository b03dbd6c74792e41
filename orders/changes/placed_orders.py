"""Reading an order as its costs are computed from it."""

from collections import defaultdict
from typing import NamedTuple

import orjson
from django.conf import settings
from django.db.models import Exists, OuterRef

from carts.arithmetic.adjustments import STORED_COLUMNS, StoredAdjustment
from carts.arithmetic.line_totals import Line, LineTotals
from carts.arithmetic.offers import ActivePromotion, Facts, OfferRule, facts_of_goods
from carts.promotions.facts import OF_CATALOGUE, asks, catalogue_facts
from carts.states import Allocation, Comparison, PromotionKind, PromotionTarget, PromotionType, RuleKind
from catalog.models import ProductVariant
from kit.reads.sql.keyed_rows import KeyedRows
from orders.changes.order_rows import GrantedPromotion, LineDiscount, OrderLine, OrderMethod, PlacedOrder, line_title
from orders.common.summary import BALANCE_COLUMNS, Balance
from orders.fulfillments.status import arrived
from orders.models import Order, OrderAdjustment, OrderLineItem, OrderPromotion, OrderShippingMethod, OrderTaxLine
from orders.returns.returnable import sent_units


def placed_order(order_id: str, *, with_facts: bool = False, with_sent: bool = False) -> PlacedOrder:
    """The order as it is stored: lines, methods, discounts and promotions by their ids. Six statements.

    with_facts: whether rules of promotions are to be compared; one statement more if these are about the catalogue.
    with_sent: whether units can be returned or claimed; one statement more.
    """
    [(currency_code, *balance)] = _ORDERS.read([order_id])
    rows = sorted(_LINES.read([order_id]))
    promotions = [_granted(row) for row in sorted(_PROMOTIONS.read([order_id]))]
    products: dict[str, Facts] = {}
    if with_facts and any(asks([each.promotion for each in promotions], attribute) for attribute in OF_CATALOGUE):
        products = {**catalogue_facts(row.product_id for row in rows)}
    sent = sent_units(row.id for row in rows) if with_sent else {}
    rates, discounts = defaultdict[str, list[int]](list), defaultdict[str, list[LineDiscount]](list)
    for _, line_id, rate in sorted(_TAXES.read([order_id])):
        rates[line_id].append(rate)
    for adjustment_id, line_id, promotion_id, code, *columns in sorted(_DISCOUNTS.read([order_id])):
        stored = StoredAdjustment(*columns)
        discounts[line_id].append(LineDiscount(adjustment_id, promotion_id, code, stored))
    return PlacedOrder(
        order_id,
        currency_code,
        Balance(*balance),
        [_line(row, rates[row.id], tuple(discounts[row.id]), products, sent.get(row.id, 0)) for row in rows],
        [
            OrderMethod(method_id, LineTotals._make((*totals, ())))
            for method_id, *totals in sorted(_METHODS.read([order_id]))
        ],
        promotions,
    )


class _Line(NamedTuple):
    id: str
    title: str
    variant_title: str | None
    quantity: int
    unit_price: int
    is_tax_inclusive: bool
    exempt_rate: int | None
    placed_total: int
    fulfilled_quantity: int
    shipped_quantity: int
    delivered_quantity: int
    return_requested_quantity: int
    return_agreed_quantity: int
    return_received_quantity: int
    return_dismissed_quantity: int
    written_off_quantity: int
    is_giftcard: bool
    is_discountable: bool
    has_variant: bool
    product_id: str | None
    variant_id: str | None
    product_type_id: str | None


class _Promotion(NamedTuple):
    """rules: the database's JSON."""

    promotion_id: str
    code: str
    type: str
    target: str
    value: int
    is_tax_inclusive: bool
    kind: str
    allocation: str | None
    max_quantity: int | None
    buy_rules_min_quantity: int | None
    apply_to_quantity: int | None
    priority: int
    rules: str | None


def _line(
    row: _Line, rates: list[int], discounts: tuple[LineDiscount, ...], products: dict[str, Facts], sent: int
) -> OrderLine:
    """sent: units that were shipped, or picked up."""
    exempt_rate = 0 if rates else row.exempt_rate or 0
    returned = row.return_received_quantity + row.return_dismissed_quantity
    gone = returned + row.return_requested_quantity
    reached = sent
    if settings.RETURN_AFTER == "delivered":
        reached = arrived(row.delivered_quantity, sent, row.written_off_quantity)
    return OrderLine(
        row.id,
        line_title(row.title, row.variant_title),
        Line(row.quantity, row.unit_price, bool(row.is_tax_inclusive), rates, exempt_rate=exempt_rate),
        row.placed_total,
        discounts,
        row.fulfilled_quantity,
        row.shipped_quantity,
        row.return_requested_quantity,
        returned,
        row.return_agreed_quantity,
        max(reached - gone, 0),
        max(sent - gone, 0),
        bool(row.is_giftcard),
        bool(row.is_discountable),
        bool(row.has_variant) or row.variant_id is None,
        facts_of_goods(row.product_id, row.variant_id, row.product_type_id, products),
    )


def _granted(row: _Promotion) -> GrantedPromotion:
    rules = orjson.loads(row.rules or "null")
    of_kind = {
        kind: [
            OfferRule(rule["attribute"], Comparison(rule["operator"]), frozenset(rule["values"]))
            for rule in rules or ()
            if rule["kind"] == kind
        ]
        for kind in (RuleKind.TARGET_RULES, RuleKind.BUY_RULES)
    }
    promotion = ActivePromotion(
        row.promotion_id,
        PromotionType(row.type),
        PromotionTarget(row.target),
        row.value,
        bool(row.is_tax_inclusive),
        of_kind[RuleKind.TARGET_RULES],
        PromotionKind(row.kind),
        Allocation(row.allocation) if row.allocation else None,
        row.max_quantity,
        row.buy_rules_min_quantity or 0,
        row.apply_to_quantity or 0,
        of_kind[RuleKind.BUY_RULES],
        priority=row.priority,
    )
    return GrantedPromotion(promotion, row.code, has_rules=rules is not None)


_ORDERS = KeyedRows(Order.objects.all, key="id", columns=("currency_id", *BALANCE_COLUMNS))
_LINES = KeyedRows(
    lambda: OrderLineItem.objects.not_deleted().annotate(
        has_variant=Exists(
            ProductVariant.objects.not_deleted().filter(pk=OuterRef("variant_id"), product__deleted_at=None)
        )
    ),
    key="order_id",
    row=_Line,
)
_TAXES = KeyedRows(
    lambda: OrderTaxLine.objects.not_deleted().filter(item__deleted_at=None),
    key="item__order_id",
    columns=("id", "item_id", "rate"),
)
_DISCOUNTS = KeyedRows(
    lambda: OrderAdjustment.objects.not_deleted().filter(item__deleted_at=None),
    key="item__order_id",
    columns=("id", "item_id", "promotion_id", "code", *STORED_COLUMNS, "item__placed_total"),
)
_METHODS = KeyedRows(OrderShippingMethod.objects.not_deleted, key="order_id", columns=("id", *LineTotals._fields[:-1]))
_PROMOTIONS = KeyedRows(OrderPromotion.objects.all, key="order_id", row=_Promotion)
