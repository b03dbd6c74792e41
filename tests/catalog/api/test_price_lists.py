"""Price lists and their prices below /admin, as the official SDK calls them."""

from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from catalog.models import Price, PriceList, PriceListRule, PriceRule, ProductVariant
from tests.contract.callers import Caller, importer, refusal
from tests.contract.conftest import admin, store
from tests.factories.apikeys import secret_key
from tests.factories.pricing import PriceListFactory, price
from tests.factories.products import ProductFactory, VariantFactory
from tests.factories.shop import RegionFactory
from tests.factories.staff import UserFactory
from tests.kit.graphql.calls import ask, data

pytestmark = pytest.mark.django_db

__all__ = ["admin", "store"]
PATH = "/admin/price-lists"


def amounts(price_list: str) -> dict[str, Decimal]:
    """By the id of the variant."""
    rows = Price.objects.not_deleted().filter(price_list=price_list)
    return dict(rows.values_list("price_set__variant", "amount"))


def unpriced_variant(**values: Any) -> ProductVariant:
    return VariantFactory(price_set=None, **values)


def test_a_list_is_made_with_rules_and_prices_that_the_store_charges(admin: Caller, store: Caller) -> None:
    variant, region = unpriced_variant(), RegionFactory(countries=["us"])
    body = {
        "title": "Summer",
        "description": "Hot",
        "type": "override",
        "status": "active",
        "starts_at": "2026-01-01",
        "rules": {"region_id": [region.pk, "reg_x"]},
        "prices": [
            {"variant_id": variant.pk, "currency_code": "USD", "amount": 9.99, "rules": {"region_id": region.pk}},
            {"variant_id": variant.pk, "currency_code": "eur", "amount": 8, "min_quantity": 5, "max_quantity": None},
        ],
    }
    made = admin.post(PATH, body).json()["price_list"]
    assert made == {
        **made,
        **{name: body[name] for name in ("title", "description", "type", "status", "rules")},
        "starts_at": "2026-01-01T00:00:00.000Z",
        "ends_at": None,
        "metadata": None,
        "deleted_at": None,
    }
    usd, eur = sorted(made["prices"], key=lambda one: one["amount"], reverse=True)
    assert usd == {
        **usd,
        "variant_id": variant.pk,
        "currency_code": "usd",
        "amount": 9.99,
        "raw_amount": {"value": "9.99", "precision": 20},
        "rules": {"region_id": region.pk},
        "title": None,
        "price_set_id": ProductVariant.objects.get(pk=variant.pk).price_set_id,
        "min_quantity": None,
    }
    assert (eur["min_quantity"], eur["rules"]) == (5, {})
    shown = store.get(f"/store/product-variants/{variant.pk}", f"region_id={region.pk}").json()["variant"]
    assert shown["calculated_price"]["calculated_amount"] == 9.99
    listed = admin.get(f"{PATH}/{made['id']}/prices", "order=amount").json()
    assert [one["amount"] for one in listed["prices"]] == [8, 9.99]


def test_a_list_is_changed_and_deleted(admin: Caller) -> None:
    stored = PriceListFactory(title="Summer", rules={"region_id": ["reg_1"], "customer.id": ["cus_1"]})
    one = f"{PATH}/{stored.pk}"
    before = admin.get(one).json()["price_list"]
    assert before["rules"] == {"region_id": ["reg_1"], "customer.id": ["cus_1"]}
    ruled = admin.post(one, {"rules": {"customer.groups.id": ["g_1", "g_2"]}}).json()["price_list"]
    assert ruled["updated_at"] > before["updated_at"]
    after = admin.post(one, {"status": "draft", "ends_at": None}).json()["price_list"]
    assert (after["title"], after["status"], after["rules"]) == (
        "Summer",
        "draft",
        {"customer.groups.id": ["g_1", "g_2"]},
    )
    assert admin.post(one, {"title": "Winter"}).json()["price_list"]["rules"] == after["rules"]
    assert admin.get(PATH, "status=draft&q=winter").json()["count"] == 1
    assert admin.send("DELETE", one).json() == {"id": stored.pk, "object": "price_list", "deleted": True}
    assert refusal(admin.get(one))[0] == 404


