"""The shop file's promotions and carts."""

from pathlib import Path
from typing import Any

import pytest
from django.core.management.base import CommandError

from carts.models import Cart, Promotion
from catalog.models import Product, ProductVariant
from customers.models import Customer
from kit.values.timestamps import now
from tests.factories import carts as make
from tests.factories.customers import CustomerFactory, CustomerGroupFactory
from tests.factories.products import ProductFactory
from tests.factories.shop import SalesChannelFactory
from tests.operations.shop_file_runs import ShopFiles, everything

pytestmark = pytest.mark.django_db

SPRING = {
    "code": "SPRING",
    "is_automatic": True,
    "type": "fixed",
    "value": 2.5,
    "currency_code": "USD",
    "is_tax_inclusive": False,
    "target": "items",
    "starts_at": "2026-01-01T00:00:00.000Z",
    "ends_at": "2096-01-01T00:00:00Z",
    "usage_limit": 10,
    "usage_limit_per_customer": 2,
    "product_handles": ["mug"],
    "metadata": {"a": 1.5},
}
TENTH = {"code": "TENTH", "type": "percentage", "value": 10, "target": "order"}
CART = {
    "id": "cart_01FILE",
    "region": "Here",
    "sales_channel": "Default Sales Channel",
    "email": "Ann@example.com",
    "customer": "ann@example.com",
    "shipping_address": {"city": "Boston", "country_code": "US", "province": "ma"},
    "items": [{"variant": "mug-l", "quantity": 2}, {"variant": "mug-l", "quantity": 1, "metadata": {"gift": True}}],
    "metadata": {"b": 2},
    "created_at": "2026-01-31T12:00:00.250Z",
}
SHOP = {"promotions": [SPRING, TENTH], "carts": [CART]}


@pytest.fixture
def files(tmp_path: Path) -> ShopFiles:
    make.selling_region(name="Here")
    product = ProductFactory(handle="mug", title="Mug")
    make.sold_variant(10, sku="mug-l", product=product, in_stock=5)
    CustomerFactory(email="ann@example.com")
    return ShopFiles(tmp_path)


def dumped(files: ShopFiles) -> dict[str, Any]:
    return files.dump("--only", "promotions", "carts")


def test_promotions_and_carts_are_loaded_once(files: ShopFiles) -> None:
    files.load(SHOP)
    spring = Promotion.objects.get(code="SPRING")
    assert (spring.value, spring.currency_id, spring.usage_limit, spring.is_automatic) == (2.5, "usd", 10, True)
    assert [product.handle for product in spring.products.all()] == ["mug"]
    cart = Cart.objects.get()
    assert (cart.pk, cart.email, cart.total, cart.item_subtotal) == ("cart_01FILE", "ann@example.com", 22.5, 30)
    assert (cart.customer, cart.created_at.year) == (Customer.objects.get(), 2026)
    assert cart.shipping_address is not None
    assert cart.shipping_address.province == "us-ma"
    before = everything()
    assert files.load(SHOP) == [
        "promotions: 0 created, 0 updated, 2 unchanged",
        "carts: 0 created, 0 updated, 1 unchanged",
    ]
    assert everything() == before


def test_what_is_dumped_is_what_was_loaded(files: ShopFiles) -> None:
    files.load(SHOP)
    before, shop = everything(), dumped(files)
    files.load(shop)
    assert everything() == before
    of_goods = {"attribute": "items.product.id", "operator": "in", "values": [Product.objects.get().pk]}
    wanted = {
        **{name: value for name, value in SPRING.items() if name not in ("target", "product_handles")},
        "currency_code": "usd",
        "ends_at": "2096-01-01T00:00:00.000Z",
        "target_type": "items",
        "allocation": "each",
        "target_rules": [{**of_goods, "description": None}],
    }
    assert {name: shop["promotions"][0].get(name) for name in (*wanted, "target", "product_handles")} == {
        **wanted,
        "target": None,
        "product_handles": None,
    }
    Cart.objects.all().delete()
    Promotion.objects.all().delete()
    files.load(shop)
    assert dumped(files) == shop


