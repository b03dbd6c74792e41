"""Products below /admin with their options, variants, prices and images, as the official SDK sends them."""

from decimal import Decimal
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from catalog.models import InventoryItem, Price, Product, ProductImage, ProductOption, ProductVariant
from tests.contract.callers import Caller, importer, refusal
from tests.contract.conftest import admin, store
from tests.factories.apikeys import secret_key
from tests.factories.catalog import CategoryFactory
from tests.factories.inventory import InventoryItemFactory, InventoryLevelFactory
from tests.factories.pricing import PriceListFactory, price
from tests.factories.products import (
    OptionFactory,
    ProductCollectionFactory,
    ProductFactory,
    ProductTagFactory,
    ProductTypeFactory,
    VariantFactory,
)
from tests.factories.shop import RegionFactory, SalesChannelFactory
from tests.factories.staff import UserFactory
from tests.kit.graphql.calls import ask, data

pytestmark = pytest.mark.django_db
PATH = "/admin/products"

__all__ = ["admin", "store"]


def shirt(word: str = "1") -> dict[str, Any]:
    """A product with two variants."""
    return {
        "title": f"Shirt {word}",
        "images": [{"url": "https://example.com/front.jpg"}, {"url": "https://example.com/back.jpg"}],
        "options": [{"title": "Size", "values": ["L", "S"], "ranks": {"S": 0, "L": 1}}],
        "variants": [
            {
                "title": size,
                "sku": f"SHIRT-{word}-{size}",
                "options": {"Size": size},
                "prices": [{"currency_code": "eur", "amount": 19.99}, {"currency_code": "USD", "amount": 25}],
            }
            for size in ("L", "S")
        ],
    }


def made(admin: Caller, body: Any, path: str = PATH) -> Any:
    response = admin.post(path, body)
    assert response.status_code == 200, response.content
    return response.json()["product"]


def prices(variant: Any) -> list[tuple[str, Any]]:
    return [(one["currency_code"], one["amount"]) for one in variant["prices"]]


def test_a_product_is_created_with_all_of_its_parts(admin: Caller) -> None:
    channel, kind, teas = SalesChannelFactory(), ProductTypeFactory(), ProductCollectionFactory()
    tag, category = ProductTagFactory(), CategoryFactory()
    body = shirt() | {
        "type_id": kind.pk,
        "collection_id": teas.pk,
        "external_id": "PIM-1",
        "handle": None,
        "weight": 200,
        "tags": [{"id": tag.pk}],
        "categories": [{"id": category.pk}],
        "sales_channels": [{"id": channel.pk}],
    }
    product = made(
        admin, body, f"{PATH}?fields=%2B*categories,*variants.inventory_items,*variants.inventory_items.inventory"
    )
    assert product == product | {
        "title": "Shirt 1",
        "handle": "shirt-1",
        "status": "draft",
        "external_id": "PIM-1",
        "weight": 200,
        "thumbnail": "https://example.com/front.jpg",
        "type_id": kind.pk,
        "collection_id": teas.pk,
    }
    assert [one["name"] for one in product["sales_channels"]] == [channel.name]
    assert [one["id"] for one in (*product["tags"], *product["categories"])] == [tag.pk, category.pk]
    assert [(one["url"][-9:], one["rank"]) for one in product["images"]] == [("front.jpg", 0), ("/back.jpg", 1)]
    [option] = product["options"]
    assert (option["title"], option["is_exclusive"]) == ("Size", True)
    assert [one["value"] for one in option["values"]] == ["S", "L"]
    large, small = product["variants"]
    assert (large["title"], large["sku"], large["variant_rank"], small["variant_rank"]) == ("L", "SHIRT-1-L", 0, 1)
    assert [one["value"] for one in large["options"]] == ["L"]
    assert prices(large) == [("eur", 19.99), ("usd", 25)]
    assert large["prices"][0]["raw_amount"] == {"value": "19.99", "precision": 20}
    assert Price.objects.filter(amount=Decimal("19.99")).count() == 2
    [link] = small["inventory_items"]
    assert (link["required_quantity"], link["inventory"]["sku"]) == (1, "SHIRT-1-S")


