"""The addresses of the forms that act on an order."""

from typing import Any

from django.contrib.admin.utils import unquote
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern, path

from orders.admin.actions import WHOLE_ORDER


class OrderActionUrls:
    """Mixin for the screen of orders."""

    def get_urls(self: Any) -> list[URLPattern]:
        view, name = self.admin_site.admin_view(self.action_view), "orders_order_action"
        own = [
            path("<str:object_id>/actions/<slug:action>/", view, name=name),
            path("<str:object_id>/actions/<slug:action>/<str:about>/", view, name=name),
        ]
        return own + list(super().get_urls())  # type: ignore[misc]

    def action_view(
        self: Any, request: HttpRequest, object_id: str, action: str, about: str = WHOLE_ORDER
    ) -> HttpResponse:
        """The form of the action."""
        self.get_object(request, unquote(object_id))
        raise Http404
