"""Refunding units of an order: those that are not packed leave it, those that were sent come back.

Why: docs/decisions/refunds.md#a-refund-by-item-is-what-the-order-is-worth-less.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import partial
from typing import NamedTuple, TypedDict, Unpack

from django.db import transaction

from kit.database.locking import retry_on_conflict
from kit.domain.actor import Actor
from kit.values.money import stored
from orders.changes.editing import edit
from orders.changes.items import LineChange
from orders.common.locked_order import lock_order
from orders.common.summary import balance_of, pending_difference, worth
from orders.fulfillments.errors import DuplicateItem, ItemsNotInOrder, QuantityTooSmall
from orders.fulfillments.locked_lines import Line, lines_of
from orders.invoices.following import documents_last
from orders.models import Order, OrderLineItem
from orders.refunds.creation import call_providers, check_terms, check_version, checked_amount, recorded
from orders.refunds.granting import RefundTerms, grant
from orders.refunds.owed import REFUNDING, owed_of
from orders.returns import creation, receipt
from orders.returns.creation import NewReturnItem, ReturnDetails
from orders.returns.receipt import ReceivedItem

NOTE = "Refunded by item."
"""What staff read of the change and of the return."""


@dataclass(frozen=True, slots=True)
class RefundedUnits:
    """Units of a line.

    unpacked: of those that are in no fulfillment: the line's quantity falls by them. returned: of those that can be
    returned: they are received at once. is_restocked: whether these go to stock; if not, they count as damaged.
    """

    line_id: str
    unpacked: int = 0
    returned: int = 0
    is_restocked: bool = True


class Terms(TypedDict, total=False):
    """How units are refunded.

    amount: in major units; by default what the units cost, as far as it is owed to the customer. What is not refunded
        of it stays owed; what exceeds that is an allowance.
    refund_reason_id: required, unless units come back. location_id: where they are restocked; by default where they
        were shipped from. no_notification: whether the customer gets no email about any of it.
    idempotency_digest: a second call with the same digest writes nothing, if the first one has refunded something.
    version: of the order, if nothing must be done once the order has another.
    """

    amount: Decimal | None
    refund_reason_id: str | None
    note: str | None
    to_store_credit: bool
    location_id: str | None
    no_notification: bool | None
    idempotency_digest: str | None
    version: int | None


class ItemRefund(NamedTuple):
    """What a refund by item does. Amounts are in 1/10,000.

    refund_id: None if nothing is refunded. cost: by how much the order is worth less. amount: what is refunded.
    allowance: what of it is not owed to the customer. owed: what stays owed to them. due: what they then owe.
    totals: of each line, before and after.
    """

    refund_id: str | None
    cost: int
    amount: int
    allowance: int
    owed: int
    due: int
    totals: Mapping[str, tuple[int, int]]


def refund_items(*, actor: Actor, order_id: str, units: Sequence[RefundedUnits], **terms: Unpack[Terms]) -> str | None:
    """Refund units of the order; returns the refund's id, None if nothing is refunded.

    Quantities of lines fall as by an edit, and a return is requested and received. The refund is recorded in the same
    transaction; then the providers are called, as after any refund of an order.
    Must not be called inside a transaction (RuntimeError).
    Raises OrderNotFound, OrderChanged, DuplicateItem, QuantityTooSmall, ItemsNotInOrder, the errors of
    `orders.changes.editing.edit`, `orders.returns.creation.request` and `orders.returns.receipt.receive`,
    ReasonRequired, UnknownRefundReason, InvalidData (amount, note), the errors of `grant`, KeyOfAnotherRequest,
    AmountChanged, Forbidden.
    """
    refund_id = retry_on_conflict(partial(_record, actor, order_id, units, terms))
    if refund_id is not None:
        call_providers(refund_id)
    return refund_id


def preview(*, actor: Actor, order_id: str, units: Sequence[RefundedUnits], **terms: Unpack[Terms]) -> ItemRefund:
    """What `refund_items` would do. It takes and raises the same, and nothing of it remains."""
    return retry_on_conflict(partial(_preview, actor, order_id, units, terms))


@transaction.atomic
def _preview(actor: Actor, order_id: str, units: Sequence[RefundedUnits], terms: Terms) -> ItemRefund:
    order = lock_order(order_id)
    check_version(order, terms.get("version"))
    done = _carry_out(actor, order, units, terms)
    transaction.set_rollback(True)
    return done


@transaction.atomic(durable=True)
def _record(actor: Actor, order_id: str, units: Sequence[RefundedUnits], terms: Terms) -> str | None:
    order = lock_order(order_id)
    if (known := recorded(order, _refund_terms(actor, terms), terms.get("amount"))) is not None:
        return str(known.pk)
    check_version(order, terms.get("version"))
    return _carry_out(actor, order, units, terms).refund_id


@documents_last()
def _carry_out(actor: Actor, order: Order, units: Sequence[RefundedUnits], terms: Terms) -> ItemRefund:
    """Do it in the caller's transaction. The number of statements does not depend on that of the lines."""
    actor.require(REFUNDING)
    given = terms.get("amount")
    wanted = None if given is None else stored(checked_amount(order, given))
    before, totals = worth(balance_of(order)), _totals(order.pk)
    lines = _lines_of(order, units)
    return_id = _take_back(actor, order.pk, units, terms)  # first: lowered lines round their discounts anew
    _lower(actor, order, lines, units, muted=terms.get("no_notification"))
    of_refund = replace(_refund_terms(actor, terms), return_id=return_id)
    check_terms(of_refund)
    order = lock_order(order.pk)  # as it is written by now
    difference = pending_difference(balance_of(order))
    cost, owed = before - worth(balance_of(order)), owed_of(order, difference)
    amount = min(cost, owed.refundable) if wanted is None else wanted
    refund_id = grant(order, amount, of_refund, runs_now=True) if amount else None
    after = _totals(order.pk)
    return ItemRefund(
        refund_id,
        cost,
        amount,
        allowance=max(amount - owed.amount, 0),
        owed=max(owed.amount - amount, 0),
        due=max(difference, 0),
        totals={line_id: (total, after.get(line_id, 0)) for line_id, total in totals.items()},
    )


