"""The mail about a canceled order."""

from django.db.models import Prefetch

from commerce.kit.mails.kinds import RenderedMail
from orders.mails.shared import is_mailed, order_link, units_of
from orders.models import Order, OrderLineItem

KIND = "order_canceled"
_LINES = Prefetch("items", OrderLineItem.objects.not_deleted())


def render_cancellation_mail(about: str, number: int) -> RenderedMail | None:
    """The mail about the canceled order with that id. Refunds have mails of their own, once the money has moved."""
    canceled = Order.objects.not_deleted().filter(pk=about, canceled_at__isnull=False)
    rows = canceled.select_related("shipping_address", "billing_address", "region").prefetch_related(_LINES)
    order = rows.first()
    if order is None or not is_mailed(order):
        return None
    lines = sorted(order.items.all(), key=lambda line: line.pk)
    return RenderedMail(
        recipient=str(order.email),
        template=KIND,
        context={
            "order": {"number": str(order)},
            "lines": [units_of(line, line.quantity) for line in lines],
            "has_gift_cards": any(line.is_giftcard for line in lines),
            "link": order_link(order),
        },
    )
