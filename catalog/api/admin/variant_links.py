"""The images and the inventory items of a product's variants, as programs change them."""

from dataclasses import asdict
from typing import Any

from django.urls import path
from rest_framework import serializers
from rest_framework.request import Request

from catalog.api import resources
from catalog.models import ProductVariant, VariantInventoryItem
from catalog.nested_writes.variant_links import change_pictured, change_pictures, items_batch
from catalog.stock import variant_items
from kit.domain.actor import Actor
from kit.editing.batches import write_batch
from kit.graphql.context import RequestContext
from kit.graphql.fields.mutations import Action, Change, Written
from kit.rest.requests.input_fields import IntegerField
from kit.rest.requests.inputs import Input
from kit.rest.requests.row_inputs import row_input
from kit.rest.responses.answers import BatchSerializer, shown_batch
from kit.rest.row_endpoint import MembersInput, RowEndpoint
from kit.rest.viewsets import AdminEndpoint
from kit.rest.writes import WriteEndpoint
from kit.values.json import JSONObject


class ChangedMembersSerializer(serializers.Serializer[Any]):
    """The ids that were added and removed."""

    added = serializers.ListField(child=serializers.CharField())
    removed = serializers.ListField(child=serializers.CharField())


class VariantPictures(WriteEndpoint, AdminEndpoint):
    """Which images of a product belong to which of its variants. A variant without any shows all."""

    resource = resources.ADMIN_PRODUCT_VARIANTS
    inputs = dict.fromkeys(("of_variant", "of_image"), MembersInput)
    answers = dict.fromkeys(("of_variant", "of_image"), ChangedMembersSerializer)
    permissions = dict.fromkeys(("of_variant", "of_image"), "catalog.change_productvariant")
    dry_runs = frozenset({"of_variant", "of_image"})

    def of_variant(self, request: Request, id: str, variant_id: str) -> JSONObject:
        """Add images of a product to one of its variants, and remove others."""
        change_pictures(actor=self.actor, product_id=id, variant_id=variant_id, **self.body())
        return self._changed()

    def of_image(self, request: Request, id: str, image_id: str) -> JSONObject:
        """Add an image of a product to some of its variants, and remove it from others."""
        change_pictured(actor=self.actor, product_id=id, image_id=image_id, **self.body())
        return self._changed()

    def _changed(self) -> JSONObject:
        return {"added": self.body().get("add", []), "removed": self.body().get("remove", [])}


_Item = row_input(variant_items.VERBS, "VariantInventoryItemInput", is_new=True, required_quantity=IntegerField())
_ItemKey = row_input(variant_items.VERBS, "VariantInventoryItemKeyInput", is_new=True, required_quantity=None)


class VariantItemBatchInput(Input):
    """Inventory items of variants to add, change and remove; 500 in total at most."""

    # DRF's methods of these names have no part in inputs.
    create = _Item(many=True, required=False)  # type: ignore[assignment]
    update = _Item(many=True, required=False)  # type: ignore[assignment]
    delete = _ItemKey(many=True, required=False)


class VariantItems(RowEndpoint):
    """The inventory items of a product's variants."""

    resource = resources.INVENTORY_ITEMS
    verbs = variant_items.VERBS
    inputs = {"batch": VariantItemBatchInput}
    permissions = {"retrieve": "catalog.view_inventoryitem", "batch": "catalog.change_inventoryitem"}
    dry_runs = frozenset({"batch"})

    def batch(self, request: Request, id: str) -> JSONObject:  # type: ignore[override]  # the path names the product
        """Add, change and remove inventory items of a product's variants: all of them, or none. At most 500.

        Also requires the permissions to add, change and delete inventory items of variants, if the batch does so.
        """
        done = write_batch(self.verbs, actor=self.actor, **items_batch(id, **self.body()))
        keys = [*done.created, *done.updated]
        items = dict(VariantInventoryItem.objects.filter(pk__in=keys).values_list("pk", "inventory_item"))
        rows = self.answers_by_id([*items.values()])
        return shown_batch(done, {key: rows[item] for key, item in items.items()}, "variant_inventory_item")


def _change_pictures(*, actor: Actor, id: str, **given: Any) -> Written:
    product = ProductVariant.objects.filter(pk=id).values_list("product", flat=True).first() or ""
    change_pictures(actor=actor, product_id=product, variant_id=id, **given)
    return Written(id)


def _batch_items(context: RequestContext, *, id: str, **values: Any) -> JSONObject:
    actor = context.actor(VariantItems.permissions["batch"])
    return asdict(write_batch(variant_items.VERBS, actor=actor, **items_batch(id, **values)))


_PRODUCT = "products/<str:id>"
urlpatterns = [
    path(f"{_PRODUCT}/variants/<str:variant_id>/images/batch", VariantPictures.as_view({"post": "of_variant"})),
    path(f"{_PRODUCT}/images/<str:image_id>/variants/batch", VariantPictures.as_view({"post": "of_image"})),
    path(f"{_PRODUCT}/variants/inventory-items/batch", VariantItems.as_view({"post": "batch"})),
]
MUTATIONS = {
    "update_variant_images": Change(
        VariantPictures.resource,
        "Add images of a product to one of its variants, and remove others.",
        act=_change_pictures,
        permission=VariantPictures.permissions["of_variant"],
        viewing="catalog.view_product",
        input=MembersInput,
    ),
    "batch_variant_inventory_items": Action(
        BatchSerializer,
        "Add, change and remove inventory items of a product's variants: all of them, or none.",
        act=_batch_items,
        input=VariantItemBatchInput,
        by_id=True,
    ),
}