def _refund_terms(actor: Actor, terms: Terms) -> RefundTerms:
    return RefundTerms(
        refund_reason_id=terms.get("refund_reason_id"),
        note=terms.get("note"),
        to_store_credit=terms.get("to_store_credit", False),
        no_notification=terms.get("no_notification"),
        created_by=actor.id,
        idempotency_digest=terms.get("idempotency_digest"),
    )


def _lines_of(order: Order, units: Sequence[RefundedUnits]) -> Mapping[str, Line]:
    """The lines by id, as they are before. Raises DuplicateItem, ItemsNotInOrder, QuantityTooSmall."""
    lines, line_ids = lines_of(order.pk), [each.line_id for each in units]
    if repeated := next((key for key in line_ids if line_ids.count(key) > 1), None):
        raise DuplicateItem(repeated)
    if unknown := [key for key in line_ids if key not in lines]:
        raise ItemsNotInOrder(unknown, order.pk)
    if not units or any(min(each.unpacked, each.returned) < 0 or not each.unpacked + each.returned for each in units):
        raise QuantityTooSmall
    return lines


def _take_back(actor: Actor, order_id: str, units: Sequence[RefundedUnits], terms: Terms) -> str | None:
    """Request and receive the return of the units that were sent; returns its id. Only the receipt is mailed."""
    returned = [each for each in units if each.returned]
    if not returned:
        return None
    items = [NewReturnItem(each.line_id, each.returned) for each in returned]
    details = ReturnDetails(location_id=terms.get("location_id"), internal_note=NOTE)
    return_id = creation.request(actor=actor, order_id=order_id, items=items, details=details, is_mailed=False)
    received = [
        ReceivedItem(each.line_id, *((each.returned, 0) if each.is_restocked else (0, each.returned)))
        for each in returned
    ]
    muted = terms.get("no_notification")
    receipt.receive(actor=actor, return_id=return_id, items=received, no_notification=muted)
    return return_id


def _lower(
    actor: Actor, order: Order, lines: Mapping[str, Line], units: Sequence[RefundedUnits], *, muted: bool | None
) -> None:
    """Lower the quantities of lines by the units that are not packed."""
    lowered = [
        LineChange(each.line_id, lines[each.line_id].quantity - each.unpacked, None, {})
        for each in units
        if each.unpacked
    ]
    if lowered:
        edit(actor=actor, order_id=order.pk, changed_items=lowered, no_notification=muted, internal_note=NOTE)


def _totals(order_id: str) -> dict[str, int]:
    rows = OrderLineItem.objects.not_deleted().filter(order=order_id).values_list("pk", "total")
    return {line_id: stored(total) for line_id, total in rows}