@pytest.mark.parametrize(
    ("body", "status", "word"),
    [
        ({"rules": {"item_total": ["1"]}}, 400, "item_total"),
        ({"rules": {"region_id": "reg_1"}}, 400, "region_id"),
        ({"starts_at": "2026-02-01", "ends_at": "2026-01-01"}, 400, "The end must be after the start."),
        ({"type": "free"}, 400, "type"),
        ({"title": "Taken"}, 422, "Taken"),
    ],
)
def test_a_bad_value_changes_nothing(admin: Caller, body: dict[str, Any], status: int, word: str) -> None:
    PriceListFactory(title="Taken")
    stored = PriceListFactory(title="Kept", rules={"region_id": ["reg_1"]})
    for path in (PATH, f"{PATH}/{stored.pk}"):
        refused = admin.post(path, {"title": "New", "description": "", **body})
        assert (refused.status_code, word in refused.json()["message"]) == (status, True), refused.json()
    assert {*PriceList.objects.values_list("title", flat=True)} == {"Taken", "Kept"}
    assert PriceListRule.objects.get().value == ["reg_1"]


def listed(admin: Caller) -> tuple[str, ProductVariant, Price]:
    """A list with the price of a variant."""
    price_list, variant = PriceListFactory(), VariantFactory()
    return f"{PATH}/{price_list.pk}/prices/batch", variant, price(variant, 10, price_list=price_list)


def test_prices_are_created_changed_and_deleted(admin: Caller) -> None:
    path, variant, kept = listed(admin)
    other, new = VariantFactory(), unpriced_variant()
    PriceRule.objects.create(price=kept, attribute="region_id", value="reg_1")
    gone = price(other, 7, price_list=kept.price_list)
    before = admin.get(f"{PATH}/{kept.price_list_id}").json()["price_list"]["updated_at"]
    body = {
        "create": [
            {"variant_id": new.pk, "currency_code": "usd", "amount": 0.3},
            {"variant_id": other.pk, "currency_code": "usd", "amount": 6},  # what the deleted one was for
        ],
        "update": [{"id": kept.pk, "variant_id": variant.pk, "amount": 11, "rules": {"customer.id": "cus_1"}}],
        "delete": [gone.pk],
    }
    answer = admin.post(path, body).json()
    assert [(one["variant_id"], one["amount"]) for one in answer["created"]] == [(new.pk, 0.3), (other.pk, 6)]
    assert [(one["id"], one["rules"]) for one in answer["updated"]] == [(kept.pk, {"customer.id": "cus_1"})]
    assert answer["deleted"] == {"ids": [gone.pk], "object": "price", "deleted": True}
    assert amounts(str(kept.price_list_id)) == {variant.pk: 11, other.pk: 6, new.pk: Decimal("0.3")}
    deleted = admin.get(f"{PATH}/{kept.price_list_id}").json()["price_list"]["updated_at"]
    admin.post(path, {"update": [{"id": kept.pk, "variant_id": variant.pk, "amount": 12}]})
    assert admin.get(f"{PATH}/{kept.price_list_id}").json()["price_list"]["updated_at"] > deleted > before


def test_refused_prices_are_named_and_nothing_is_written(admin: Caller) -> None:
    path, variant, kept = listed(admin)
    own, elsewhere = price(variant, 20), price(variant, 30, price_list=PriceListFactory())
    good = {"variant_id": variant.pk, "currency_code": "eur", "amount": 5}
    cases: list[tuple[dict[str, Any], int, str]] = [
        ({"create": [good, {**good, "variant_id": "variant_x"}]}, 400, "create[1].variant_id: Product variant with id"),
        ({"create": [good, {**good, "currency_code": "zzz"}]}, 400, "create[1].currency_code: "),
        ({"create": [good, {**good, "currency_code": "jpy", "amount": 1.5}]}, 400, "create[1].amount: "),
        ({"create": [good, {**good, "currency_code": "usd", "amount": -1}]}, 400, "create[1].amount: "),
        ({"create": [{**good, "min_quantity": 5, "max_quantity": 4}]}, 400, "create[0].max_quantity: "),
        ({"create": [{**good, "rules": {"item_total": "5"}}]}, 400, "create[0].rules: 'item_total' is none of"),
        ({"create": [{**good, "rules": {"region_id": ["a"]}}]}, 400, "create[0].rules: The value of 'region_id'"),
        ({"create": [good, good]}, 422, "create[0]: The list has another price"),
        ({"create": [good, {**good, "currency_code": "usd"}]}, 422, "create[1]: The list has another price"),
        ({"create": [good], "update": [{"id": own.pk, "variant_id": variant.pk}]}, 400, own.pk),
        (
            {"create": [good], "update": [{"id": kept.pk, "variant_id": VariantFactory().pk}]},
            400,
            "update[0].variant_id",
        ),
        ({"create": [good], "delete": [elsewhere.pk]}, 400, "given by field 'delete'"),
    ]
    for body, status, message in cases:
        refused = admin.post(path, body)
        assert (refused.status_code, message in refused.json()["message"]) == (status, True), refused.json()
    assert refusal(admin.post(f"{PATH}/plist_x/prices/batch", {"create": [good]}))[0] == 404
    assert {*Price.objects.not_deleted().values_list("amount", flat=True)} == {10, 20, 30}
    refused = admin.post(PATH, {"title": "New", "prices": [good, {**good, "variant_id": "variant_x"}]})
    assert "prices[1].variant_id" in refusal(refused)[1]
    assert not PriceList.objects.filter(title="New").exists()


