"""The emails about a return: that it was requested, and what of it was received."""

from django.db.models import Prefetch

from kit.messages.mails.kinds import RenderedMail
from kit.values.json import JSON
from kit.values.written_amounts import written
from orders.mails.shared import OF_ORDER, order_mail, units_of
from orders.models import OrderShippingMethod, Return, ReturnItem
from orders.states import ReturnStatus

REQUESTED = "return_requested"
RECEIVED = "return_received"
_ITEMS = Prefetch("items", ReturnItem.objects.not_deleted().select_related("item"))
_METHODS = Prefetch("shipping_methods", OrderShippingMethod.objects.not_deleted())


def render_request_mail(about: str, number: int) -> RenderedMail | None:
    """The email that the return with that id was requested. None if it was canceled, or nobody gets emails."""
    row = _mailed(about)
    if row is None:
        return None
    code = row.order.currency_id
    return order_mail(
        REQUESTED,
        row.order,
        return_number=row.display_id,
        lines=[units_of(item.item, item.quantity) for item in _items(row)],
        shipping_methods=[
            {"name": method.name, "total": written(method.original_total, code) if method.original_total else ""}
            for method in row.shipping_methods.all()
        ],
    )


def render_receipt_mail(about: str, number: int) -> RenderedMail | None:
    """The email about what was received so far of the return with that id; None if nothing was, or as above."""
    row = _mailed(about)
    if row is None or row.status == ReturnStatus.REQUESTED:
        return None
    received, expected = list[JSON](), list[JSON]()
    for item in _items(row):
        units = item.received_quantity + item.damaged_quantity
        if units:
            received.append({**units_of(item.item, units), "damaged": item.damaged_quantity})
        if units < item.quantity:
            expected.append(units_of(item.item, item.quantity - units))
    return order_mail(RECEIVED, row.order, return_number=row.display_id, lines=received, expected=expected)


def _mailed(return_id: str) -> Return | None:
    rows = Return.objects.not_deleted().select_related(*OF_ORDER).prefetch_related(_ITEMS, _METHODS)
    known = rows.filter(pk=return_id).exclude(status__in=[ReturnStatus.OPEN, ReturnStatus.CANCELED])
    return known.exclude(no_notification=True).first()


def _items(row: Return) -> list[ReturnItem]:
    return sorted(row.items.all(), key=lambda item: str(item.pk))
