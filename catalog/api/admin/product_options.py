"""Options of products and their values, as programs maintain them."""

from django.urls import path
from rest_framework.request import Request

from catalog.api import resources
from catalog.products.option_editing import VALUES, VERBS
from kit.errors import InvalidData
from kit.graphql.fields.rows import row_mutations, row_queries
from kit.rest.nested_endpoint import NestedEndpoint
from kit.rest.reads import List
from kit.rest.requests.input_fields import DictField, ListField
from kit.rest.requests.inputs import Input
from kit.rest.row_endpoint import RowEndpoint, row_route, row_routes
from kit.rest.viewsets import AdminEndpoint
from kit.values.json import JSONObject

_VIEWING = "catalog.view_product"


class OptionLinksInput(Input):
    """Must be empty: products do not share options."""

    add = ListField(child=DictField(), required=False)
    remove = ListField(required=False)
    # DRF's method of this name has no part in inputs.
    update = ListField(child=DictField(), required=False)  # type: ignore[assignment]


class ProductOptions(RowEndpoint):
    """Options of products, each of one product. Existing variants get the first value of a new option."""

    resource = resources.ADMIN_PRODUCT_OPTIONS
    resources = {"link": resources.ADMIN_PRODUCTS}
    verbs = VERBS
    body_fields = {"values": ListField(required=False, help_text="The values in order. They replace the stored ones.")}
    inputs = {"link": OptionLinksInput}
    permissions = {"list": _VIEWING, "retrieve": _VIEWING, "link": "catalog.change_productoption"}
    dry_runs = frozenset({"link"})

    def link(self, request: Request, id: str) -> JSONObject:
        """Link options to a product: refused, since an option belongs to one product."""
        if any(self.body().values()):
            raise InvalidData(
                "An option belongs to one product: create it with its product_id, or change and delete it by its id"
            )
        return self.written(id)


class OptionsOfProduct(List, AdminEndpoint):
    """The options of a product."""

    resource = resources.ADMIN_PRODUCT_OPTIONS
    within = "product_id"
    permissions = {"list": _VIEWING}


class ProductOptionValues(NestedEndpoint):
    """The values of an option of a product. One that a variant has cannot be deleted, nor the last one."""

    resource = resources.PRODUCT_OPTION_VALUES
    verbs = VALUES
    within = "option_id"
    permissions = {"list": _VIEWING, "retrieve": _VIEWING}


_VALUES = "product-options/<str:id>/values"
urlpatterns = [
    *row_routes("product-options", ProductOptions),
    path("products/<str:id>/options", OptionsOfProduct.as_view({"get": "list"})),
    path("products/<str:id>/options/batch", ProductOptions.as_view({"post": "link"})),
    path(_VALUES, ProductOptionValues.as_view({"get": "list"})),
    row_route(f"{_VALUES}/<str:value_id>", ProductOptionValues),
]
QUERIES = {**row_queries(ProductOptions, "admin_"), **row_queries(ProductOptionValues, "admin_")}
_VALUE_MUTATIONS = ("update_product_option_value", "delete_product_option_value")
MUTATIONS = {
    **row_mutations(ProductOptions),
    **{name: field for name, field in row_mutations(ProductOptionValues).items() if name in _VALUE_MUTATIONS},
}
