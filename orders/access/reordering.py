"""Ordering again: a new cart with what can still be bought of an order.

Why: docs/decisions/orders.md#ordering-again-leaves-out-what-is-gone.
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple, cast

from django.db import transaction

from carts.details.addresses import Address, sells_to
from carts.details.creation import make
from carts.details.faults import Faults
from carts.details.line_replacement import WantedLine, put_lines, refresh_priced
from carts.errors import LinesOutOfStock, LinesWithoutPrice
from carts.pricing.line_titles import titled
from catalog.prices import price_context
from customers.models import Customer
from kit.domain.actor import Actor
from kit.errors import DomainError
from kit.values.text import is_storable
from orders.common.errors import OrderNotFound
from orders.models import Order, OrderAddress, OrderChangeAction, OrderLineItem
from orders.states import ChangeAction, ChangeKind, LeftOutReason, OrderChangeStatus
from shop.models.addresses import ADDRESS_TEXTS


class LeftOut(NamedTuple):
    """A line of the order that the new cart lacks. id: of the line. message: why, for shoppers."""

    id: str
    title: str
    quantity: int
    reason: LeftOutReason
    message: str


class Reordered(NamedTuple):
    """The id of the new cart, and what it lacks."""

    cart_id: str
    left_out: Sequence[LeftOut]


@transaction.atomic
def reorder(*, actor: Actor, order_id: str) -> Reordered:
    """Make a cart of the lines of an order, at today's prices; those that cannot be bought are left out.

    It has the region, the email and the addresses of the order, and no codes and no shipping method. A signed-in
    customer owns it. What was exchanged counts as what was sent for it, and a claim's replacement not again. A shipping
    address in a country that the region no longer sells to is left out.
    Raises OrderNotFound, also where the actor may not see the order; InvalidData for a region that is gone,
    CartTotalTooLarge.
    """
    order = Order.objects.visible_to(actor).filter(pk=order_id).first() if is_storable(order_id) else None
    if order is None:
        raise OrderNotFound(order_id)
    customer = Customer.objects.visible_to(actor).filter(pk=actor.id).first() if actor.type == "customer" else None
    shipping = order.shipping_address
    is_served = shipping is not None and (
        shipping.country_code is None or sells_to(str(order.region_id), shipping.country_code)
    )
    cart = make(
        region=price_context.find(region_id=str(order.region_id)),
        sales_channel_id=str(order.sales_channel_id),
        customer_id=customer.pk if customer else None,
        email=customer.email if customer else order.email,
        shipping_address=_copy(shipping) if is_served else None,
        billing_address=_copy(order.billing_address),
        locale=order.locale,
    )
    lines = _lines(order)
    wanted = [WantedLine(line.quantity, variant_id=line.variant_id, metadata=line.metadata) for line in lines]
    faults = Faults()
    refresh_priced(cart, put_lines(cart, wanted, faults), faults)
    refused = {each.field: each.error for each in faults.found}
    left_out = [
        _left_out(line, refused.pop(field))
        for place, line in enumerate(lines)
        if (field := f"items[{place}]") in refused
    ]
    for error in refused.values():  # of all lines together
        raise error
    return Reordered(cart.id, left_out)


def _lines(order: Order) -> list[OrderLineItem]:
    """The lines with the units that were not exchanged, without those that replace others in a claim."""
    actions = OrderChangeAction.objects.filter(change__order=order, change__status=OrderChangeStatus.CONFIRMED)
    replacing = actions.filter(change__kind=ChangeKind.CLAIM, action=ChangeAction.ITEM_ADD).values("line_id")
    returned = actions.filter(change__kind=ChangeKind.EXCHANGE, action=ChangeAction.RETURN_ITEM)
    exchanged = Counter[str]()
    for line_id, units in returned.values_list("line_id", "quantity"):
        exchanged[line_id] += units
    rows = OrderLineItem.objects.not_deleted().filter(order=order).exclude(pk__in=replacing)
    lines = [*rows.order_by("created_at", "pk")]
    for line in lines:
        line.quantity -= exchanged[line.pk]
    return [line for line in lines if line.quantity > 0]


def _copy(address: OrderAddress | None) -> Address | None:
    if address is None:
        return None
    return cast("Address", {name: getattr(address, name) for name in (*ADDRESS_TEXTS, "metadata")})


def _left_out(line: OrderLineItem, error: DomainError) -> LeftOut:
    title = titled(line.title, line.variant_title)
    match error:
        case LinesOutOfStock():
            return LeftOut(line.pk, title, line.quantity, LeftOutReason.OUT_OF_STOCK, error.message)
        case LinesWithoutPrice():
            return LeftOut(line.pk, title, line.quantity, LeftOutReason.NO_PRICE, error.message)
    message = f"{title} is no longer sold"
    return LeftOut(line.pk, title, line.quantity, LeftOutReason.NOT_SOLD, message)