def test_two_prices_of_a_variant_are_never_for_the_same_goods(admin: Caller) -> None:
    one = f"/admin/product-variants/{VariantFactory().pk}"
    both = [{"currency_code": "eur", "amount": 1}, {"currency_code": "usd", "amount": 2}]
    eur, usd = admin.post(one, {"prices": both}).json()["variant"]["prices"]
    for moved in ([{"id": usd["id"], "currency_code": "EUR"}, both[0]], [{"id": usd["id"], "amount": 3}, both[1]]):
        status, message = refusal(admin.post(one, {"prices": moved}))
        assert (status, "prices[1].currency_code: Another price" in message) == (400, True)
    swapped = [{"id": eur["id"], "currency_code": "usd"}, {"id": usd["id"], "currency_code": "eur"}]
    assert admin.post(one, {"prices": swapped}).status_code == 200


def test_a_stored_variant_takes_no_inventory_items(admin: Caller) -> None:
    variant, item = VariantFactory(), InventoryItemFactory()
    sent = {"id": variant.pk, "inventory_items": [{"inventory_item_id": item.pk, "required_quantity": 2}]}
    status, message = refusal(admin.post(f"{PATH}/{variant.product_id}", {"variants": [sent]}))
    assert (status, "variants[0].inventory_items[0]" in message) == (400, True)


def test_a_variant_gets_the_inventory_items_that_it_names_or_the_one_with_its_sku(admin: Caller) -> None:
    box, pack = InventoryItemFactory(sku="BOX"), InventoryItemFactory(sku="PACK")
    boxes = [{"inventory_item_id": box.pk, "required_quantity": 2}]
    variants = [
        {"title": "A", "options": {"Kind": "a"}, "inventory_items": boxes},
        {"title": "B", "options": {"Kind": "b"}, "sku": "PACK"},
        {"title": "C", "options": {"Kind": "c"}, "manage_inventory": False},
        {"title": "D", "options": {"Kind": "d"}, "inventory_items": []},
    ]  # fmt: skip
    body = {"title": "Tea", "options": [{"title": "Kind", "values": [*"abcd"]}], "variants": variants}
    product = made(admin, body, f"{PATH}?fields=*variants.inventory_items")
    linked = [
        [(one["inventory_item_id"], one["required_quantity"]) for one in variant["inventory_items"]]
        for variant in product["variants"]
    ]
    assert linked == [[(box.pk, 2)], [(pack.pk, 1)], [], []]
    assert InventoryItem.objects.count() == 2


def test_a_writer_who_may_not_view_is_shown_no_other_products() -> None:
    draft = ProductFactory(status="draft", collection=ProductCollectionFactory())
    writer = importer(secret_key(UserFactory(permissions=["catalog.add_product"])))
    body = {"title": "New", "collection_id": draft.collection_id}
    answer = writer.post(f"{PATH}?fields=title,collection.id,collection.products.title", body).json()
    assert answer["product"]["title"] == "New"
    assert answer["product"]["collection"] == {"id": draft.collection_id, "products": []}


def test_nothing_is_changed_if_the_answer_has_too_many_rows(admin: Caller, settings: Settings) -> None:
    settings.MAX_RELATED_ROWS = 3
    for path, body in ((PATH, shirt("1")), (f"{PATH}/batch", {"create": [shirt("1"), shirt("2")]})):
        status, message = refusal(admin.post(path, body))
        assert (status, "more than 3 related rows" in message) == (400, True)
        assert not Product.objects.exists()


def test_the_same_picture_twice_can_be_sent_again(admin: Caller) -> None:
    images = [{"url": "https://example.com/front.jpg"}] * 2
    path = f"{PATH}/{made(admin, {**shirt(), 'images': images})['id']}"
    first = [image["id"] for image in made(admin, {"images": images}, path)["images"]]
    assert [image["id"] for image in made(admin, {"images": images}, path)["images"]] == first
    swapped = [{"url": images[0]["url"]}, {"id": first[0], "url": images[0]["url"]}]
    assert [image["id"] for image in made(admin, {"images": swapped}, path)["images"]] == first[::-1]


