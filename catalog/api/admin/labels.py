"""Product types, tags and collections, as programs maintain them."""

from functools import partial

from django.urls import path
from rest_framework.request import Request

from catalog.api import resources
from catalog.products.labels import COLLECTIONS, TAGS, TYPES
from catalog.products.product_editing.details import VERBS as PRODUCTS
from kit.editing.regrouping import change_members
from kit.graphql.fields.mutations import Change, written_by
from kit.graphql.fields.rows import row_mutations, row_queries
from kit.rest.requests.input_fields import CharField, ListField
from kit.rest.row_endpoint import MembersInput, RowEndpoint, row_routes
from kit.values.json import JSONObject


class ProductTypes(RowEndpoint):
    """Types of products. Products keep their links to deleted ones."""

    resource = resources.PRODUCT_TYPES
    verbs = TYPES


class ProductTags(RowEndpoint):
    """Tags of products. Products keep their links to deleted ones."""

    resource = resources.PRODUCT_TAGS
    verbs = TAGS


class Collections(RowEndpoint):
    """Collections of products. A changed handle goes on leading to its collection."""

    resource = resources.COLLECTIONS
    verbs = COLLECTIONS
    sent = {
        "handle": CharField(required=False, help_text="By default, made from the title."),
        "former_handles": ListField(required=False),
    }
    inputs = {"update_products": MembersInput}
    permissions = {"update_products": "catalog.change_product"}

    def update_products(self, request: Request, id: str) -> JSONObject:
        """Add products to a collection, and remove others. A product is in one collection at most."""
        change_members(PRODUCTS, "collection", id, actor=self.actor, **self.body())
        return self.written(id)


urlpatterns = [
    *row_routes("product-types", ProductTypes),
    *row_routes("product-tags", ProductTags),
    *row_routes("collections", Collections),
    path("collections/<str:id>/products", Collections.as_view({"post": "update_products"})),
]
ENDPOINTS = (ProductTypes, ProductTags, Collections)
QUERIES = {name: field for endpoint in ENDPOINTS for name, field in row_queries(endpoint, "admin_").items()}
MUTATIONS = {
    **{name: field for endpoint in ENDPOINTS for name, field in row_mutations(endpoint).items()},
    "update_collection_products": Change(
        Collections.resource,
        "Add products to a collection, and remove others. A product is in one collection at most.",
        act=written_by(partial(change_members, PRODUCTS, "collection"), "group_id"),
        permission=Collections.permissions["update_products"],
        viewing=Collections.permissions["retrieve"],
        input=MembersInput,
    ),
}
