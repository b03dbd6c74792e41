"""What staff have to do on orders: the values of the list's parameter `todo`, and the figures of the overview."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from django.conf import settings
from django.db.models import Exists, F, OuterRef, Q

from orders import to_do
from orders.fulfillments.payment import ON_SHIPPING
from orders.models import Fulfillment, OrderLineItem, Return
from orders.models.fulfillments import NOT_SHIPPED
from orders.models.returns import TO_RECEIVE
from orders.states import FulfillmentStatus, PaymentStatus

PARAMETER = "todo"


class ToDo(NamedTuple):
    """One kind of work. label: `To pack`. condition: returns the condition on orders, by the present settings."""

    label: str
    condition: Callable[[], Q]


def _to_pack() -> Q:
    """Paid, as orders/fulfillments/payment.py requires, with units in no fulfillment."""
    lines = OrderLineItem.objects.not_deleted().filter(order=OuterRef("pk"), fulfilled_quantity__lt=F("quantity"))
    waiting = to_do.MAY_BE_PACKED & (Q(fulfillment_status__in=_ALWAYS_TO_PACK) | Q(Exists(lines)))
    return waiting if settings.FULFILL_UNPAID else waiting & Q(payment_status__in=_PAID)


def _to_ship() -> Q:
    packed = Fulfillment.objects.not_deleted().filter(NOT_SHIPPED)
    return Q(canceled_at=None, pk__in=packed.values("order"))


def _to_capture() -> Q:
    """Where shipping captures, only orders that have been shipped: the capture was refused, or waits."""
    if settings.CAPTURE_ON == ON_SHIPPING:
        return to_do.TO_CAPTURE & Q(fulfillment_status__in=_SHIPPED)
    return to_do.TO_CAPTURE


def _to_receive() -> Q:
    return Q(pk__in=Return.objects.not_deleted().filter(TO_RECEIVE).values("order"))


TO_DO: Mapping[str, ToDo] = {
    "pack": ToDo("To pack", _to_pack),
    "ship": ToDo("To ship", _to_ship),
    "capture": ToDo("To capture", _to_capture),
    "refund": ToDo("To refund", lambda: to_do.TO_REFUND),
    "receive": ToDo("Returns to receive", _to_receive),
    "attention": ToDo("Payments that need attention", lambda: to_do.NEEDING_ATTENTION),
}
"""By the value of the parameter."""

_ALWAYS_TO_PACK = (FulfillmentStatus.NOT_FULFILLED, FulfillmentStatus.PARTIALLY_FULFILLED)
_SHIPPED = (
    FulfillmentStatus.PARTIALLY_SHIPPED,
    FulfillmentStatus.SHIPPED,
    FulfillmentStatus.PARTIALLY_DELIVERED,
    FulfillmentStatus.DELIVERED,
)
_PAID = (
    PaymentStatus.AUTHORIZED,
    PaymentStatus.CAPTURED,
    PaymentStatus.PARTIALLY_CAPTURED,
    PaymentStatus.PARTIALLY_REFUNDED,
)
