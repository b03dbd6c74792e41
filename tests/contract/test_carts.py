"""Carts over HTTP: what the storefronts send and read, what is refused, and the same in GraphQL."""

from typing import Any

import pytest

from carts.lines.lines import NewLineItem
from carts.models import Cart
from catalog.models import ProductVariant
from shop.models import Region
from tests.contract.callers import Caller, invalid, refusal
from tests.contract.test_storefront_calls import faults
from tests.factories import carts as make
from tests.factories.customers import CustomerFactory
from tests.factories.fulfillment import option
from tests.factories.inventory import stock
from tests.factories.orders import full_cart
from tests.factories.pricing import price
from tests.factories.products import ImageFactory, ProductFactory
from tests.kit.graphql.calls import ask, data, failures, is_unauthorized

pytestmark = pytest.mark.django_db

LAYOUT = (
    "fields=%2Aitems%2C%20%2Aregion%2C%20%2Aitems.product%2C%20%2Aitems.variant%2C%20%2Aitems.thumbnail%2C%20"
    "%2Aitems.metadata%2C%20%2Bitems.total%2C%20%2Apromotions%2C%20%2Bshipping_methods.name"
)
NUMBER = (int, float)
ADDRESS = dict.fromkeys(
    ("first_name", "last_name", "address_1", "address_2", "company", "postal_code", "city", "province", "phone"), str
)
SHOWN_ADDRESS = {**ADDRESS, "country_code": str}
ITEM = {
    **dict.fromkeys(("id", "created_at", "title", "product_title", "product_handle", "thumbnail"), str),
    "quantity": int,
    "total": NUMBER,
    "original_total": NUMBER,
    "metadata": (dict, type(None)),
    "variant": {"title": str, "manage_inventory": bool},
    "product": {"id": str, "handle": str},
}
CART = {
    "id": str,
    "email": (str, type(None)),
    "region_id": str,
    "customer_id": (str, type(None)),
    "currency_code": str,
    **dict.fromkeys(
        ("total", "subtotal", "tax_total", "item_total", "item_subtotal", "shipping_subtotal", "discount_subtotal"),
        NUMBER,
    ),
    "region": {"id": str, "countries": [{"iso_2": str, "display_name": str}]},
    "shipping_methods": list,
    "promotions": list,
    "items": [ITEM],
}
PROMOTION = {
    "id": str,
    "code": str,
    "is_automatic": bool,
    "application_method": {"value": NUMBER, "type": str, "currency_code": (str, type(None))},
}


@pytest.fixture
def region() -> Region:
    return make.selling_region(tax_rate=5)


@pytest.fixture
def mug() -> ProductVariant:
    product = ProductFactory(title="Mug", handle="mug", thumbnail="/mug.png", description="Holds tea")
    ImageFactory(product=product)
    variant = make.sold_variant(20, product=product, title="Large", sku="mug-l", in_stock=10)
    price(variant, 18, "eur")
    return variant


