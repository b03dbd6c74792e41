"""The email about a shipment, with its tracking numbers."""

from kit.messages.mails.kinds import RenderedMail
from kit.values.json import JSON
from orders.mails.shared import OF_ORDER, address_lines, order_mail, units_of
from orders.models import Fulfillment

KIND = "order_shipped"


def render_shipment_mail(about: str, number: int) -> RenderedMail | None:
    """The email about the shipped fulfillment with that id, with its present labels; None if nobody gets emails."""
    shipped = Fulfillment.objects.not_deleted().filter(pk=about, shipped_at__isnull=False)
    rows = shipped.select_related("delivery_address", *OF_ORDER).prefetch_related("items__line_item", "labels")
    fulfillment = rows.first()
    if fulfillment is None:
        return None
    return order_mail(
        KIND,
        fulfillment.order,
        lines=_lines(fulfillment),
        parcels=[
            {"tracking_number": label.tracking_number, "tracking_url": label.tracking_url or ""}
            for label in sorted(fulfillment.labels.all(), key=lambda label: label.pk)
        ],
        delivery_address=address_lines(fulfillment.delivery_address),
    )


def _lines(fulfillment: Fulfillment) -> list[JSON]:
    """A kit, which has several items, is one line."""
    by_line = {item.line_item_id: item for item in fulfillment.items.all()}
    return [units_of(by_line[line_id].line_item, by_line[line_id].units) for line_id in sorted(by_line)]
