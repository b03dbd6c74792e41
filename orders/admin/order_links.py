"""Links to orders on the screens of the apps below."""

from collections.abc import Collection, Mapping

from django.db.models import Q
from django.http import HttpRequest

from carts.admin.cart_links import cart_links
from carts.models import LineItem
from kit.admin.lists.row_link import opening_link
from kit.values.text import whole_number
from orders.models import GrantedRefund, Order, OrderLineItem


def order_links(
    request: HttpRequest,
    *,
    order_ids: Collection[str] = (),
    line_ids: Collection[str] = (),
    refund_ids: Collection[str] = (),
    cart_ids: Collection[str] = (),
) -> Mapping[str, str]:
    """See carts/admin/order_links.py. A statement, and one for each of lines and refunds."""
    of_parts = dict(OrderLineItem.objects.filter(pk__in=line_ids).values_list("pk", "order_id"))
    of_parts.update(GrantedRefund.objects.filter(pk__in=refund_ids).values_list("pk", "order_id"))
    wanted = {*order_ids, *of_parts.values()}
    orders = list(Order.objects.filter(Q(pk__in=wanted) | Q(cart_id__in=cart_ids)))
    links = {order.pk: opening_link(request, order) for order in orders}
    of_carts = {order.cart_id: links[order.pk] for order in orders if order.cart_id in cart_ids}
    return {**links, **of_carts, **{key: links[order_id] for key, order_id in of_parts.items()}}


def line_links(request: HttpRequest, line_ids: Collection[str]) -> Mapping[str, str]:
    """See catalog/admin/stock/line_links.py. At most four statements."""
    of_orders = order_links(request, line_ids=line_ids)
    others = LineItem.objects.filter(pk__in=[key for key in line_ids if key not in of_orders])
    cart_of = dict(others.values_list("pk", "cart_id"))
    links = cart_links(request, cart_of.values())
    known = {line_id: links[cart_id] for line_id, cart_id in cart_of.items() if cart_id in links}  # others were pruned
    return {**of_orders, **known}


def orders_by_number(text: str) -> Collection[str]:
    """See carts/admin/order_links.py. One statement."""
    number, condition = whole_number(text.removeprefix("#")), Q(custom_display_id=text)
    if number is not None:
        condition |= Q(display_id=number)
    return list(Order.objects.filter(condition).values_list("pk", flat=True))