def test_a_storefront_fills_a_cart(store: Caller, region: Region, mug: ProductVariant) -> None:
    """The steps from the first click to the checkout's address, as they are sent, each with what is read of it."""
    made = store.post("/store/carts", {"region_id": region.pk, "locale": "en-US"}).json()["cart"]
    path = f"/store/carts/{made['id']}"
    assert made["region_id"] == region.pk
    assert store.get(path, "fields=id,region_id").json() == {"cart": {"id": made["id"], "region_id": region.pk}}
    assert store.post(f"{path}/line-items", {"variant_id": mug.pk, "quantity": 1}).status_code == 200
    shown = store.get(path, LAYOUT).json()["cart"]
    assert faults(CART, shown) == []
    (line,) = shown["items"]
    assert store.post(f"{path}/line-items/{line['id']}", {"quantity": 2}).status_code == 200
    message = "The promotion code NOPE is invalid"
    assert refusal(store.post(path, {"promo_codes": ["NOPE"]})) == (400, message)
    make.PromotionFactory(code="TENTH")
    assert store.post(path, {"promo_codes": ["TENTH"]}).status_code == 200
    shown = store.get(path, LAYOUT).json()["cart"]
    assert faults({**CART, "promotions": [PROMOTION]}, shown) == []
    assert shown["promotions"][0]["application_method"] == {
        "type": "percentage",
        "value": 10,
        "currency_code": None,
        "target_type": "items",
        "allocation": "each",
    }
    assert store.post(path, {"promo_codes": []}).json()["cart"]["promotions"] == []
    address = {**dict.fromkeys(ADDRESS, ""), "first_name": "Ann", "country_code": "us", "province": "Anywhere"}
    sent = {"email": "ann@example.com", "shipping_address": address, "billing_address": address}
    shown = store.post(path, sent).json()["cart"]
    read = {**CART, "shipping_address": SHOWN_ADDRESS, "billing_address": SHOWN_ADDRESS}
    assert faults({**read, "items": [{**ITEM, "variant": None, "product": None}]}, shown) == [
        ".items[].variant: absent",
        ".items[].product: absent",
    ]
    assert {name: shown["shipping_address"][name] for name in address} == address
    assert (shown["item_subtotal"], shown["tax_total"], shown["total"]) == (40, 2, 42)
    deleted = store.send("DELETE", f"{path}/line-items/{line['id']}").json()
    assert (deleted["id"], deleted["object"], deleted["deleted"]) == (line["id"], "line-item", True)
    assert (deleted["parent"]["id"], deleted["parent"]["items"], deleted["parent"]["total"]) == (made["id"], [], 0)


def test_bodies_may_be_empty_where_nothing_is_asked_for(store: Caller) -> None:
    make.default_region()
    made = store.post("/store/carts").json()["cart"]
    for path in (f"/store/carts/{made['id']}", f"/store/carts/{made['id']}/taxes"):
        assert store.post(path).json()["cart"]["id"] == made["id"]


def test_the_defaults_of_a_cart_are_its_scalars_and_its_parts(store: Caller, mug: ProductVariant) -> None:
    make.PromotionFactory(code="TENTH")
    cart = make.cart(mug, shipping_address={"city": "Ulm"}, billing_address={}, promo_codes=["TENTH"])
    chosen = store.post(f"/store/carts/{cart.pk}/shipping-methods", {"option_id": option(5).pk})
    assert chosen.status_code == 200, chosen.content
    shown = store.get(f"/store/carts/{cart.pk}").json()["cart"]
    objects = {name for name, value in shown.items() if isinstance(value, dict | list)}
    assert objects == {
        *("items", "region", "shipping_address", "billing_address", "shipping_methods", "promotions", "credit_lines"),
        "skipped_promo_codes",
    }
    (line,) = shown["items"]
    (method,) = shown["shipping_methods"]
    for each in (line, method):
        assert {name for name, value in each.items() if isinstance(value, list)} == {"tax_lines", "adjustments"}
    assert {name: line[name] for name in ("unit_price", "total", "discount_total", "original_total")} == {
        "unit_price": 20,
        "total": 18,
        "discount_total": 2,
        "original_total": 20,
    }
    assert [(each["amount"], each["code"], each["order_id"]) for each in line["adjustments"]] == [(2, "TENTH", None)]


def test_a_line_leads_to_its_detail_variant_and_product_through_their_gates(store: Caller, mug: ProductVariant) -> None:
    cart = make.cart(mug)
    fields = (
        "fields=items.detail.*,items.detail.item.product_type_id,*items.variant,*items.product,items.tax_lines.item.id"
    )
    path = f"/store/carts/{cart.pk}"
    (line,) = store.get(path, fields).json()["cart"]["items"]
    row = cart.items.get()
    detail = line["detail"]
    assert (detail["id"], detail["item_id"], detail["quantity"], detail["fulfilled_quantity"]) == (
        row.detail_id,
        row.pk,
        1,
        0,
    )
    assert detail["item"] == {"id": row.pk, "product_type_id": None}
    assert (line["variant"]["id"], line["product"]["id"]) == (mug.pk, mug.product_id)
    mug.product.sales_channels.clear()
    (line,) = store.get(path, fields).json()["cart"]["items"]
    assert (line["variant"], line["product"]) == (None, None)


