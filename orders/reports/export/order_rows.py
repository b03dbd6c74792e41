"""Orders: a row for each, with its amounts, promotions, taxes by rate, and addresses."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any

from django.db.models import Q, QuerySet

from giftcards.spending.cart_credit import PAID_BY_CARD
from kit.domain.actor import Actor
from kit.values.money import major, stored
from orders.common.summary import BALANCE_COLUMNS, Balance, pending_difference
from orders.models import (
    Order,
    OrderCreditLine,
    OrderLineItem,
    OrderPromotion,
    OrderShippingMethodTaxLine,
    OrderTaxLine,
)
from orders.reports.export import cells
from orders.reports.export.batches import batches
from orders.reports.export.choice import Choice
from orders.reports.export.columns import CURRENCY, Column, columns, line, of_order
from orders.reports.export.parts import codes, sums, taxes, taxes_by_rate
from shop.models.addresses import ADDRESS_TEXTS


def _address(of: str) -> tuple[Column, ...]:
    return tuple(Column(f"{of}_{name}", cells.text, f"{of}_address__{name}") for name in ADDRESS_TEXTS)


_STORED_AMOUNTS = (
    *("item_subtotal", "item_tax_total", "item_total", "shipping_subtotal", "shipping_tax_total", "shipping_total"),
    *("discount_total", "tax_total", "credit_line_total"),
)
_MOVED_AMOUNTS = (
    "total",
    "original_order_total",
    "paid_total",
    "refunded_total",
    "credit_refunded_total",
    "allowance_total",
)
_PARTS = frozenset({"units", "promotions", "taxes", "gift_card_total", "pending_difference"})
COLUMNS = (
    *of_order(),
    *columns(cells.moment, "canceled_at"),
    *columns(cells.text, "email", "customer_id", "promotions"),
    *columns(cells.number, "units"),
    Column("currency_code", cells.text, CURRENCY),
    *columns(cells.amount, *_STORED_AMOUNTS, "gift_card_total", *_MOVED_AMOUNTS, "pending_difference"),
    Column("taxes", cells.text, "taxes"),
    *_address("shipping"),
    *_address("billing"),
    *columns(cells.flag, "is_tax_exempt"),
    *columns(cells.text, "tax_number"),
)
_OF_METHOD = Q(shipping_method__deleted_at=None)
"""Canceling a return soft-deletes its shipping method but not the tax lines."""
_READ = tuple(
    dict.fromkeys(["id", *BALANCE_COLUMNS, *(column.source for column in COLUMNS if column.source not in _PARTS)])
)


def rows(actor: Actor, choice: Choice) -> QuerySet[Order]:
    """The chosen orders that the actor may see."""
    return Order.objects.visible_to(actor).filter(choice.condition())


def read(chosen: QuerySet[Order]) -> Iterator[list[list[str]]]:
    """Their cells in batches, in the order of their ids, which is roughly that of their creation.

    Six statements a batch.
    """
    for found in batches(chosen, key=("id",), columns=_READ):
        yield list(_lines(found))


def _lines(orders: Sequence[Any]) -> Iterator[list[str]]:
    ids = [order.id for order in orders]
    units = sums(OrderLineItem.objects.not_deleted(), by="order_id", ids=ids, column="quantity")
    cards = OrderCreditLine.objects.not_deleted().filter(reference=PAID_BY_CARD)
    paid_by_cards = sums(cards, by="order_id", ids=ids, column="amount")
    promotions = codes(OrderPromotion.objects.all(), by="order_id", ids=ids)
    tax_lines = taxes(
        (OrderTaxLine.objects.not_deleted(), "item__order_id"),
        (OrderShippingMethodTaxLine.objects.not_deleted().filter(_OF_METHOD), "shipping_method__order_id"),
        ids=ids,
    )
    for order in orders:
        code = order.currency_id
        parts = {
            "units": units.get(order.id, 0),
            "promotions": promotions.get(order.id),
            "taxes": taxes_by_rate(tax_lines.get(order.id, {}).items(), code),
            "gift_card_total": paid_by_cards.get(order.id, Decimal(0)),
            "pending_difference": _pending_difference(order),
        }
        yield line(COLUMNS, {**order._asdict(), **parts}, code)


def _pending_difference(order: Any) -> Decimal:
    amounts = (stored(getattr(order, name)) for name in BALANCE_COLUMNS[1:])
    return major(pending_difference(Balance(order.canceled_at, *amounts)))