def test_a_batch_of_prices_takes_as_many_statements_whatever_its_size(admin: Caller) -> None:
    def statements(number: int) -> int:
        price_list = PriceListFactory()
        changed = [price(VariantFactory(), 5, price_list=price_list) for _ in range(number)]
        gone = [price(VariantFactory(), 5, price_list=price_list) for _ in range(number)]
        body = {
            "create": [
                {"variant_id": unpriced_variant().pk, "currency_code": "usd", "amount": 5, "rules": {"region_id": "r"}}
                for _ in range(number)
            ],
            "update": [
                {"id": one.pk, "variant_id": one.price_set.variant.pk, "amount": 4, "rules": {"region_id": "r"}}
                for one in changed
            ],
            "delete": [one.pk for one in gone],
        }
        with CaptureQueriesContext(connection) as captured:
            assert admin.post(f"{PATH}/{price_list.pk}/prices/batch", body).status_code == 200
        return len(captured)

    statements(1)  # what is read once
    assert statements(20) == statements(2)


def test_products_are_taken_out_with_the_prices_of_their_variants(admin: Caller) -> None:
    product, price_list = ProductFactory(), PriceListFactory()
    for variant in (VariantFactory(product=product), VariantFactory(product=product)):
        price(variant, 5, price_list=price_list)
        price(variant, 6)
    kept = price(VariantFactory(), 7, price_list=price_list)
    answer = admin.post(f"{PATH}/{price_list.pk}/products", {"remove": [product.pk, "prod_x"]}).json()["price_list"]
    assert [one["id"] for one in answer["prices"]] == [kept.pk]
    assert Price.objects.not_deleted().filter(amount=6).count() == 2
    assert refusal(admin.post(f"{PATH}/{price_list.pk}/products", {"add": [product.pk]}))[0] == 400


def test_a_change_is_undone_if_the_response_would_be_too_large(admin: Caller, settings: Settings) -> None:
    _, variant, kept = listed(admin)
    price(variant, 12, "eur", price_list=kept.price_list)
    settings.MAX_RELATED_ROWS = 1
    one = f"{PATH}/{kept.price_list_id}"
    assert "more than 1 related rows" in refusal(admin.post(one, {"title": "New"}))[1]
    assert not PriceList.objects.filter(title="New").exists()
    assert admin.post(f"{one}?fields=title", {"title": "New"}).json()["price_list"]["title"] == "New"


def test_prices_take_permissions_of_their_own() -> None:
    keeper = importer(secret_key(UserFactory(permissions=["catalog.add_pricelist", "catalog.change_price"])))
    good = {"variant_id": VariantFactory().pk, "currency_code": "eur", "amount": 5}
    assert keeper.post(PATH, {"title": "Empty"}).status_code == 200
    refused = refusal(keeper.post(PATH, {"title": "Full", "prices": [good]}))
    assert refused == (403, "The permission 'catalog.add_price' is required")
    assert PriceList.objects.get().title == "Empty"
    path = f"{PATH}/{PriceList.objects.get().pk}/prices/batch"
    assert refusal(keeper.post(path, {"create": [good]}))[0] == 403


def test_by_graphql(admin: Caller) -> None:
    variant = VariantFactory()
    make = """mutation ($input: PriceListInput!) { createPriceList(input: $input) {
      priceList { id rules prices { id amount currencyCode variantId } } } }"""
    values = {
        "title": "Sale",
        "rules": {"region_id": ["r"]},
        "prices": [{"variantId": variant.pk, "currencyCode": "usd", "amount": 5}],
    }
    made = data(ask(admin, make, {"input": values}))["createPriceList"]["priceList"]
    [row] = made["prices"]
    assert row == {**row, "amount": 5, "currencyCode": "usd", "variantId": variant.pk}
    batch = """mutation ($id: ID!, $delete: [String!]) {
      batchPriceListPrices(id: $id, input: { delete: $delete }) { deleted } }"""
    assert data(ask(admin, batch, {"id": made["id"], "delete": [row["id"]]})) == {
        "batchPriceListPrices": {"deleted": [row["id"]]}
    }
    query = "query ($id: [ID]) { prices(priceListId: $id) { count } }"
    assert data(ask(admin, query, {"id": made["id"]})) == {"prices": {"count": 0}}