def test_prices_of_a_carts_variants_are_the_carts(store: Caller, mug: ProductVariant) -> None:
    make.default_region()
    europe = make.selling_region(currency_id="eur", countries=["de"])
    cart = make.cart(mug, region_id=europe.pk)
    shown = store.get(f"/store/carts/{cart.pk}", "fields=items.variant.calculated_price.calculated_amount").json()
    assert shown["cart"]["items"][0]["variant"]["calculated_price"]["calculated_amount"] == 18
    answered = data(
        ask(
            store, f'{{ cart(id: "{cart.pk}") {{ items {{ variant {{ calculatedPrice {{ calculatedAmount }} }} }} }} }}'
        )
    )
    assert answered["cart"]["items"][0]["variant"]["calculatedPrice"]["calculatedAmount"] == 18


def test_a_cart_says_for_whom_the_catalogues_prices_are(store: Caller, mug: ProductVariant) -> None:
    make.default_region()
    europe = make.selling_region(currency_id="eur", countries=["de"], tax_rate=20)
    cart = make.cart(NewLineItem(mug.pk, 9), region_id=europe.pk)
    price(mug, 1, "eur", min_quantity=9)
    wanted = "fields=calculated_price.calculated_amount,calculated_price.calculated_amount_with_tax"
    for region, amount in (("", 18), (f"&region_id={europe.pk}", 18), (f"&region_id={_usd().pk}", 20)):
        listed = store.get("/store/product-variants", f"cart_id={cart.pk}{region}&{wanted}").json()["variants"]
        assert [each["calculated_price"]["calculated_amount"] for each in listed] == [amount]
    assert (
        store.get("/store/product-variants", wanted).json()["variants"][0]["calculated_price"]["calculated_amount"]
        == 20
    )
    query = f'{{ productVariants(cartId: "{cart.pk}") {{ variants {{ calculatedPrice {{ calculatedAmount }} }} }} }}'
    (found,) = data(ask(store, query))["productVariants"]["variants"]
    assert found["calculatedPrice"]["calculatedAmount"] == 18


def _usd() -> Region:
    return Region.objects.get(currency_id="usd")


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"items": {}}, "Expected type: 'array' for field 'items', got: '[object Object]'"),
        ({"items": None}, "Expected type: 'array' for field 'items', got: 'null'"),
        ({"items": "a"}, "Expected type: 'array' for field 'items', got: 'a'"),
        ({"items": [5]}, "Expected type: 'object' for field 'items, 0', got: '5'"),
        ({"items": [None]}, "Expected type: 'object' for field 'items, 0', got: 'null'"),
        ({"items": [{}] * 1001}, "Value for field 'items' too big, expected at most: '1000' items"),
        (
            {"items": [{"variant_id": 5, "quantity": 1}]},
            "Expected type: 'string' for field 'items, 0, variant_id', got: '5'",
        ),
        ({"shipping_address": {"city": 5}}, "Expected type: 'string' for field 'shipping_address, city', got: '5'"),
        (
            {"billing_address": {"metadata": 5}},
            "Expected type: 'object' for field 'billing_address, metadata', got: '5'",
        ),
        ({"additional_data": 5}, "Expected type: 'object' for field 'additional_data', got: '5'"),
        ({"items": [{"variant_id": "a"}]}, "Field 'items, 0, quantity' is required"),
        ({"items": [{"quantity": 1}]}, "Field 'items, 0, variant_id' is required"),
        (
            {"items": [{"variant_id": "a", "quantity": 0}]},
            "Value for field 'items, 0, quantity' too small, expected at least: '1'",
        ),
        ({"region_id": None}, "Expected type: 'string' for field 'region_id', got: 'null'"),
        ({"customer_id": "cus_1"}, "Unrecognized fields: 'customer_id'"),
        ({"completed_at": "2026-01-01"}, "Unrecognized fields: 'completed_at'"),
        ({"total": 1}, "Unrecognized fields: 'total'"),
        ({"shipping_address": {"customer_id": "cus_1"}}, "Unrecognized fields: 'shipping_address, customer_id'"),
        ({"shipping_address": 5}, "Expected type: 'object' for field 'shipping_address', got: '5'"),
        ({"promo_codes": "A"}, "Expected type: 'array' for field 'promo_codes', got: 'A'"),
        ({"metadata": 1}, "Expected type: 'object' for field 'metadata', got: '1'"),
    ],
)
def test_bodies_are_strict(store: Caller, body: Any, message: str) -> None:
    make.default_region()
    assert refusal(store.post("/store/carts", body)) == invalid(message)
    assert not Cart.objects.exists()


