"""Links to orders on the screens of the apps below."""

from collections.abc import Collection, Mapping

from django.http import HttpRequest

from commerce.kit.admin.row_link import opening_link
from orders.models import Order, OrderLineItem


def order_links(
    request: HttpRequest, *, order_ids: Collection[str] = (), line_ids: Collection[str] = ()
) -> Mapping[str, str]:
    """See carts/admin/order_links.py. At most two statements."""
    of_lines = dict(OrderLineItem.objects.filter(pk__in=line_ids).values_list("pk", "order_id")) if line_ids else {}
    wanted = {*order_ids, *of_lines.values()}
    links = {order.pk: opening_link(request, order) for order in Order.objects.filter(pk__in=wanted)} if wanted else {}
    return links | {line_id: links[order_id] for line_id, order_id in of_lines.items()}
