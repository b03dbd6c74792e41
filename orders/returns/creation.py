"""Requesting a return, by customers and staff, or beginning one that staff prepare."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction

from kit.domain.actor import Actor
from kit.values.ids import new_id
from kit.values.metadata import Metadata, checked
from kit.values.timestamps import now
from kit.writes import raw_rows
from orders.common import events
from orders.fulfillments.location import check_location
from orders.fulfillments.locked_lines import LockedLines, lock_lines
from orders.models import Order, Return, ReturnItem
from orders.returns.errors import NothingToReturn
from orders.returns.notes import checked_note
from orders.returns.reasons import check_reasons
from orders.returns.returnable import check_returnable, counted
from orders.returns.shipping import ReturnMethod, ReturnShipping, add_method, due
from orders.returns.totals import NO_SHIPPING, write_totals
from orders.states import ReturnStatus


@dataclass(frozen=True, slots=True)
class NewReturnItem:
    """Units of a line to return."""

    line_id: str
    quantity: int
    reason_id: str | None = None
    note: str | None = None
    metadata: Metadata | None = None


@dataclass(frozen=True, slots=True)
class ReturnDetails:
    """The fields of a return besides its order and items. shipping: of a return that is requested in one step."""

    location_id: str | None = None
    note: str | None = None
    internal_note: str | None = None
    no_notification: bool | None = None
    metadata: Metadata | None = None
    shipping: ReturnShipping | None = None


@transaction.atomic
def request(
    *,
    actor: Actor,
    order_id: str,
    items: Sequence[NewReturnItem],
    details: ReturnDetails | None = None,
    is_mailed: bool = True,
) -> str:
    """Request the return of units of an order that the actor may see. Returns the return's id.

    The units can then be received; what the customer owes changes only when they are.
    is_mailed: whether the customer gets an email about the request, unless they get none about the return.
    Raises OrderNotFound, OrderCanceled, NothingToReturn, DuplicateItem, QuantityTooSmall, ItemsNotInOrder,
    GiftCardLine, TooManyToReturn, WindowClosed, UnknownReturnReason, ReasonHasNested, UnknownLocation, the errors of
    `shipping.add_method`, InvalidData (notes, metadata), and Forbidden for staff without the permission to add returns.
    """
    given = details or ReturnDetails()
    columns, rows = details_columns(given), [item_columns(item) for item in items]
    order = _opened(actor, order_id)
    if not items:
        raise NothingToReturn
    units = counted([(item.line_id, item.quantity) for item in items])
    check_returnable(order, units, actor=actor)
    check_reasons(item.reason_id for item in items)
    check_location(given.location_id)
    return_id = insert_return(order.row, actor, columns, status=ReturnStatus.REQUESTED, requested_at=now())
    insert_items(return_id, rows)
    method = None
    if given.shipping is not None:
        method = add_method(order, return_id, given.shipping, actor=actor, is_requested=True)
    count_requested(order, units, return_id, method, is_mailed=is_mailed)
    return return_id


@transaction.atomic
def begin(*, actor: Actor, order_id: str, details: ReturnDetails | None = None) -> str:
    """Begin a return without items, which staff add before they request it. Returns its id.

    Raises OrderNotFound, OrderCanceled, UnknownLocation, InvalidData (notes, metadata), Forbidden.
    """
    actor.require("orders.add_return")
    given = details or ReturnDetails()
    columns = details_columns(given)
    order = _opened(actor, order_id)
    check_location(given.location_id)
    return insert_return(order.row, actor, columns, status=ReturnStatus.OPEN, requested_at=None)


def count_requested(
    order: LockedLines,
    units: Mapping[str, int],
    return_id: str,
    method: ReturnMethod | None = None,
    *,
    is_mailed: bool = True,
) -> None:
    """Count the units and the shipping method as requested, and record the event.

    Callers have checked that the units can be returned.
    """
    order.adjust_counter("return_requested_quantity", units)
    shipping = method.added() if method else NO_SHIPPING
    order.write(**write_totals(order, list(units), shipping=shipping), **due(order, method))
    events.return_requested(order.row.pk, return_id, is_mailed=is_mailed)


def details_columns(details: ReturnDetails) -> dict[str, object]:
    """The columns of the details. Raises InvalidData (note, internal_note, metadata)."""
    return {
        "location_id": details.location_id,
        "note": checked_note(details.note, field="note"),
        "internal_note": checked_note(details.internal_note, field="internal_note"),
        "no_notification": details.no_notification,
        "metadata": checked(details.metadata),
    }


def item_columns(item: NewReturnItem) -> dict[str, object]:
    """The columns of a new item. Raises InvalidData (note, metadata)."""
    return {
        "id": new_id("retitem"),
        "item_id": item.line_id,
        "quantity": item.quantity,
        "reason_id": item.reason_id,
        "note": checked_note(item.note, field="note"),
        "metadata": checked(item.metadata),
    }


def insert_items(return_id: str, rows: Sequence[Mapping[str, object]]) -> None:
    """Insert the items into the return; units are expected where a row says nothing of them. One statement."""
    moment = now()
    nothing_yet = dict.fromkeys(
        ("received_quantity", "damaged_quantity", "arrived_quantity", "arrived_damaged_quantity"), 0
    )
    dates = {"created_at": moment, "updated_at": moment, "deleted_at": None}
    raw_rows.insert(ReturnItem, [{"of_return_id": return_id, **nothing_yet, **row, **dates} for row in rows])


def _opened(actor: Actor, order_id: str) -> LockedLines:
    """The order, locked, if the actor may request a return of it. Raises OrderCanceled for a canceled order."""
    if actor.is_trusted:
        actor.require("orders.add_return")
        order = lock_lines(order_id)
    else:
        order = lock_lines(order_id, actor=actor)
    order.require_not_canceled()
    return order


def insert_return(order: Order, actor: Actor, columns: Mapping[str, object], **given: object) -> str:
    """Insert a return of the locked order; returns its id, a new one unless it is given. Two statements."""
    moment = now()
    row = {
        "id": new_id("return"),
        "order_id": order.pk,
        "display_id": Return.objects.filter(order=order).count() + 1,
        "order_version": order.version,
        "created_by": actor.id if actor.type == "user" else None,
        **dict.fromkeys(("received_at", "canceled_at", "received_by", "canceled_by")),
        **columns,
        **given,
        "created_at": moment,
        "updated_at": moment,
        "deleted_at": None,
    }
    raw_rows.insert(Return, [row])
    return str(row["id"])