def test_additional_data_changes_nothing(store: Caller, region: Region) -> None:
    made = store.post("/store/carts", {"region_id": region.pk, "additional_data": {"any": ["thing"]}})
    assert (made.status_code, made.json()["cart"]["region_id"]) == (200, region.pk)
    document = (
        f'mutation {{ createCart(input: {{regionId: "{region.pk}", additionalData: {{a: 1}}}})'
        " { cart { regionId } } }"
    )
    assert data(ask(store, document))["createCart"]["cart"] == {"regionId": region.pk}


@pytest.mark.parametrize(
    "body",
    [
        {"email": "a\r\nbcc: b@c.co"},
        {"email": "x" * 5000 + "@b.co"},
        {"locale": "x" * 5000},
        {"shipping_address": {"first_name": "x" * 5000}},
        {"shipping_address": {"first_name": "a\0"}},
        {"shipping_address": {"first_name": "Eve\r\nBcc: all@example.com"}},
        {"billing_address": {"city": "Ulm\u2028Bonn"}},
        {"locale": "de\r\nSet-Cookie: a=b"},
        {"email": "eve@example.com\r\nBcc: all@example.com"},
        {"email": "\u212aim@example.com"},
        {"shipping_address": {"country_code": "zz"}},
        {"metadata": {"a": "\0"}},
        {"promo_codes": ["\0"]},
        {"region_id": "\0"},
        {"items": [{"variant_id": "\0", "quantity": 1}]},
    ],
)
def test_hostile_texts_are_refused(store: Caller, body: Any) -> None:
    make.default_region()
    assert refusal(store.post("/store/carts", body))[0] == 400
    assert not Cart.objects.exists()


@pytest.mark.parametrize(
    ("path", "body", "message"),
    [
        ("promotions", {"promo_codes": ["x" * 5000]}, f"The promotion code {'x' * 100} is invalid"),
        (
            "line-items",
            {"variant_id": "v" * 255, "quantity": 1},
            f"Product variant with id: {'v' * 100} was not found in the cart's sales channel",
        ),
    ],
)
def test_a_refusal_says_no_more_of_a_long_value_than_its_beginning(
    store: Caller, path: str, body: Any, message: str
) -> None:
    assert refusal(store.post(f"/store/carts/{make.cart().pk}/{path}", body)) == (400, message)


def test_a_refusal_names_the_first_of_many_variants(store: Caller) -> None:
    make.default_region()
    items = [{"variant_id": f"variant_{number:04}", "quantity": 1} for number in range(1000)]
    listed = ", ".join(item["variant_id"] for item in items[:10])
    assert refusal(store.post("/store/carts", {"items": items})) == (
        400,
        f"Product variant with id: {listed} was not found in the cart's sales channel",
    )


