"""Products and variants, as programs maintain them."""

from collections.abc import Collection, Sequence
from typing import Any

from django.urls import path
from rest_framework.request import Request

from catalog.api import resources
from catalog.api.admin.product_inputs import (
    INPUTS_OF_PRODUCT,
    NewProductInput,
    ProductChangesInput,
    ProductVariantChangesInput,
    ProductVariantInput,
)
from catalog.api.serializers.admin_products import DeletedProductVariantSerializer
from catalog.whole_products import products, variants
from catalog.whole_products.variants import require_product, require_variants
from kit.editing.batches import naming
from kit.graphql.fields.rows import row_mutations, row_queries
from kit.reads.reading import ListQuery
from kit.rest.row_endpoint import RowEndpoint, row_routes
from kit.values.json import JSONObject

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


class VariantsOfProduct(RowEndpoint):
    """The variants of a product. Responses to changes contain the product."""

    resource = resources.ADMIN_PRODUCT_VARIANTS
    resources = dict.fromkeys(("create", "update", "destroy"), resources.ADMIN_PRODUCTS)
    verbs = variants.VERBS
    within = "product_id"
    inputs = INPUTS_OF_PRODUCT
    answers = {**AdminProductVariants.answers, "destroy": DeletedProductVariantSerializer}
    permissions = _VIEWING

    @classmethod
    def offered(cls, action: str) -> Collection[str]:
        """The response to a deletion contains the product."""
        return ("fields",) if action == "destroy" else super().offered(action)

    def inside(self, query: ListQuery) -> ListQuery:
        """Products are not within one."""
        return query if self.action in self.resources else super().inside(query)

    def list(self, request: Request, id: str) -> JSONObject:  # type: ignore[override]  # the path names the product
        """List the variants of a product."""
        return super().list(request)

    def retrieve(self, request: Request, id: str, variant_id: str) -> JSONObject:  # type: ignore[override]  # as above
        """Get a variant of a product."""
        return super().retrieve(request, id=variant_id)

    def create(self, request: Request, id: str) -> JSONObject:  # type: ignore[override]  # as above
        """Add a variant to a product."""
        require_product(id)
        self.verbs.create(actor=self.actor, product_id=id, **self.body())
        return self.written(id)

    def update(self, request: Request, id: str, variant_id: str) -> JSONObject:  # type: ignore[override]  # as above
        """Change a variant of a product. Omitted fields are not changed, and metadata is merged."""
        require_variants(id, [variant_id])
        self.verbs.update(actor=self.actor, id=variant_id, version=self._version(), **self.body())
        return self.written(id)

    def destroy(self, request: Request, id: str, variant_id: str) -> JSONObject:  # type: ignore[override]  # as above
        """Delete a variant of a product."""
        require_variants(id, [variant_id])
        self.verbs.delete(actor=self.actor, ids=[variant_id], version=self._version())
        return {**self.deleted(variant_id), "parent": self.written(id)[resources.ADMIN_PRODUCTS.name]}

    def batch(self, request: Request, id: str) -> JSONObject:  # type: ignore[override]  # as above
        """Create, change and delete variants of a product: all of them, or none. At most 500.

        Requires the permission to change them, and those to add and delete them if the batch does so.
        """
        require_product(id)
        return super().batch(request)

    def body(self) -> dict[str, Any]:
        """The rows of a batch are of the product: new ones get it, others must have it."""
        body = super().body()
        if self.action != "batch":
            return body
        product_id: str = self.kwargs["id"]
        named: dict[str, Sequence[str]] = {"delete": body.get("delete", ())}
        named["update"] = [values["id"] for values in body.get("update", ())]
        for field, ids in named.items():
            with naming(field):
                require_variants(product_id, ids)
        return {**body, "create": [{**values, "product_id": product_id} for values in body.get("create", ())]}


_OF_PRODUCT = "products/<str:id>/variants"
_ONE = {"get": "retrieve", "post": "update", "delete": "destroy"}
urlpatterns = [
    *row_routes("products", AdminProducts),
    *row_routes("product-variants", AdminProductVariants),
    path(_OF_PRODUCT, VariantsOfProduct.as_view({"get": "list", "post": "create"})),
    path(f"{_OF_PRODUCT}/batch", VariantsOfProduct.as_view({"post": "batch"})),
    path(f"{_OF_PRODUCT}/<str:variant_id>", VariantsOfProduct.as_view(_ONE)),
]
QUERIES = {**row_queries(AdminProducts, "admin_"), **row_queries(AdminProductVariants, "admin_")}
MUTATIONS = {**row_mutations(AdminProducts), **row_mutations(AdminProductVariants)}