def test_given_variants_images_and_options_replace_the_stored_ones(admin: Caller) -> None:
    product = made(admin, shirt() | {"metadata": {"a": 1}})
    path = f"{PATH}/{product['id']}"
    large, small = product["variants"]
    changed = made(
        admin,
        {
            "metadata": {"b": 2},
            "images": [{"url": "https://example.com/new.jpg"}, {"id": product["images"][0]["id"], "url": "https://example.com/front.jpg"}],
            "variants": [
                {"id": small["id"], "title": "Small", "options": {"Size": "L"}},
                {"title": "Large again", "sku": large["sku"], "prices": [], "options": {"Size": "S"}},
            ],
        },
        path,
    )  # fmt: skip
    assert (changed["title"], changed["metadata"]) == ("Shirt 1", {"a": 1, "b": 2})
    assert [one["url"][20:] for one in changed["images"]] == ["new.jpg", "front.jpg"]
    assert changed["images"][1]["id"] == product["images"][0]["id"]
    assert [one["title"] for one in changed["variants"]] == ["Small", "Large again"]
    assert prices(changed["variants"][0]) == prices(small)
    assert ProductVariant.objects.get(pk=large["id"]).deleted_at is not None
    assert made(admin, {"title": "T"}, path)["variants"] == changed["variants"]
    emptied = made(admin, {"variants": [], "images": [], "option_ids": []}, path)
    assert (emptied["variants"], emptied["images"], emptied["options"]) == ([], [], [])
    assert ProductImage.objects.filter(deleted_at=None).count() == 0
    assert not ProductOption.objects.get().values.filter(deleted_at=None).exists()


def test_given_prices_replace_those_outside_price_lists(admin: Caller) -> None:
    region = RegionFactory(currency_id="eur")
    product = made(admin, shirt())
    large, small = product["variants"]
    path = f"{PATH}/{product['id']}/variants/{large['id']}"
    price(ProductVariant.objects.get(pk=large["id"]), 5, price_list=PriceListFactory())
    euros = large["prices"][0]["id"]
    rules = {"region_id": region.pk}
    sent = [
        {"id": euros, "amount": 18.5},
        {"currency_code": "eur", "amount": 15, "min_quantity": 10, "max_quantity": None, "rules": rules},
    ]
    shown = next(one for one in made(admin, {"prices": sent}, path)["variants"] if one["id"] == large["id"])
    assert [(one["amount"], one["min_quantity"], one["rules"]) for one in shown["prices"]] == [
        (18.5, None, {}),
        (15, 10, rules),
    ]
    kept = [one["id"] for one in shown["prices"]]
    assert kept[0] == euros
    again = made(admin, {"prices": [{"currency_code": "eur", "amount": 18.5}, sent[1]]}, path)["variants"][0]
    assert [one["id"] for one in again["prices"]] == kept
    unruled = made(admin, {"prices": [{"id": kept[1], "rules": {}}]}, path)["variants"][0]
    assert [(one["id"], one["rules"]) for one in unruled["prices"]] == [(kept[1], {})]
    assert prices(admin.get(f"{PATH}/{product['id']}/variants/{small['id']}").json()["variant"]) == prices(small)
    assert Price.objects.filter(deleted_at=None).exclude(price_list=None).count() == 1
    for wrong in ({"id": small["prices"][0]["id"], "amount": 1}, {"id": "price_x"}):
        status, message = refusal(admin.post(path, {"prices": [wrong]}))
        assert (status, message[:14]) == (400, "prices[0].id: ")