def test_campaigns_and_rules_are_loaded_once(files: ShopFiles) -> None:
    group = CustomerGroupFactory()
    campaign = {"name": "Spring", "campaign_identifier": "spring", "budget_type": "spend"}
    campaign |= {"budget_limit": 99.5, "budget_currency_code": "usd"}
    deal = {
        "code": "DEAL",
        "type": "percentage",
        "value": 100,
        "kind": "buyget",
        "campaign": "spring",
        "buy_rules_min_quantity": 2,
        "apply_to_quantity": 1,
        "currency_code": "usd",
        "priority": 3,
        "rules": [
            {"attribute": "item_total", "operator": "gte", "values": ["20"]},
            {"attribute": "customer.groups.id", "operator": "in", "values": [group.pk], "description": "Members"},
        ],
        "target_rules": [{"attribute": "items.product.id", "operator": "in", "values": [Product.objects.get().pk]}],
        "buy_rules": [{"attribute": "items.product.id", "operator": "in", "values": [Product.objects.get().pk]}],
    }
    shop = {"campaigns": [campaign], "promotions": [deal]}
    files.load(shop)
    loaded = Promotion.objects.get()
    assert (loaded.kind, loaded.campaign and loaded.campaign.budget_limit, loaded.rules.count()) == ("buyget", 99.5, 4)
    before = everything()
    assert files.load(shop) == [
        "campaigns: 0 created, 0 updated, 1 unchanged",
        "promotions: 0 created, 0 updated, 1 unchanged",
    ]
    assert everything() == before
    again = files.dump("--only", "campaigns", "promotions")
    files.load(again)
    assert everything() == before
    files.load({"promotions": [{"code": "DEAL", "rules": deal["rules"][1:]}]})
    assert [rule.attribute for rule in loaded.rules.filter(deleted_at=None, kind="rules")] == ["customer.groups.id"]


def test_a_cart_becomes_what_a_file_says(files: ShopFiles) -> None:
    files.load(SHOP)
    items = [{"variant": "mug-l", "quantity": 1, "metadata": {"gift": True}}]
    changed = {"id": "cart_01FILE", "items": items, "customer": None, "shipping_address": {"city": "Salem"}}
    assert files.load({"carts": [changed]}) == ["carts: 0 created, 1 updated, 0 unchanged"]
    cart = Cart.objects.get()
    assert (cart.customer, cart.email, cart.total) == (None, "ann@example.com", 7.5)
    assert cart.shipping_address is not None
    assert (cart.shipping_address.city, cart.shipping_address.province) == ("Salem", None)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (
            {"promotions": [{**TENTH, "rules": [{"attribute": "region", "operator": "in", "values": ["a"]}]}]},
            "promotions[0].rules[0].attribute: Such rules cannot compare 'region', but: ",
        ),
        (
            {"promotions": [{**TENTH, "is_tax_inclusive": True}]},
            "promotions[0].is_tax_inclusive: The promotion is a percentage, which includes no tax.",
        ),
        ({"promotions": [{**SPRING, "is_tax_inclusive": 1}]}, "promotions[0].is_tax_inclusive: expected true or false"),
        ({"promotions": [{**TENTH, "value": 101}]}, "promotions[0].value: The promotion must not exceed 100 percent."),
        ({"promotions": [{**TENTH, "value": 0}]}, "promotions[0].value: The promotion must have a value above 0."),
        (
            {"promotions": [{**TENTH, "type": "fixed"}]},
            "promotions[0].currency_code: The promotion is a fixed amount, which needs a currency_code.",
        ),
        (
            {"promotions": [{**SPRING, "value": 0.001}]},
            "promotions[0].value: The promotion has an invalid value: Value for field 'value' has more than 2 decimals",
        ),
        (
            {"promotions": [{**SPRING, "ends_at": SPRING["starts_at"]}]},
            "promotions[0].ends_at: The promotion ends before it starts.",
        ),
        (
            {"promotions": [{**SPRING, "usage_limit_per_customer": 0}]},
            "promotions[0].usage_limit_per_customer: The promotion must allow each customer at least one use.",
        ),
        ({"promotions": [{**SPRING, "product_handles": ["nobody"]}]}, "promotions[0].product_handles[0]: there is no"),
        ({"promotions": [{"code": "A"}]}, "promotions[0].type: is required"),
        ({"carts": [{**CART, "id": None}]}, "carts[0].id: expected an id"),
        ({"carts": [{"email": "a@b.co"}]}, "carts[0].id: is required"),
        ({"carts": [{**CART, "email": "nobody"}]}, "carts[0]: Value for field 'email' is not an email address"),
        ({"carts": [{**CART, "shipping_address": {"country_code": "de"}}]}, "carts[0]: Country with code de"),
        (
            {"carts": [{**CART, "items": [{"variant": "mug-l", "quantity": 6}]}]},
            "carts[0]: Not enough stock available for Mug",
        ),
        ({"carts": [{**CART, "items": [{"variant": "nobody", "quantity": 6}]}]}, "carts[0].items[0].variant: there is"),
        ({"carts": [{**CART, "items": [{"variant": "mug-l", "quantity": 0}]}]}, "carts[0]: Value for field 'quantity'"),
    ],
)
def test_what_is_wrong_is_reported_and_loads_nothing(files: ShopFiles, content: Any, problem: str) -> None:
    (reported, *_) = files.refused(content)
    assert reported.startswith(problem), reported


