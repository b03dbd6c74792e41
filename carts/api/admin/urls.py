"""The routes of promotions and campaigns below /admin."""

from django.urls import path

from carts.api.admin.campaigns import Campaigns
from carts.api.admin.promotions import Promotions
from kit.rest.row_endpoint import row_routes

urlpatterns = [
    *row_routes("promotions", Promotions),
    *row_routes("campaigns", Campaigns),
    path("campaigns/<str:id>/promotions", Campaigns.as_view({"post": "change_promotions"})),
]
