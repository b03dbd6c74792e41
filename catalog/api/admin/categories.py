"""Product categories, as programs maintain them."""

from collections.abc import Collection
from functools import partial

from django.urls import path
from rest_framework.request import Request

from catalog.api import resources
from catalog.categories.category_editing import VERBS
from catalog.products.product_editing.details import VERBS as PRODUCTS
from kit.editing.regrouping import change_members
from kit.graphql.fields.mutations import Change, written_by
from kit.graphql.fields.rows import row_mutations, row_queries
from kit.rest.requests.input_fields import CharField, IntegerField
from kit.rest.row_endpoint import MembersInput, RowEndpoint, row_routes
from kit.values.json import JSONObject


class ProductCategories(RowEndpoint):
    """Categories of products, in a tree. One with children cannot be deleted."""

    resource = resources.ADMIN_PRODUCT_CATEGORIES
    verbs = VERBS
    sent = {
        "handle": CharField(required=False, help_text="By default, made from the name."),
        "rank": IntegerField(
            required=False, min_value=0, help_text="Position among the children of the parent, from 0. Last by default."
        ),
    }
    inputs = {"update_products": MembersInput}
    permissions = {"update_products": "catalog.change_product"}

    @classmethod
    def offered(cls, action: str) -> Collection[str]:
        return super().offered(action if action in cls.answers else "retrieve")

    def update_products(self, request: Request, id: str) -> JSONObject:
        """Add products to a category, and remove others."""
        change_members(PRODUCTS, "categories", id, actor=self.actor, **self.body())
        return self.written(id)


urlpatterns = [
    *row_routes("product-categories", ProductCategories),
    path("product-categories/<str:id>/products", ProductCategories.as_view({"post": "update_products"})),
]
QUERIES = row_queries(ProductCategories, "admin_")
MUTATIONS = {
    **row_mutations(ProductCategories),
    "update_product_category_products": Change(
        ProductCategories.resource,
        "Add products to a category, and remove others.",
        act=written_by(partial(change_members, PRODUCTS, "categories"), "group_id"),
        permission=ProductCategories.permissions["update_products"],
        viewing=ProductCategories.permissions["retrieve"],
        input=MembersInput,
    ),
}