def test_a_carts_metadata_does_not_grow_without_end(store: Caller) -> None:
    path = f"/store/carts/{make.cart().pk}"
    assert store.post(path, {"metadata": {"a": "x" * 40_000}}).status_code == 200
    answer = store.post(path, {"metadata": {"b": "x" * 40_000}})
    assert refusal(answer) == (400, "Value for field 'metadata' too large, expected at most: '65536' bytes")
    assert list(store.get(path, "fields=metadata").json()["cart"]["metadata"]) == ["a"]


def test_graphql_does_what_rest_does(store: Caller, region: Region, mug: ProductVariant) -> None:
    make.PromotionFactory(code="TENTH")
    fields = "cart { id email total items { id quantity total adjustments { code amount } } promotions { code } }"

    def change(mutation: str) -> Any:
        (payload,) = data(ask(store, f"mutation {{ {mutation} {{ {fields} }} }}")).values()
        return payload["cart"]

    made = change(f'createCart(input: {{regionId: "{region.pk}", items: [{{variantId: "{mug.pk}", quantity: 2}}]}})')
    key, (line,) = made["id"], made["items"]
    assert (made["total"], line["quantity"]) == (42, 2)
    assert change(f'addLineItem(id: "{key}", input: {{variantId: "{mug.pk}", quantity: 1}})')["total"] == 63
    assert change(f'updateLineItem(id: "{key}", input: {{lineId: "{line["id"]}", quantity: 1}})')["total"] == 21
    reduced = change(f'addPromotionCodes(id: "{key}", input: {{promoCodes: ["TENTH"]}})')
    assert (reduced["total"], reduced["promotions"]) == (18.9, [{"code": "TENTH"}])
    assert reduced["items"][0]["adjustments"] == [{"code": "TENTH", "amount": 2}]
    assert change(f'removePromotionCodes(id: "{key}", input: {{promoCodes: ["TENTH"]}})')["total"] == 21
    address = 'shippingAddress: {countryCode: "US", city: "Ulm"}'
    assert change(f'updateCart(id: "{key}", input: {{email: "A@b.co", {address}}})')["email"] == "a@b.co"
    assert change(f'calculateCartTaxes(id: "{key}")')["total"] == 21
    assert change(f'removeLineItem(id: "{key}", input: {{lineId: "{line["id"]}"}})')["items"] == []
    rest = store.get(f"/store/carts/{key}", "fields=id,email,total").json()["cart"]
    assert data(ask(store, f'{{ cart(id: "{key}") {{ id email total }} }}'))["cart"] == rest


def test_graphql_refuses_what_rest_refuses(store: Caller, signed_in: Caller, mug: ProductVariant) -> None:
    cart = make.cart()
    add = 'mutation {{ addLineItem(id: "{}", input: {{variantId: "{}", quantity: 1}}) {{ cart {{ id }} }} }}'
    response = ask(store, add.format("nobody", mug.pk))
    assert failures(response) == [("addLineItem", "Cart with id: nobody was not found", {"type": "not_found"})]
    response = ask(store, add.format(cart.pk, "nobody"))
    message = "Product variant with id: nobody was not found in the cart's sales channel"
    assert failures(response) == [("addLineItem", message, {"type": "invalid_data"})]
    transfer = f'mutation {{ transferCart(id: "{cart.pk}") {{ cart {{ customerId }} }} }}'
    assert is_unauthorized(ask(store, transfer))
    assert not Cart.objects.filter(customer__isnull=False).exists()
    taken = data(ask(signed_in, transfer))["transferCart"]["cart"]["customerId"]
    assert Cart.objects.get(pk=cart.pk).customer_id == taken
    assert failures(ask(store, f'{{ cart(id: "{cart.pk}") {{ id }} }}'))[0][2] == {"type": "not_found"}