def test_a_change_of_a_part_moves_the_version_of_the_product(admin: Caller) -> None:
    product = made(admin, shirt())
    path, variant = f"{PATH}/{product['id']}", product["variants"][0]
    first = admin.get(path)["ETag"]
    made(admin, {"prices": [{"currency_code": "eur", "amount": 1}]}, f"{path}/variants/{variant['id']}")
    second = admin.get(path)["ETag"]
    assert second > first
    assert admin.get(f"{path}/variants/{variant['id']}")["ETag"] > f'"{variant["updated_at"]}"'
    assert admin.send("POST", path, b'{"variants": []}', if_match=first).status_code == 409
    assert made(admin, {"variants": [{"id": variant["id"], "title": variant["title"]}]}, path)["variants"]
    assert admin.send("DELETE", f"{path}/variants/{variant['id']}").status_code == 200
    assert admin.get(path)["ETag"] > second


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"options": [{"id": "opt_1"}]}, "Unrecognized fields: 'options[0].id'"),
        (
            {"options": [{"title": "Size", "values": ["S"], "is_exclusive": False}]},
            "Value for field 'options[0].is_exclusive' must be true: an option belongs to one product",
        ),
        ({"options": [{"title": "Size", "values": []}]}, "options[0].values: An option needs a value"),
        ({"options": [{"title": "Size", "values": ["S"], "ranks": {"S": "1"}}]}, "for field 'options[0].ranks'"),
        ({"options": []}, "variants[0].options: The product has no option 'Size'"),
        ({"images": [{"url": "nowhere"}]}, "thumbnail: It must begin with http"),
        ({"images": [{"url": "nowhere"}], "thumbnail": None}, "images[0].url: It must begin with http"),
        ({"tags": [{}]}, "Field 'tags[0].id' is required"),
        ({"tags": [{"id": "ptag_x"}]}, "Product tag with id: ptag_x was not found, given by field 'tags'"),
    ],
)
def test_a_refused_part_of_a_product_is_named(admin: Caller, change: dict[str, Any], message: str) -> None:
    status, said = refusal(admin.post(PATH, shirt() | change))
    assert (status, message in said) == (400, True), said
    assert not Product.objects.exists()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"options": {}}, "variants[1].options: A value is required of each option: Size"),
        ({"options": {"Size": "XL"}}, "variants[1].options: The option 'Size' has no value 'XL'"),
        ({"options": {"Size": ["S"]}}, "variants[1].options: The option 'Size' has no value '['S']'"),
        ({"options": {"Size": "L"}}, "have the same"),
        ({"weight": -1}, "variants[1].weight: "),
        ({"prices": [{"currency_code": "eur", "amount": 0.001}]}, "variants[1].prices[0].amount: "),
        ({"prices": [{"currency_code": "eur", "amount": -1}]}, "variants[1].prices[0].amount: "),
        ({"prices": [{"currency_code": "qqq", "amount": 1}]}, "variants[1].prices[0].currency_code: "),
        ({"prices": [{"currency_code": "eur", "amount": 1}] * 2}, "variants[1].prices[1].currency_code: Another price"),
        (
            {"prices": [{"currency_code": "eur", "amount": 1, "min_quantity": 3, "max_quantity": 2}]},
            "variants[1].prices[0].max_quantity: ",
        ),
        (
            {"prices": [{"currency_code": "eur", "amount": 1, "rules": {"colour": "red"}}]},
            "variants[1].prices[0].rules: 'colour' is none of the attributes region_id",
        ),
        (
            {"prices": [{"currency_code": "eur", "amount": 1, "rules": {"region_id": {}}}]},
            "variants[1].prices[0].rules: The value of 'region_id' must be a text",
        ),
        ({"prices": [{"amount": 1}]}, "variants[1].prices[0].currency_code: Field 'currency' is required"),
        (
            {"inventory_items": [{"inventory_item_id": "iitem_x", "required_quantity": 1}]},
            "variants[1].inventory_items[0].inventory_item_id: ",
        ),
        ({"colour": "red"}, "Unrecognized fields: 'variants[1].colour'"),
    ],
)
def test_a_refused_part_of_a_variant_is_named(admin: Caller, change: dict[str, Any], message: str) -> None:
    body = shirt()
    body["variants"][1] |= change
    status, said = refusal(admin.post(PATH, body))
    assert (status, message in said) == (400, True), said
    assert not Product.objects.exists()
    assert not InventoryItem.objects.exists()


def test_a_batch_names_each_refused_part_and_writes_nothing(admin: Caller) -> None:
    kept = made(admin, shirt("kept"))
    clash = shirt("2")
    clash["variants"][1]["sku"] = "SHIRT-kept-S"
    update = [{"id": kept["id"], "variants": [{"id": "variant_x", "title": "X"}]}]
    refused = admin.post(f"{PATH}/batch", {"create": [shirt("1"), clash]})
    assert refused.json()["message"] == (
        "create[1].variants[1].sku: Product variant with sku: SHIRT-kept-S already exists"
    )
    status, message = refusal(admin.post(f"{PATH}/batch", {"create": [shirt("1")], "update": update}))
    assert (status, message[:26]) == (400, "update[0].variants[0].id: ")
    assert Product.objects.count() == 1


