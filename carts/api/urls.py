"""The routes of carts below /store, and of promotions below /admin."""

from django.urls import path

from carts.api.admin import urls as staff
from carts.api.viewsets import CartLines, CartOwner, CartPromotions, Carts

urlpatterns = [
    path("carts", Carts.as_view({"post": "create"})),
    path("carts/<str:id>", Carts.as_view({"get": "retrieve", "post": "change"})),
    path("carts/<str:id>/line-items", CartLines.as_view({"post": "add"})),
    path("carts/<str:id>/line-items/<str:line_id>", CartLines.as_view({"post": "change", "delete": "remove"})),
    path("carts/<str:id>/promotions", CartPromotions.as_view({"post": "add", "delete": "remove"})),
    path("carts/<str:id>/customer", CartOwner.as_view({"post": "take_over"})),
    path("carts/<str:id>/taxes", Carts.as_view({"post": "calculate_taxes"})),
]
admin = staff.urlpatterns
