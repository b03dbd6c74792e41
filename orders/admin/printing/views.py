"""The views of printable pages."""

from typing import Any

from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, path

from orders.admin.printing.sheets import Sheet, delivery_note, packing_list, remaining_list
from orders.models import Fulfillment, Order


class PrintUrls:
    """Mixin for the screen of orders. Users who may view orders may print them."""

    def get_urls(self: Any) -> list[URLPattern]:
        wrap = self.admin_site.admin_view
        own = [
            path("<str:object_id>/packing-list/", wrap(self.remaining_view), name="orders_order_remaining_list"),
            path(
                "<str:object_id>/packing-list/<str:fulfillment_id>/",
                wrap(self.packing_view),
                name="orders_order_packing_list",
            ),
            path(
                "<str:object_id>/delivery-note/<str:fulfillment_id>/",
                wrap(self.delivery_view),
                name="orders_order_delivery_note",
            ),
        ]
        return own + list(super().get_urls())  # type: ignore[misc]

    def remaining_view(self: Any, request: HttpRequest, object_id: str) -> HttpResponse:
        """The packing list of everything that is not packed yet."""
        return _page(request, remaining_list(self._printed(request, object_id)))

    def packing_view(self: Any, request: HttpRequest, object_id: str, fulfillment_id: str) -> HttpResponse:
        """The packing list of a fulfillment."""
        return _page(request, packing_list(_fulfillment(self._printed(request, object_id), fulfillment_id)))

    def delivery_view(self: Any, request: HttpRequest, object_id: str, fulfillment_id: str) -> HttpResponse:
        """The delivery note of a fulfillment, without prices."""
        return _page(request, delivery_note(_fulfillment(self._printed(request, object_id), fulfillment_id)))

    def _printed(self: Any, request: HttpRequest, object_id: str) -> Order:
        order: Order | None = self.get_object(request, unquote(object_id))
        if not self.has_view_permission(request, order):
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