def statements(admin: Caller, word: str, number: int) -> int:
    changed = [made(admin, shirt(f"{word}-{place}")) for place in range(number)]
    gone = [ProductFactory().pk for _ in range(number)]
    updates = [
        {
            "id": one["id"],
            "images": [],
            "variants": [{"id": one["variants"][0]["id"], "prices": [{"currency_code": "eur", "amount": 3}]}],
        }
        for one in changed
    ]
    new = [shirt(f"new-{word}-{place}") for place in range(number)]
    with CaptureQueriesContext(connection) as captured:
        answer = admin.post(f"{PATH}/batch", {"create": new, "update": updates, "delete": gone})
    assert answer.status_code == 200, answer.content
    assert [one["title"] for one in answer.json()["created"]] == [one["title"] for one in new]
    assert [len(one["variants"]) for one in answer.json()["updated"]] == [1] * number
    assert answer.json()["deleted"] == {"ids": gone, "object": "product", "deleted": True}
    return len(captured)


def test_a_batch_of_many_products_takes_as_many_statements_as_one_of_few(admin: Caller) -> None:
    statements(admin, "first", 1)
    assert statements(admin, "many", 9) == statements(admin, "few", 2)


def test_programs_see_products_of_every_status_and_deleted_ones_on_request(admin: Caller, store: Caller) -> None:
    draft, gone = made(admin, shirt("draft")), made(admin, shirt("gone"))
    ProductFactory()
    assert admin.send("DELETE", f"{PATH}/{gone['id']}").json() == {
        "id": gone["id"],
        "object": "product",
        "deleted": True,
    }

    def ids(query: str) -> set[str]:
        return {one["id"] for one in admin.get(f"{PATH}?{query}").json()["products"]}

    assert ids("status[]=draft") == ids("q=SHIRT-draft-L") == {draft["id"]}
    assert ids("status[]=draft&with_deleted=true") == {draft["id"], gone["id"]}
    restored = admin.post(f"{PATH}/{gone['id']}/restore", {}).json()["product"]
    assert len(restored["variants"]) == 2
    assert refusal(store.get(f"/store/products/{draft['id']}"))[0] == 404
    assert refusal(store.get("/store/products?fields=variants.prices"))[0] == 400


def test_the_quantity_of_a_variant_counts_all_locations(admin: Caller) -> None:
    product = made(admin, shirt())
    for quantity in (3, 4):
        InventoryLevelFactory(inventory_item=InventoryItem.objects.get(sku="SHIRT-1-L"), stocked_quantity=quantity)
    shown = admin.get(f"{PATH}/{product['id']}?fields=variants.inventory_quantity").json()["product"]
    assert [one["inventory_quantity"] for one in shown["variants"]] == [7, 0]


