"""Product types, tags and collections, as programs maintain them."""

from catalog.api import resources
from catalog.products.labels import COLLECTIONS, TAGS, TYPES
from catalog.products.product_editing.details import VERBS as PRODUCTS
from kit.editing.regrouping import Members
from kit.graphql.fields.rows import row_mutations, row_queries
from kit.rest.requests.input_fields import CharField, ListField
from kit.rest.row_endpoint import RowEndpoint, row_routes


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
    body_fields = {
        "handle": CharField(required=False, help_text="By default, made from the title."),
        "former_handles": ListField(required=False),
    }
    members = {
        "products": Members(
            PRODUCTS,
            "collection",
            "Add products to a collection, and remove others. A product is in one collection at most.",
        )
    }


urlpatterns = [
    *row_routes("product-types", ProductTypes),
    *row_routes("product-tags", ProductTags),
    *row_routes("collections", Collections),
]
ENDPOINTS = (ProductTypes, ProductTags, Collections)
QUERIES = {name: field for endpoint in ENDPOINTS for name, field in row_queries(endpoint, "admin_").items()}
MUTATIONS = {name: field for endpoint in ENDPOINTS for name, field in row_mutations(endpoint).items()}
