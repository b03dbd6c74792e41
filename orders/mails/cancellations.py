"""The email about a canceled order."""

from kit.messages.mails.kinds import RenderedMail
from orders.mails.shared import LINES, READ, order_mail, units_of
from orders.models import Order

KIND = "order_canceled"


def render_cancellation_mail(about: str, number: int) -> RenderedMail | None:
    """The email about the canceled order with that id. Refunds have emails of their own, once the money has moved."""
    canceled = Order.objects.not_deleted().filter(pk=about, canceled_at__isnull=False)
    order = canceled.select_related(*READ).prefetch_related(LINES).first()
    if order is None:
        return None
    lines = sorted(order.items.all(), key=lambda line: line.pk)
    return order_mail(
        KIND,
        order,
        lines=[units_of(line, line.quantity) for line in lines],
        has_gift_cards=any(line.is_giftcard for line in lines),
    )