class TestVariants:
    def test_one_is_added_changed_and_deleted(self, admin: Caller) -> None:
        product = made(admin, shirt() | {"variants": []})
        path = f"{PATH}/{product['id']}/variants"
        added = made(admin, {"title": "L", "prices": [], "options": {"Size": "L"}}, path)
        made(admin, {"title": "S", "prices": [], "options": {"Size": "S"}}, path)
        assert [one["id"] for one in added["variants"]] == [one["id"] for one in admin.get(path).json()["variants"]][:1]
        one = f"{path}/{added['variants'][0]['id']}"
        changed = made(admin, {"ean": "1", "metadata": {"a": 1}, "variant_rank": 5}, one)["variants"]
        assert [(each["title"], each["ean"], each["metadata"]) for each in changed] == [
            ("S", None, None),
            ("L", "1", {"a": 1}),
        ]
        assert admin.get(one).json()["variant"]["prices"] == []
        assert admin.get("/admin/product-variants?ean=1").json()["count"] == 1
        deleted = admin.send("DELETE", f"{one}?fields=id,variants.id").json()
        assert deleted == {
            "id": added["variants"][0]["id"],
            "object": "variant",
            "deleted": True,
            "parent": {"id": product["id"], "variants": [{"id": changed[0]["id"]}]},
        }
        assert refusal(admin.get(one))[0] == 404

    def test_those_of_other_products_are_not_found(self, admin: Caller) -> None:
        own, other = VariantFactory(), VariantFactory()
        path = f"{PATH}/{own.product_id}/variants"
        for method in ("GET", "POST", "DELETE"):
            assert refusal(admin.send(method, f"{path}/{other.pk}"))[0] == 404
        assert refusal(admin.post(f"{PATH}/prod_x/variants", {"title": "A"}))[0] == 404
        for part in ({"update": [{"id": other.pk, "title": "A"}]}, {"delete": [other.pk]}):
            status, message = refusal(admin.post(f"{path}/batch", part))
            assert (status, other.pk in message) == (400, True)
        assert refusal(admin.post(f"{PATH}/prod_x/variants/batch", {}))[0] == 404
        other.refresh_from_db()
        assert (other.deleted_at, other.title != "A") == (None, True)

    def test_a_batch_creates_changes_and_deletes(self, admin: Caller) -> None:
        product = made(admin, shirt())
        large, small = product["variants"]
        body = {
            "create": [{"title": "New", "sku": large["sku"], "prices": [], "options": {"Size": "L"}}],
            "update": [{"id": small["id"], "title": "Small", "prices": [{"currency_code": "eur", "amount": 2}]}],
            "delete": [large["id"]],
        }
        answer = admin.post(f"{PATH}/{product['id']}/variants/batch", body).json()
        assert [(one["title"], one["sku"]) for one in answer["created"]] == [("New", large["sku"])]
        assert [(one["title"], prices(one)) for one in answer["updated"]] == [("Small", [("eur", 2)])]
        assert answer["deleted"] == {"ids": [large["id"]], "object": "variant", "deleted": True}

    def test_of_any_products(self, admin: Caller) -> None:
        option, other = OptionFactory(title="Size", values=["S", "L"]), VariantFactory()
        create = """mutation ($product: ID!, $options: JSON) { createVariant(input: {
          productId: $product, title: "S", options: $options, prices: [{currencyCode: "eur", amount: 2.5}] }) {
          variant { id prices { amount } } } }"""
        given = {"product": option.product_id, "options": {"Size": "S"}}
        small = data(ask(admin, create, given))["createVariant"]["variant"]
        assert small["prices"] == [{"amount": 2.5}]
        priced = {"prices": [{"currency_code": "eur", "amount": 3}]}
        body = {"update": [{"id": small["id"], **priced}, {"id": other.pk, **priced}]}
        answer = admin.post("/admin/product-variants/batch", body).json()
        assert [(one["product_id"], prices(one)) for one in answer["updated"]] == [
            (option.product_id, [("eur", 3)]),
            (other.product_id, [("eur", 3)]),
        ]


def test_each_part_needs_the_permission_to_write_it() -> None:
    user = UserFactory()

    def allow(*names: str) -> Caller:
        user.user_permissions.add(*Permission.objects.filter(codename__in=names))
        return importer(secret_key(user))

    for name in ("product", "productimage", "productoption", "productvariant", "price"):
        refused = refusal(importer(secret_key(user)).post(PATH, shirt()))
        assert refused == (403, f"The permission 'catalog.add_{name}' is required")
        caller = allow(f"add_{name}")
    assert made(caller, shirt())["variants"][0]["prices"]
    assert not InventoryItem.objects.exists()
    made(allow("add_inventoryitem", "add_variantinventoryitem"), shirt("2"))
    assert InventoryItem.objects.count() == 2


def test_a_batch_whose_response_would_be_too_large_changes_nothing(admin: Caller, settings: Any) -> None:
    settings.MAX_RELATED_ROWS = 3
    rows = [ProductFactory(title="Before") for _ in range(2)]
    for row in rows * 2:
        VariantFactory(product=row)
    body = {"update": [{"id": row.pk, "title": "After"} for row in rows]}
    assert admin.post(f"{PATH}/batch", body).status_code == 400
    assert {*Product.objects.values_list("title", flat=True)} == {"Before"}
    assert admin.post(f"{PATH}/batch?fields=title", body).status_code == 200