def test_a_completed_cart_is_neither_changed_nor_dumped(files: ShopFiles) -> None:
    files.load(SHOP)
    Cart.objects.update(completed_at=now())
    assert files.refused({"carts": [CART]}) == ["carts[0]: Cart cart_01FILE is already completed."]
    assert dumped(files)["carts"] == []


def test_a_cart_goes_only_where_it_could_have_been_made(files: ShopFiles) -> None:
    """To a channel that sells its lines, and an address of a country that its region sells to."""
    files.load(SHOP)
    make.selling_region(name="There", countries=["de"])
    SalesChannelFactory(name="Till")
    unsold = f"Remove from the cart what is no longer available: {make.title_of(ProductVariant.objects.get())}"
    for changes, refusal in (
        ({"sales_channel": "Till"}, unsold),
        ({"shipping_address": {"country_code": "de"}}, "Country with code de is not within the region of the cart"),
        ({"region": "There"}, "Country with code us is not within the region of the cart"),
    ):
        with pytest.raises(CommandError) as refused:
            files.load({"carts": [{"id": CART["id"], **changes}]})
        assert refusal in str(refused.value)
    assert dumped(files)["carts"][0]["region"] == "Here"
    moved = {"region": "There", "shipping_address": {"country_code": "de"}, "sales_channel": "Till", "items": []}
    files.load({"carts": [{"id": CART["id"], **moved}]})
    cart = Cart.objects.get()
    assert (cart.region.name, cart.sales_channel.name, cart.items.count(), cart.total) == ("There", "Till", 0, 0)


def flags() -> dict[str, bool]:
    return dict(Promotion.objects.values_list("code", "is_tax_inclusive"))


def test_where_a_file_does_not_say_whether_an_amount_includes_tax_the_currency_does(files: ShopFiles) -> None:
    silent = {name: value for name, value in SPRING.items() if name != "is_tax_inclusive"}
    currencies = [{"code": "usd", "is_tax_inclusive": True}]
    made = [silent, {**silent, "code": "NULL", "is_tax_inclusive": None}, {**SPRING, "code": "NET"}, TENTH]
    files.load({"currencies": currencies, "promotions": made})
    assert flags() == {"SPRING": True, "NULL": True, "NET": False, "TENTH": False}
    files.load({"promotions": [{"code": "NET", "value": 3}]})
    assert flags()["NET"] is False
    files.load({"promotions": [{"code": "TENTH", "type": "fixed", "currency_code": "usd"}]})
    assert flags()["TENTH"] is True
    files.load({"promotions": [{"code": "TENTH", "type": "percentage", "currency_code": None}]})
    assert flags()["TENTH"] is False


def test_load_shop_names_where_currency_and_region_state_prices_differently(files: ShopFiles) -> None:
    silent = {name: value for name, value in SPRING.items() if name != "is_tax_inclusive"}
    make.selling_region(name="There", is_tax_inclusive=True)
    difference = "usd states prices without tax, but There with it: say is_tax_inclusive of SPRING"
    assert files.load({"promotions": [silent, {**SPRING, "code": "SAID"}, TENTH]})[-1] == difference
    assert difference not in files.load({"promotions": [silent]})
