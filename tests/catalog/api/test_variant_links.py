"""Pictures and inventory items of variants below /admin, as the official SDK calls them."""

from typing import Any

import pytest

from catalog.models import ProductVariant, VariantInventoryItem
from tests.contract.callers import Caller, refusal
from tests.contract.conftest import admin, store
from tests.factories.inventory import InventoryItemFactory
from tests.factories.products import ImageFactory, ProductFactory, VariantFactory
from tests.kit.graphql.calls import ask, data

pytestmark = pytest.mark.django_db

__all__ = ["admin", "store"]


def pictures(variant: ProductVariant) -> set[str]:
    return {*variant.images.values_list("pk", flat=True)}


def test_pictures_are_given_to_a_variant_and_taken_away(admin: Caller, store: Caller) -> None:
    variant = VariantFactory()
    front, back, foreign = (
        ImageFactory(product=variant.product),
        ImageFactory(product=variant.product),
        ImageFactory(),
    )
    variant.images.add(back)
    path = f"/admin/products/{variant.product_id}/variants/{variant.pk}/images/batch"
    assert admin.post(path, {"add": [front.pk], "remove": [back.pk]}).json() == {
        "added": [front.pk],
        "removed": [back.pk],
    }
    assert pictures(variant) == {front.pk}
    shown = store.get(f"/store/product-variants/{variant.pk}", "fields=*images").json()["variant"]
    assert [image["id"] for image in shown["images"]] == [front.pk]
    assert admin.post(path, {}).json() == {"added": [], "removed": []}
    refused = refusal(admin.post(path, {"add": [back.pk, foreign.pk]}))
    assert refused == (400, f"Product image with id: {foreign.pk} was not found, given by field 'add'")
    elsewhere = path.replace(variant.product_id, str(foreign.product_id))
    assert refusal(admin.post(elsewhere, {"add": [foreign.pk]}))[0] == 404
    assert refusal(admin.post(path.replace(variant.pk, "variant_x"), {}))[0] == 404
    assert pictures(variant) == {front.pk}


def test_a_picture_is_given_to_variants_and_taken_from_others(admin: Caller) -> None:
    product = ProductFactory()
    image, other = ImageFactory(product=product), ImageFactory(product=product)
    red, blue, foreign = VariantFactory(product=product), VariantFactory(product=product), VariantFactory()
    red.images.add(image, other)
    path = f"/admin/products/{product.pk}/images/{image.pk}/variants/batch"
    answer = admin.post(path, {"add": [blue.pk], "remove": [red.pk]}).json()
    assert answer == {"added": [blue.pk], "removed": [red.pk]}
    assert (pictures(red), pictures(blue)) == ({other.pk}, {image.pk})
    refused = refusal(admin.post(path, {"add": [red.pk], "remove": [foreign.pk]}))
    assert refused == (400, f"Product variant with id: {foreign.pk} was not found, given by field 'remove'")
    assert refusal(admin.post(path.replace(image.pk, ImageFactory().pk), {}))[0] == 404
    assert pictures(red) == {other.pk}


def required(variant: ProductVariant) -> dict[str, int]:
    rows = VariantInventoryItem.objects.filter(variant=variant)
    return dict(rows.values_list("inventory_item", "required_quantity"))


def test_inventory_items_of_variants_are_added_changed_and_removed(admin: Caller) -> None:
    product = ProductFactory()
    variant, other = VariantFactory(product=product), VariantFactory(product=product)
    box, lid, label = InventoryItemFactory(sku="box"), InventoryItemFactory(), InventoryItemFactory()
    for item in (lid, label):
        VariantInventoryItem.objects.create(variant=variant, inventory_item=item)

    def pair(of: ProductVariant, item: Any, **more: int) -> dict[str, Any]:
        return {"variant_id": of.pk, "inventory_item_id": item.pk, **more}

    body = {
        "create": [pair(variant, box, required_quantity=2), pair(other, box, required_quantity=1)],
        "update": [pair(variant, lid, required_quantity=3)],
        "delete": [pair(variant, label)],
    }
    path = f"/admin/products/{product.pk}/variants/inventory-items/batch"
    answer = admin.post(path, body).json()
    assert [one["sku"] for one in answer["created"]] == ["box", "box"]
    assert answer["created"][0].keys() >= {"id", "requires_shipping", "stocked_quantity", "reserved_quantity"}
    assert [one["id"] for one in answer["updated"]] == [lid.pk]
    assert (answer["deleted"]["deleted"], len(answer["deleted"]["ids"])) == (True, 1)
    assert (required(variant), required(other)) == ({box.pk: 2, lid.pk: 3}, {box.pk: 1})
    new = InventoryItemFactory()
    refusals: list[tuple[dict[str, Any], int, str]] = [
        ({"create": [pair(VariantFactory(), new, required_quantity=1)]}, 400, "given by field 'create'"),
        ({"create": [pair(variant, box, required_quantity=1)]}, 422, "create[0]"),
        ({"create": [{**pair(variant, new, required_quantity=1), "inventory_item_id": "iitem_x"}]}, 400, "iitem_x"),
        ({"create": [pair(variant, new, required_quantity=0)]}, 400, "create[0].required_quantity"),
        ({"create": [pair(variant, new, required_quantity=1)], "update": [pair(other, lid, required_quantity=1)]}, 400,
         "given by field 'update'"),
        ({"create": [pair(variant, new, required_quantity=1)], "delete": [pair(variant, label)]}, 400,
         "given by field 'delete'"),
    ]  # fmt: skip
    for bad, status, word in refusals:
        refused = admin.post(path, bad)
        assert (refused.status_code, word in refused.json()["message"]) == (status, True), refused.json()
    assert refusal(admin.post(path.replace(product.pk, "prod_x"), body))[0] == 404
    assert required(variant) == {box.pk: 2, lid.pk: 3}


def test_by_graphql(admin: Caller) -> None:
    variant = VariantFactory()
    image = ImageFactory(product=variant.product)
    change = """mutation ($id: ID!, $add: [String!]) { updateVariantImages(id: $id, input: { add: $add }) {
      variant { images { id } } } }"""
    assert data(ask(admin, change, {"id": variant.pk, "add": [image.pk]})) == {
        "updateVariantImages": {"variant": {"images": [{"id": image.pk}]}}
    }
    item = InventoryItemFactory()
    batch = """mutation ($id: ID!, $create: [VariantInventoryItemInput!]) {
      batchVariantInventoryItems(id: $id, input: { create: $create }) { created } }"""
    create = [{"variantId": variant.pk, "inventoryItemId": item.pk, "requiredQuantity": 2}]
    data(ask(admin, batch, {"id": variant.product_id, "create": create}))
    assert required(variant) == {item.pk: 2}
