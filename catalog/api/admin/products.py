"""Products and variants, as programs maintain them."""

from django.urls import path

from catalog.api import resources
from catalog.api.admin.product_inputs import (
    INPUTS_OF_PRODUCT,
    NewProductInput,
    ProductChangesInput,
    ProductVariantChangesInput,
    ProductVariantInput,
)
from catalog.api.serializers.admin_products import DeletedProductVariantSerializer
from catalog.nested_writes import products, variants
from kit.graphql.fields.rows import row_mutations, row_queries
from kit.rest.nested_endpoint import NestedEndpoint
from kit.rest.row_endpoint import RowEndpoint, row_route, row_routes

_VIEWING = dict.fromkeys(("list", "retrieve"), "catalog.view_product")


class AdminProducts(RowEndpoint):
    """Products in any status, with their options, variants and prices."""

    resource = resources.ADMIN_PRODUCTS
    verbs = products.VERBS
    inputs = {"create": NewProductInput, "update": ProductChangesInput}


class AdminProductVariants(RowEndpoint):
    """The variants of all products."""

    resource = resources.ADMIN_PRODUCT_VARIANTS
    verbs = variants.VERBS
    inputs = {"create": ProductVariantInput, "update": ProductVariantChangesInput}
    permissions = _VIEWING


class VariantsOfProduct(NestedEndpoint):
    """The variants of a product. Responses to changes contain the product."""

    resource = resources.ADMIN_PRODUCT_VARIANTS
    verbs = variants.VERBS
    within = "product_id"
    parent = resources.ADMIN_PRODUCTS
    parent_key = "parent"
    inputs = INPUTS_OF_PRODUCT
    answers = {**AdminProductVariants.answers, "destroy": DeletedProductVariantSerializer}
    permissions = _VIEWING


_OF_PRODUCT = "products/<str:id>/variants"
urlpatterns = [
    *row_routes("products", AdminProducts),
    *row_routes("product-variants", AdminProductVariants),
    path(_OF_PRODUCT, VariantsOfProduct.as_view({"get": "list", "post": "create"})),
    path(f"{_OF_PRODUCT}/batch", VariantsOfProduct.as_view({"post": "batch"})),
    row_route(f"{_OF_PRODUCT}/<str:variant_id>", VariantsOfProduct),
]
QUERIES = {**row_queries(AdminProducts, "admin_"), **row_queries(AdminProductVariants, "admin_")}
MUTATIONS = {**row_mutations(AdminProducts), **row_mutations(AdminProductVariants)}