def test_stock_that_is_gone_is_reported_by_name(store: Caller, mug: ProductVariant) -> None:
    stock(mug, 0)
    cart = make.cart()
    response = store.post(f"/store/carts/{cart.pk}/line-items", {"variant_id": mug.pk, "quantity": 11})
    message = f"Not enough stock available for {make.title_of(mug)}"
    assert response.status_code == 400
    assert response.json() == {"code": "insufficient_inventory", "type": "not_allowed", "message": message}
    change = f'addLineItem(id: "{cart.pk}", input: {{variantId: "{mug.pk}", quantity: 11}})'
    document = f"mutation {{ {change} {{ cart {{ id }} }} }}"
    codes = {"code": "insufficient_inventory", "type": "not_allowed"}
    assert failures(ask(store, document)) == [("addLineItem", message, codes)]
    assert cart.items.count() == 0


def test_growth_beyond_the_stock_has_the_same_code(store: Caller, mug: ProductVariant) -> None:
    stock(mug, 2)
    cart = make.cart(mug)
    line = cart.items.get()
    answer = store.post(f"/store/carts/{cart.pk}/line-items/{line.pk}", {"quantity": 3}).json()
    assert (answer["code"], answer["type"]) == ("insufficient_inventory", "not_allowed")
    made = {"region_id": cart.region_id, "items": [{"variant_id": mug.pk, "quantity": 3}]}
    assert store.post("/store/carts", made).json()["code"] == "insufficient_inventory"


def test_a_change_of_a_line_says_the_quantity(store: Caller, mug: ProductVariant) -> None:
    cart = make.cart(mug)
    line = cart.items.get()
    for body in ({}, b"", {"metadata": {"a": 1}}):
        response = store.post(f"/store/carts/{cart.pk}/line-items/{line.pk}", body)
        assert refusal(response) == invalid("Field 'quantity' is required")
    document = f'mutation {{ updateLineItem(id: "{cart.pk}", input: {{lineId: "{line.pk}"}}) {{ cart {{ id }} }} }}'
    answer = ask(store, document)
    assert answer.status_code == 400
    assert "quantity' of required type 'Int!' was not provided" in answer.json()["errors"][0]["message"]
    assert cart.items.get().metadata == line.metadata


def test_a_cart_leads_to_its_customer_for_that_customer_alone(store: Caller, signed_in: Caller) -> None:
    me = signed_in.get("/store/customers/me", "fields=email").json()["customer"]
    own = make.cart(actor=make.shopper(customer_id=me["id"]))
    shown = signed_in.get(f"/store/carts/{own.pk}", "fields=id,customer.email").json()["cart"]
    assert shown == {"id": own.pk, "customer": me}
    guest = make.cart()
    Cart.objects.filter(pk=guest.pk).update(customer=CustomerFactory(has_account=False))
    for caller, cart in ((store, guest), (signed_in, guest)):
        shown = caller.get(f"/store/carts/{cart.pk}", "fields=customer.email").json()["cart"]
        assert shown == {"id": cart.pk, "customer": None}
    document = f'{{ cart(id: "{own.pk}") {{ customer {{ id email }} }} }}'
    assert data(ask(signed_in, document))["cart"] == {"customer": me}


def test_the_parts_of_discounts_and_credit(store: Caller) -> None:
    """2 x 60 less 10 %, post of 10, 5 % tax on both, a gift card of 5, by hand."""
    cart = full_cart()
    totals = "item_discount_total,shipping_discount_total,credit_line_subtotal,credit_line_tax_total,discount_total"
    shown = store.get(f"/store/carts/{cart.pk}", f"fields={totals}").json()["cart"]
    assert {name: shown[name] for name in totals.split(",")} == {
        "item_discount_total": 12.6,
        "shipping_discount_total": 0,
        "credit_line_subtotal": 5,
        "credit_line_tax_total": 0,
        "discount_total": 12.6,
    }
