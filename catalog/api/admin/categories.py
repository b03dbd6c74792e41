"""Product categories, as programs maintain them."""

from collections.abc import Collection

from catalog.api import resources
from catalog.categories.category_editing import VERBS
from catalog.products.product_editing.details import VERBS as PRODUCTS
from kit.editing.regrouping import Members
from kit.graphql.fields.rows import row_mutations, row_queries
from kit.rest.requests.input_fields import CharField, IntegerField
from kit.rest.row_endpoint import RowEndpoint, row_routes


class ProductCategories(RowEndpoint):
    """Categories of products, in a tree. One with children cannot be deleted."""

    resource = resources.ADMIN_PRODUCT_CATEGORIES
    verbs = VERBS
    body_fields = {
        "handle": CharField(required=False, help_text="By default, made from the name."),
        "rank": IntegerField(
            required=False, min_value=0, help_text="Position among the children of the parent, from 0. Last by default."
        ),
    }
    members = {"products": Members(PRODUCTS, "categories", "Add products to a category, and remove others.")}

    @classmethod
    def offered(cls, action: str) -> Collection[str]:
        return super().offered(action if action in cls.answers else "retrieve")


urlpatterns = row_routes("product-categories", ProductCategories)
QUERIES, MUTATIONS = row_queries(ProductCategories, "admin_"), row_mutations(ProductCategories)
