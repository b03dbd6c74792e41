"""Options of products and their values below /admin, as the official SDK calls them."""

import pytest

from catalog.models import ProductOption, ProductOptionValue, ProductVariant
from tests.contract.callers import Caller, refusal
from tests.contract.conftest import admin
from tests.factories.products import OptionFactory, ProductFactory, VariantFactory
from tests.kit.graphql.calls import ask, data

pytestmark = pytest.mark.django_db

__all__ = ["admin"]
PATH = "/admin/product-options"


def values(option: ProductOption) -> list[str]:
    rows = ProductOptionValue.objects.not_deleted().filter(option=option).order_by("pk")
    return [*rows.values_list("value", flat=True)]


def test_an_option_is_made_on_its_product_alone(admin: Caller) -> None:
    body = {"title": "Size", "values": ["S", "M"]}
    assert refusal(admin.post(PATH, body)) == (400, "Invalid request: Field 'product_id' is required")
    variant = VariantFactory()
    made = admin.post(PATH, {**body, "product_id": variant.product_id}).json()["product_option"]
    assert made == {**made, "title": "Size", "product_id": variant.product_id, "is_exclusive": True, "deleted_at": None}
    assert [each["value"] for each in made["values"]] == ["S", "M"]
    assert [each.value for each in variant.options.all()] == ["S"]
    repeated = {**body, "product_id": variant.product_id, "title": "Width", "values": ["S", "S"]}
    assert refusal(admin.post(PATH, repeated)) == (400, "values: 'S' is repeated")
    again = admin.post(PATH, {**body, "product_id": variant.product_id})
    assert (again.status_code, again.json()["type"]) == (422, "duplicate_error")


def test_values_are_replaced_unless_a_variant_has_them(admin: Caller) -> None:
    option = OptionFactory(title="Size", values=["S", "M"])
    small, _ = option.values.order_by("pk")
    VariantFactory(product=option.product, title="Small", options=[small])
    changed = admin.post(f"{PATH}/{option.pk}", {"title": "Sizes", "values": ["S", "L"], "metadata": {"a": 1}})
    assert changed.json()["product_option"] == {
        **changed.json()["product_option"],
        "title": "Sizes",
        "metadata": {"a": 1},
    }
    assert values(option) == ["S", "L"]
    refused = refusal(admin.post(f"{PATH}/{option.pk}", {"title": "Other", "values": ["L"]}))
    assert refused == (400, "values: 'S' is used by the variant 'Small' and cannot be removed")
    assert ProductOption.objects.get().title == "Sizes"
    assert values(option) == ["S", "L"]


def test_values_are_listed_in_their_order_and_products_with_the_option(admin: Caller) -> None:
    """As the dashboard's page of an option asks for both."""
    option = OptionFactory(title="Size", values=["S", "M", "L"])
    ProductFactory()
    for order, listed in (("rank", ["S", "M", "L"]), ("-rank", ["L", "M", "S"])):
        query = f"limit=10&offset=0&order={order}"
        shown = admin.get(f"{PATH}/{option.pk}/values", query).json()["product_option_values"]
        assert [each["value"] for each in shown] == listed
    fields = "id,title,*product_options"
    (product,) = admin.get("/admin/products", f"option_id={option.pk}&fields={fields}").json()["products"]
    assert product["id"] == option.product_id
    assert [(each["id"], each["title"]) for each in product["product_options"]] == [(option.pk, "Size")]


def test_an_option_is_deleted_if_the_variants_still_differ(admin: Caller) -> None:
    size = OptionFactory(title="Size", values=["S", "M"])
    colour = OptionFactory(title="Colour", values=["Red"], product=size.product)
    for value in size.values.order_by("pk"):
        VariantFactory(product=size.product, title=value.value, options=[value, colour.values.get()])
    refused = refusal(admin.send("DELETE", f"{PATH}/{size.pk}"))
    assert refused == (400, "The variants 'S' and 'M' would have the same option values")
    gone = admin.send("DELETE", f"{PATH}/{colour.pk}").json()
    assert gone == {"id": colour.pk, "object": "product_option", "deleted": True}
    listed = admin.get(f"/admin/products/{size.product_id}/options").json()["product_options"]
    assert [each["title"] for each in listed] == ["Size"]


def test_a_value_is_renamed_read_and_deleted_within_its_option(admin: Caller) -> None:
    option, other = OptionFactory(title="Size", values=["S", "M"]), OptionFactory(values=["XL"])
    small, medium = option.values.order_by("pk")
    variant = VariantFactory(product=option.product, title="Small", options=[small])
    path = f"{PATH}/{option.pk}/values"
    listed = admin.get(path).json()["product_option_values"]
    assert [(each["value"], each["option_id"]) for each in listed] == [("S", option.pk), ("M", option.pk)]
    renamed = admin.post(f"{path}/{small.pk}", {"value": "Small", "metadata": {"a": 1}}).json()["product_option_value"]
    assert (renamed["value"], renamed["metadata"]) == ("Small", {"a": 1})
    assert ProductVariant.objects.get(pk=variant.pk).options.get().value == "Small"
    assert admin.get(f"{path}/{small.pk}").json()["product_option_value"] == renamed
    assert admin.post(f"{path}/{small.pk}", {"value": "M"}).status_code == 422
    elsewhere = f"{path}/{other.values.get().pk}"
    for refused in (admin.get(elsewhere), admin.post(elsewhere, {"value": "XXL"}), admin.send("DELETE", elsewhere)):
        assert refusal(refused)[0] == 404
    assert values(other) == ["XL"]
    assert refusal(admin.send("DELETE", f"{path}/{small.pk}"))[1].startswith("'Small' is used by the variant 'Small'")
    assert admin.send("DELETE", f"{path}/{medium.pk}").json()["object"] == "product_option_value"
    variant.options.clear()
    assert refusal(admin.send("DELETE", f"{path}/{small.pk}")) == (400, "An option needs a value")
    assert values(option) == ["Small"]


def test_products_do_not_share_options(admin: Caller) -> None:
    option, other = OptionFactory(values=["S"]), ProductFactory()
    path = f"/admin/products/{other.pk}/options/batch"
    bodies: list[dict[str, object]] = [
        {"add": [{"id": option.pk, "value_ids": [option.values.get().pk]}]},
        {"add": [{"title": "Size", "values": ["S"]}]},
        {"remove": [option.pk]},
        {"update": [{"product_option_id": option.pk, "add": ["M"]}]},
    ]
    for body in bodies:
        status, message = refusal(admin.post(path, body))
        assert (status, "belongs to one product" in message) == (400, True)
    assert admin.post(path, {}).json()["product"]["options"] == []
    assert values(option) == ["S"]


def test_by_graphql(admin: Caller) -> None:
    option = OptionFactory(title="Size", values=["S"], product=ProductFactory(status="draft"))
    change = """mutation ($id: ID!) { updateProductOptionValue(id: $id, input: { value: "M" }) {
      productOptionValue { value option { title } } } }"""
    assert data(ask(admin, change, {"id": option.values.get().pk}))["updateProductOptionValue"] == {
        "productOptionValue": {"value": "M", "option": {"title": "Size"}}
    }
    listed = data(ask(admin, "{ adminProductOptions { productOptions { title isExclusive values { value } } } }"))
    assert listed["adminProductOptions"]["productOptions"] == [
        {"title": "Size", "isExclusive": True, "values": [{"value": "M"}]}
    ]
