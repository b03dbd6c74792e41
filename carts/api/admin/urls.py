"""The routes of promotions and campaigns below /admin."""

from django.urls import path

from carts.api.admin.campaigns import Campaigns
from carts.api.admin.codes import PromotionCodes
from carts.api.admin.promotions import Promotions
from carts.api.admin.rules import PromotionRules
from kit.rest.row_endpoint import row_routes

urlpatterns = [
    path("promotions/rule-attribute-options/<str:rule_type>", PromotionRules.as_view({"get": "attributes"})),
    path("promotions/rule-value-options/<str:rule_type>/<str:attribute_id>", PromotionRules.as_view({"get": "values"})),
    *row_routes("promotions", Promotions),
    path("promotions/<str:id>/codes", PromotionCodes.as_view({"get": "list", "post": "create"})),
    path("promotions/<str:id>/codes/batch", PromotionCodes.as_view({"post": "batch"})),
    path("promotions/<str:id>/codes/<str:code_id>", PromotionCodes.as_view({"get": "retrieve", "delete": "destroy"})),
    path("promotions/<str:id>/<str:rule_type>", PromotionRules.as_view({"get": "rules"})),
    path("promotions/<str:id>/<str:rule_type>/batch", PromotionRules.as_view({"post": "change"})),
    *row_routes("campaigns", Campaigns),
    path("campaigns/<str:id>/promotions", Campaigns.as_view({"post": "change_promotions"})),
]
