"""The products of sales channels, as programs maintain them."""

from functools import partial

from django.urls import path
from rest_framework.request import Request

from catalog.products.product_editing.details import VERBS as PRODUCTS
from kit.editing.regrouping import change_members
from kit.graphql.fields.mutations import Change, written_by
from kit.rest.row_endpoint import MembersInput
from kit.rest.viewsets import AdminEndpoint
from kit.rest.writes import WriteEndpoint
from kit.values.json import JSONObject
from shop.api.resources import SALES_CHANNELS

_CHANGING = "catalog.change_product"


class SalesChannelProducts(WriteEndpoint, AdminEndpoint):
    """The products that a sales channel sells."""

    resource = SALES_CHANNELS
    inputs = {"update_products": MembersInput}
    permissions = {"update_products": _CHANGING}

    def update_products(self, request: Request, id: str) -> JSONObject:
        """Add products to a sales channel, and remove others."""
        change_members(PRODUCTS, "sales_channels", id, actor=self.actor, **self.body())
        return self.written(id)


urlpatterns = [
    path("sales-channels/<str:id>/products", SalesChannelProducts.as_view({"post": "update_products"})),
]
MUTATIONS = {
    "update_sales_channel_products": Change(
        SALES_CHANNELS,
        "Add products to a sales channel, and remove others.",
        act=written_by(partial(change_members, PRODUCTS, "sales_channels"), "group_id"),
        permission=_CHANGING,
        input=MembersInput,
    ),
}
