"""Orders that were delivered, to be exchanged and claimed by the verbs."""

from typing import Any

from catalog.models import ProductVariant
from kit.messages.outbox.models import Event
from orders.changes.added_lines import NewItem
from orders.exchanges import exchanging, inbound, lifecycle, outbound
from orders.exchanges.inbound import ReturnedUnits
from orders.fulfillments import delivery
from orders.models import Order, OrderChange, OrderChangeAction
from orders.states import ChangeKind, ClaimType
from tests.orders.changes.shop import line, order_a
from tests.orders.fulfillments.shop import STAFF, lines, pack


def delivered_a(**given: Any) -> Order:
    """Order A, delivered: each line in a parcel of its own."""
    order = order_a(**given)
    for place, each in enumerate(lines(order)):
        delivery.deliver(actor=STAFF, fulfillment_id=pack(order, *[0] * place, each.quantity).pk)
    return order


def back(order: Order, title: str = "mug", units: int = 1, **given: Any) -> list[ReturnedUnits]:
    return [ReturnedUnits(line(order, title).pk, units, **given)]


def begun(order: Order, kind: ChangeKind = ChangeKind.EXCHANGE, claim_type: ClaimType | None = None) -> str:
    return lifecycle.begin(actor=STAFF, order_id=order.pk, kind=kind, claim_type=claim_type)


def ready(order: Order, variant: ProductVariant, units: int = 1) -> str:
    """An open exchange of a mug for units of the variant."""
    change_id = begun(order)
    inbound.add(actor=STAFF, change_id=change_id, items=back(order))
    outbound.add(actor=STAFF, change_id=change_id, items=[NewItem(variant.pk, units)])
    return change_id


def exchanged(order: Order, variant: ProductVariant, **given: Any) -> OrderChange:
    exchanging.exchange(actor=STAFF, order_id=order.pk, returned=back(order), added=[NewItem(variant.pk, 1)], **given)
    return OrderChange.objects.latest("created_at")


def action_of(change_id: str, action: str) -> OrderChangeAction:
    found: OrderChangeAction = OrderChangeAction.objects.get(change=change_id, action=action)
    return found


def event(name: str) -> Any:
    """What the latest event of that name holds."""
    return Event.objects.filter(name=name).latest("created_at").data
