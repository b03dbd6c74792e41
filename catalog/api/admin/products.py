"""Products and variants, as programs maintain them."""

from collections.abc import Collection, Sequence
from functools import partial
from typing import Any

from django.urls import path
from rest_framework.request import Request

from catalog.api import resources
from catalog.api.admin.product_inputs import (
    NewProductInput,
    NewProductVariantInput,
    ProductChangesInput,
    ProductVariantChangesInput,
)
from catalog.api.serializers.admin_products import DeletedProductVariantSerializer
from catalog.models import ProductVariant
from catalog.whole_products import products, variants
from catalog.whole_products.variants import require_product, require_variants
from kit.domain.actor import Actor
from kit.editing.batches import naming, write_batch
from kit.graphql.context import RequestContext
from kit.graphql.fields.mutations import Action, Change, Removal, Written
from kit.graphql.fields.roots import RootField
from kit.graphql.fields.rows import row_mutations, row_queries
from kit.reads.reading import ListQuery
from kit.rest.reads import List, Retrieve
from kit.rest.responses.answers import BatchSerializer
from kit.rest.routes import reading
from kit.rest.row_endpoint import RowEndpoint, row_routes
from kit.rest.viewsets import AdminEndpoint
from kit.values.json import JSONObject

_VIEWING = "catalog.view_product"


class AdminProducts(RowEndpoint):
    """Products in any status, with their options, variants and prices."""

    resource = resources.ADMIN_PRODUCTS
    verbs = products.VERBS
    inputs = {"create": NewProductInput, "update": ProductChangesInput}


class AdminProductVariants(RowEndpoint):
    """The variants of a product. Answers to changes hold the product."""

    resource = resources.ADMIN_PRODUCT_VARIANTS
    resources = dict.fromkeys(("create", "update", "destroy"), resources.ADMIN_PRODUCTS)
    verbs = variants.VERBS
    within = "product_id"
    inputs = {"create": NewProductVariantInput, "update": ProductVariantChangesInput}
    answers = {"destroy": DeletedProductVariantSerializer}
    permissions = {"list": _VIEWING, "retrieve": _VIEWING}

    @classmethod
    def offered(cls, action: str) -> Collection[str]:
        """The answer to a deletion holds the product."""
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
        """Change a variant. Omitted fields are not changed, and metadata is merged."""
        require_variants(id, [variant_id])
        self.verbs.update(actor=self.actor, id=variant_id, version=self._version(), **self.body())
        return self.written(id)

    def destroy(self, request: Request, id: str, variant_id: str) -> JSONObject:  # type: ignore[override]  # as above
        """Delete a variant."""
        require_variants(id, [variant_id])
        self.verbs.delete(actor=self.actor, ids=[variant_id], version=self._version())
        return {**self.deleted(variant_id), "parent": self.written(id)[resources.ADMIN_PRODUCTS.name]}

    def batch(self, request: Request, id: str) -> JSONObject:  # type: ignore[override]  # as above
        """Create, change and delete variants of a product: all of them, or none. At most 500.

        It takes the permission to change them, and those to add and to delete if the batch does so.
        """
        return super().batch(request)

    def body(self) -> dict[str, Any]:
        """The product of the path belongs to each variant of a batch."""
        body = super().body()
        return _in_product(self.kwargs["id"], **body) if self.action == "batch" else body


class AllProductVariants(List, Retrieve, AdminEndpoint):
    """The variants of all products."""

    resource = resources.ADMIN_PRODUCT_VARIANTS
    permissions = {"list": _VIEWING, "retrieve": _VIEWING}


def _in_product(
    product_id: str,
    *,
    create: Sequence[dict[str, Any]] = (),
    update: Sequence[dict[str, Any]] = (),
    delete: Sequence[str] = (),
) -> dict[str, Any]:
    """A batch of variants of the product. Raises ProductNotFound, InvalidData for variants of others."""
    require_product(product_id)
    for field, ids in (("update", [values["id"] for values in update]), ("delete", delete)):
        with naming(field):
            require_variants(product_id, ids)
    created = [{**values, "product_id": product_id} for values in create]
    return {"create": created, "update": update, "delete": delete}


def _batch_variants(context: RequestContext, *, id: str, **values: Any) -> JSONObject:
    actor = context.actor(AdminProductVariants.permissions["batch"])
    done = write_batch(variants.VERBS, actor=actor, **_in_product(id, **values))
    return {"created": done.created, "updated": done.updated, "deleted": done.deleted}


def _create_variant(*, actor: Actor, id: str, **values: Any) -> Written:
    require_product(id)
    variants.VERBS.create(actor=actor, product_id=id, **values)
    return Written(id)


def _update_variant(*, actor: Actor, id: str, **values: Any) -> Written:
    return Written(variants.VERBS.update(actor=actor, id=id, **values).product_id)


def _delete_variant(*, actor: Actor, id: str) -> Written:
    variants.VERBS.delete(actor=actor, ids=[id])
    return Written(ProductVariant.objects.get(pk=id).product_id)


def _deleter(context: RequestContext) -> Actor:
    return context.actor(AdminProductVariants.permissions["destroy"]).with_permission(_VIEWING)


_VARIANTS = "products/<str:id>/variants"
_ONE = {"get": "retrieve", "post": "update", "delete": "destroy"}
urlpatterns = [
    *row_routes("products", AdminProducts),
    path(_VARIANTS, AdminProductVariants.as_view({"get": "list", "post": "create"})),
    path(f"{_VARIANTS}/batch", AdminProductVariants.as_view({"post": "batch"})),
    path(f"{_VARIANTS}/<str:variant_id>", AdminProductVariants.as_view(_ONE)),
    *reading("product-variants", AllProductVariants),
]
QUERIES = {**row_queries(AdminProducts, "admin_"), **row_queries(AdminProductVariants, "admin_product_")}
_change = partial(Change, resources.ADMIN_PRODUCTS, viewing=_VIEWING)
MUTATIONS: dict[str, RootField] = {
    **row_mutations(AdminProducts),
    "create_product_variant": _change(
        "Add a variant to a product, whose id this takes.",
        act=_create_variant,
        permission=AdminProductVariants.permissions["create"],
        input=NewProductVariantInput,
    ),
    "update_product_variant": _change(
        "Change a variant. Omitted fields are not changed, and metadata is merged.",
        act=_update_variant,
        permission=AdminProductVariants.permissions["update"],
        input=ProductVariantChangesInput,
    ),
    "batch_product_variants": Action(
        BatchSerializer,
        "Create, change and delete up to 500 variants of a product, whose id this takes: all of them, or none.",
        act=_batch_variants,
        input=AdminProductVariants.inputs["batch"],
        by_id=True,
    ),
    "delete_product_variant": Removal(
        DeletedProductVariantSerializer,
        object=AdminProductVariants.resource.name,
        parent=resources.ADMIN_PRODUCTS,
        description="Delete a variant.",
        act=_delete_variant,
        who=_deleter,
    ),
}
