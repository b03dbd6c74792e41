"""The views of printable pages."""

from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse

from kit.admin.base_admin import BaseAdmin
from orders.admin.printing.sheets import Sheet, delivery_note, packing_list, remaining_list
from orders.models import Fulfillment, Order

Screen = BaseAdmin[Order]


def remaining_view(request: HttpRequest, object_id: str, model_admin: Screen) -> HttpResponse:
    """The packing list of everything that is not packed yet."""
    return _page(request, remaining_list(_printed(model_admin, request, object_id)))


def packing_view(request: HttpRequest, object_id: str, fulfillment_id: str, model_admin: Screen) -> HttpResponse:
    """The packing list of a fulfillment."""
    return _page(request, packing_list(_fulfillment(_printed(model_admin, request, object_id), fulfillment_id)))


def delivery_view(request: HttpRequest, object_id: str, fulfillment_id: str, model_admin: Screen) -> HttpResponse:
    """The delivery note of a fulfillment, without prices."""
    return _page(request, delivery_note(_fulfillment(_printed(model_admin, request, object_id), fulfillment_id)))


PRINT_URLS = (
    ("<str:object_id>/packing-list/", "orders_order_remaining_list", remaining_view),
    ("<str:object_id>/packing-list/<str:fulfillment_id>/", "orders_order_packing_list", packing_view),
    ("<str:object_id>/delivery-note/<str:fulfillment_id>/", "orders_order_delivery_note", delivery_view),
)
"""For `custom_urls` of the screen of orders. Users who may view orders may print them."""


def _printed(screen: Screen, request: HttpRequest, object_id: str) -> Order:
    order = screen.get_object(request, unquote(object_id))
    if not screen.has_view_permission(request, order):
        raise PermissionDenied
    if order is None:
        raise Http404
    return order


def _fulfillment(order: Order, fulfillment_id: str) -> Fulfillment:
    """Raises Http404 for a fulfillment that is canceled or belongs to another order."""
    rows = Fulfillment.objects.not_deleted().filter(order=order, canceled_at=None)
    found: Fulfillment | None = rows.select_related("location", "delivery_address").with_id(fulfillment_id)
    if found is None:
        raise Http404
    found.order = order
    return found


def _page(request: HttpRequest, sheet: Sheet) -> HttpResponse:
    return TemplateResponse(request, "orders/sheet.html", {"sheet": sheet})
