"""Links to orders on the screens of the apps below."""

from collections.abc import Collection, Mapping

from django.db.models import Q
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


def orders_by_number(text: str) -> Collection[str]:
    """See carts/admin/order_links.py. One statement."""
    number, condition = text.removeprefix("#"), Q(custom_display_id=text)
    if number.isascii() and number.isdigit() and int(number) < 2**63:
        condition |= Q(display_id=int(number))
    return list(Order.objects.filter(condition).values_list("pk", flat=True))
