"""The views of printable pages of one order, and the page of sheets, which those of many orders share."""

from collections.abc import Sequence

from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse

from kit.admin.base_admin import BaseAdmin
from orders.admin.printing.sheets import Sheet, delivery_notes, packing_lists, remaining_lists
from orders.managing.bulk.parcels import Parcel, parcels_of
from orders.models import Order

Screen = BaseAdmin[Order]


def remaining_view(request: HttpRequest, object_id: str, model_admin: Screen) -> HttpResponse:
    """The packing list of everything that is not packed yet."""
    return page_of_sheets(request, remaining_lists([_printed(model_admin, request, object_id)]))


def packing_view(request: HttpRequest, object_id: str, fulfillment_id: str, model_admin: Screen) -> HttpResponse:
    """The packing list of a fulfillment."""
    return page_of_sheets(request, packing_lists([_parcel(_printed(model_admin, request, object_id), fulfillment_id)]))


def delivery_view(request: HttpRequest, object_id: str, fulfillment_id: str, model_admin: Screen) -> HttpResponse:
    """The delivery note of a fulfillment, without prices."""
    return page_of_sheets(request, delivery_notes([_parcel(_printed(model_admin, request, object_id), fulfillment_id)]))


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


def page_of_sheets(request: HttpRequest, sheets: Sequence[Sheet], **context: object) -> HttpResponse:
    """One document, in which each sheet begins a page."""
    return TemplateResponse(request, "orders/sheets.html", {"sheets": sheets, **context})


def _parcel(order: Order, fulfillment_id: str) -> Parcel:
    """Raises Http404 for a fulfillment that is canceled or belongs to another order."""
    found = [each for each in parcels_of([order.pk]).get(order.pk, ()) if each.row.pk == fulfillment_id]
    if not found:
        raise Http404
    return found[0]
