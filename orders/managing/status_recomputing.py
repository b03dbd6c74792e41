"""Recomputing the stored statuses of orders, after rows were written by other programs or the rules have changed."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from django.db import transaction

from kit.reads.sql.keyed_rows import KeyedRows
from kit.values.timestamps import now
from kit.writes import raw_rows
from orders.common.summary import payments_due
from orders.fulfillments.status import LineProgress, fulfillment_status
from orders.models import Order, OrderLineItem
from orders.payment.order_payments import payment_states_of

BATCH = 1000
"""Orders that are read at a time."""


class Recomputed(NamedTuple):
    """Numbers of orders."""

    checked: int
    corrected: int


def recompute() -> Iterator[Recomputed]:
    """Recompute the payment status and the fulfillment status of all orders, in batches.

    The shop may stay open: each batch is a transaction that locks only the orders whose statuses are wrong.
    """
    last = ""
    while keys := list(Order.objects.filter(pk__gt=last).order_by("pk").values_list("pk", flat=True)[:BATCH]):
        last = keys[-1]
        yield Recomputed(len(keys), _correct([row["id"] for row in _corrections(_ORDERS.read(keys))]))


@transaction.atomic
def _correct(order_ids: Sequence[str]) -> int:
    """Recompute these once more under their locks, since verbs may have written them in between."""
    rows, moment = _corrections(_LOCKED.read(order_ids)), now()
    raw_rows.update(Order, [{**row, "updated_at": moment} for row in rows])
    return len(rows)


class _Stored(NamedTuple):
    """Amounts are in 1/10,000; canceled_at is the database's text."""

    id: str
    total: int
    return_shipping_due: int
    agreed_return_total: int
    canceled_at: str | None
    payment_status: str
    fulfillment_status: str


class _LineRow(NamedTuple):
    order_id: str
    quantity: int
    fulfilled_quantity: int
    shipped_quantity: int
    delivered_quantity: int
    return_received_quantity: int
    return_dismissed_quantity: int
    requires_shipping: bool
    written_off_quantity: int


def _corrections(orders: Sequence[_Stored]) -> list[dict[str, str]]:
    """The ids and right statuses of those orders whose stored ones differ. Three statements."""
    order_ids = [order.id for order in orders]
    states, lines = payment_states_of(order_ids), _lines_of(order_ids)
    rows = []
    for order in orders:
        state, is_canceled = states[order.id], order.canceled_at is not None
        due = payments_due(order.total, order.return_shipping_due, order.agreed_return_total)
        payment = state.status(due, is_canceled=is_canceled).value
        fulfillment = fulfillment_status(lines[order.id], is_canceled=is_canceled).value
        if (payment, fulfillment) != (order.payment_status, order.fulfillment_status):
            rows.append({"id": order.id, "payment_status": payment, "fulfillment_status": fulfillment})
    return rows


def _lines_of(order_ids: Sequence[str]) -> dict[str, list[LineProgress]]:
    lines: dict[str, list[LineProgress]] = defaultdict(list)
    for row in _LINES.read(order_ids):
        counters = (row.quantity, row.fulfilled_quantity, row.shipped_quantity, row.delivered_quantity)
        returned = row.return_received_quantity + row.return_dismissed_quantity
        progress = LineProgress(*counters, returned, bool(row.requires_shipping), row.written_off_quantity)
        lines[row.order_id].append(progress)
    return lines


_ORDERS = KeyedRows(Order.objects.all, key="id", row=_Stored)
_LOCKED = KeyedRows(Order.objects.all, key="id", row=_Stored, locked=True)
_LINES = KeyedRows(OrderLineItem.objects.not_deleted, key="order_id", row=_LineRow)
