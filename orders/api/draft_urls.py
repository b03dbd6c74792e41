"""The routes of draft orders below /admin."""

from django.urls import path

from orders.api.viewsets.draft_edits import DraftEdits, DraftItems, DraftPromotions, DraftShipping
from orders.api.viewsets.drafts import DraftConversions, DraftOrders

_EDIT = "draft-orders/<str:id>/edit"
_OF_ACTION = {"post": "change", "delete": "remove"}
urlpatterns = [
    path("draft-orders", DraftOrders.as_view({"get": "list", "post": "create"})),
    path("draft-orders/<str:id>", DraftOrders.as_view({"get": "retrieve", "post": "update", "delete": "destroy"})),
    path("draft-orders/<str:id>/convert-to-order", DraftConversions.as_view({"post": "convert"})),
    path(_EDIT, DraftEdits.as_view({"post": "begin", "delete": "cancel"})),
    path(f"{_EDIT}/request", DraftEdits.as_view({"post": "mark"})),
    path(f"{_EDIT}/confirm", DraftEdits.as_view({"post": "confirm"})),
    path(f"{_EDIT}/items", DraftItems.as_view({"post": "add"})),
    path(f"{_EDIT}/items/<str:action_id>", DraftItems.as_view(_OF_ACTION)),
    path(f"{_EDIT}/items/item/<str:item_id>", DraftItems.as_view({"post": "change_line"})),
    path(f"{_EDIT}/promotions", DraftPromotions.as_view({"post": "add", "delete": "remove"})),
    path(f"{_EDIT}/shipping-methods", DraftShipping.as_view({"post": "add"})),
    path(f"{_EDIT}/shipping-methods/<str:action_id>", DraftShipping.as_view(_OF_ACTION)),
    path(
        f"{_EDIT}/shipping-methods/method/<str:method_id>",
        DraftShipping.as_view({"post": "change_method", "delete": "remove_method"}),
    ),
]
