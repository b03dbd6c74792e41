"""What the catalogue shows to a signed-in customer is what their cart charges: their groups' prices and their own."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from carts.models import Cart
from catalog.models import ProductCategory, ProductCollection, ProductVariant
from customers.models import Customer, CustomerGroup
from kit.values.timestamps import now
from shop.models import Region, Store
from tests.contract.callers import Caller
from tests.contract.routes import shopper
from tests.factories import carts as make
from tests.factories.apikeys import publishable_key
from tests.factories.customers import CustomerFactory, token_of
from tests.factories.fulfillment import option
from tests.factories.orders import order
from tests.factories.pricing import PriceListFactory, price
from tests.factories.products import VariantFactory
from tests.kit.graphql.calls import ask, data

pytestmark = pytest.mark.django_db

GROUPS, CUSTOMER = "customer.groups.id", "customer.id"
ORDER = "variants.calculated_price"


@pytest.fixture
def region() -> Region:
    region = make.selling_region(tax_rate=0)
    Store.objects.update(default_region=region)
    return region


@pytest.fixture
def group(region: Region) -> CustomerGroup:
    return CustomerGroup.objects.create(name="Wholesale")


@pytest.fixture
def mug(group: CustomerGroup) -> ProductVariant:
    """It costs 6.00, and members 5.00."""
    mug = make.sold_variant(6, product__title="Mug")
    price(mug, 5, rules={GROUPS: group.pk})
    return mug


@pytest.fixture(params=["token", "session"])
def member(request: pytest.FixtureRequest, group: CustomerGroup) -> Caller:
    """A storefront where a member has signed in."""
    shopper().groups.add(group)
    return signed_in(shopper(), by=request.param)


def signed_in(customer: Customer, *, by: str = "token") -> Caller:
    key, bearer = publishable_key().token, f"Bearer {token_of(customer)}"
    if by == "token":
        return Caller(x_publishable_api_key=key, Authorization=bearer)
    caller = Caller(x_publishable_api_key=key)
    assert caller.post("/auth/session", Authorization=bearer).status_code == 200
    return caller


def own_cart(caller: Caller, region: Region) -> str:
    return str(caller.post("/store/carts", {"region_id": region.pk}).json()["cart"]["id"])


NAMED: dict[str, Callable[[Caller, Region], str]] = {
    "region_id": lambda caller, region: region.pk,
    "country_code": lambda caller, region: "us",
    "province": lambda caller, region: "us-ny",
    "currency_code": lambda caller, region: "usd",
    "cart_id": own_cart,
}
ARGUMENTS = {
    "region_id": "regionId",
    "country_code": "countryCode",
    "province": "province",
    "currency_code": "currencyCode",
    "cart_id": "cartId",
}


def amount_of(variant: dict[str, Any]) -> Any:
    return variant["calculated_price"]["calculated_amount"]


def shown(caller: Caller, query: str) -> list[Any]:
    """The prices of the variants of all products."""
    response = caller.get("/store/products", query)
    assert response.status_code == 200, response.content
    return [amount_of(variant) for product in response.json()["products"] for variant in product["variants"]]


def charged(caller: Caller, variant: ProductVariant, region: Region) -> Any:
    lines = f"/store/carts/{own_cart(caller, region)}/line-items"
    [line] = caller.post(lines, {"variant_id": variant.pk, "quantity": 1}).json()["cart"]["items"]
    return line["unit_price"]


@pytest.mark.parametrize("name", NAMED)
class TestWhateverNamesThePlace:
    def test_a_member_sees_what_the_cart_charges(
        self, name: str, member: Caller, region: Region, mug: ProductVariant
    ) -> None:
        query = f"{name}={NAMED[name](member, region)}"
        assert shown(member, query) == [charged(member, mug, region)] == [5]
        [variant] = member.get("/store/product-variants", query).json()["variants"]
        product = member.get(f"/store/products/{mug.product_id}", query).json()["product"]
        of_its_page = member.get(f"/store/product-variants/{mug.pk}", query).json()["variant"]
        assert [amount_of(each) for each in (variant, *product["variants"], of_its_page)] == [5, 5, 5]

    def test_graphql_shows_it_too(self, name: str, member: Caller, region: Region, mug: ProductVariant) -> None:
        document = f"""{{
            products({ARGUMENTS[name]}: "{NAMED[name](member, region)}", order: "variants.calculatedPrice") {{
                products {{ variants {{ calculatedPrice {{ calculatedAmount }} }} }}
            }}
        }}"""
        [product] = data(ask(member, document))["products"]["products"]
        assert product == {"variants": [{"calculatedPrice": {"calculatedAmount": 5}}]}

    def test_nobody_else_sees_it(
        self, name: str, member: Caller, store: Caller, region: Region, mug: ProductVariant
    ) -> None:
        other = signed_in(CustomerFactory())
        for caller in (store, other):
            query = f"{name}={NAMED[name](caller, region)}"
            if name != "cart_id":
                assert shown(member, query) == [5]
            assert shown(caller, query) == [6]
            assert charged(caller, mug, region) == 6


@pytest.mark.parametrize("rules", [{"customer.id": "{customer}"}, {GROUPS: "{group}"}])
def test_prices_of_lists_and_a_customers_own_count_too(
    rules: dict[str, str], member: Caller, store: Caller, group: CustomerGroup, mug: ProductVariant
) -> None:
    values = {name: value.format(customer=shopper().pk, group=group.pk) for name, value in rules.items()}
    price(mug, 4, price_list=PriceListFactory(rules={name: [value] for name, value in values.items()}))
    assert [shown(caller, "currency_code=usd") for caller in (member, store)] == [[4], [6]]
    price(mug, 3, rules=values | {"currency_code": "usd"})
    assert [shown(caller, "currency_code=usd") for caller in (member, store)] == [[3], [6]]


def test_deleted_groups_and_former_members_count_for_nothing(
    member: Caller, group: CustomerGroup, mug: ProductVariant, region: Region
) -> None:
    other = CustomerGroup.objects.create(name="Staff", deleted_at=now())
    shopper().groups.add(other)
    price(mug, 4, rules={GROUPS: other.pk})
    assert (shown(member, "country_code=us"), charged(member, mug, region)) == ([5], 5)
    shopper().groups.remove(group)
    assert (shown(member, "country_code=us"), charged(member, mug, region)) == ([6], 6)


def test_a_guests_cart_shows_what_it_charges_until_it_is_taken_over(
    member: Caller, store: Caller, region: Region, mug: ProductVariant
) -> None:
    cart_id = make.cart(mug, region_id=region.pk).pk
    assert shown(member, f"cart_id={cart_id}") == shown(store, f"cart_id={cart_id}") == [6]
    cart = member.post(f"/store/carts/{cart_id}/customer").json()["cart"]
    assert [line["unit_price"] for line in cart["items"]] == shown(member, f"cart_id={cart_id}") == [5]


@pytest.mark.parametrize("place", [name for name in NAMED if name != "cart_id"])
def test_beside_another_parameter_the_carts_customer_stays_the_buyer(
    place: str, member: Caller, store: Caller, region: Region, mug: ProductVariant
) -> None:
    """Of a guest, of a customer without an account who is a member, and of the member who asks."""
    guest = make.cart(region_id=region.pk).pk
    of_group = CustomerFactory(has_account=False)
    of_group.groups.set(CustomerGroup.objects.all())
    named = make.cart(region_id=region.pk)
    Cart.objects.filter(pk=named.pk).update(customer=of_group)
    for caller, cart_id, amount in (
        *((each, guest, 6) for each in (member, store)),
        *((each, named.pk, 5) for each in (member, store)),
        (member, own_cart(member, region), 5),
    ):
        added = caller.post(f"/store/carts/{cart_id}/line-items", {"variant_id": mug.pk, "quantity": 1})
        assert added.json()["cart"]["items"][0]["unit_price"] == amount
        value = NAMED[place](caller, region)
        assert shown(caller, f"cart_id={cart_id}&{place}={value}") == [amount]
        document = f"""{{
            products(cartId: "{cart_id}", {ARGUMENTS[place]}: "{value}", order: "variants.calculatedPrice") {{
                products {{ variants {{ calculatedPrice {{ calculatedAmount }} }} }}
            }}
        }}"""
        [product] = data(ask(caller, document))["products"]["products"]
        assert product == {"variants": [{"calculatedPrice": {"calculatedAmount": amount}}]}


def test_the_order_by_price_is_that_of_the_shown_prices(
    member: Caller, store: Caller, region: Region, mug: ProductVariant
) -> None:
    make.sold_variant("5.5")
    for order_by, of_members, of_others in (("", [5, 5.5], [5.5, 6]), ("-", [5.5, 5], [6, 5.5])):
        query = f"region_id={region.pk}&order={order_by}{ORDER}"
        assert (shown(member, query), shown(store, query)) == (of_members, of_others)


def test_other_resources_show_it_in_the_stores_region(
    member: Caller, store: Caller, group: CustomerGroup, mug: ProductVariant
) -> None:
    collection = ProductCollection.objects.create(title="Cups", handle="cups")
    category = ProductCategory.objects.create(name="Cups", handle="cups", is_visible=True, path="cups")
    mug.product.collection = collection
    mug.product.save()
    mug.product.categories.add(category)
    price_of = "calculated_price.calculated_amount"
    paths = {
        f"/store/products/{mug.product_id}?fields=variants.{price_of}": "product",
        f"/store/products?fields=variants.{price_of}": "products",
        f"/store/collections?fields=products.variants.{price_of}": "collections",
        f"/store/product-categories?fields=products.variants.{price_of}": "product_categories",
    }
    for path, name in paths.items():
        for caller, amount in ((member, 5), (store, 6), (member, 5)):
            found = caller.get(path).json()[name]
            [shown] = found if isinstance(found, list) else [found]
            [product] = shown.get("products", [shown])
            assert [amount_of(variant) for variant in product["variants"]] == [amount], (path, amount)


def test_an_orders_variants_show_it(member: Caller, mug: ProductVariant, group: CustomerGroup) -> None:
    placed = order(shopper())
    line = placed.items.first()
    bought = ProductVariant.objects.get(pk=line.variant_id)
    price(bought, 7)
    price(bought, 2, rules={GROUPS: group.pk})
    fields = "fields=items.variant.calculated_price.calculated_amount"
    items = member.get(f"/store/orders/{placed.pk}", fields).json()["order"]["items"]
    assert amount_of(items[0]["variant"]) == 2


def test_no_cache_keeps_it_for_others(member: Caller, store: Caller, mug: ProductVariant, settings: Settings) -> None:
    settings.STORE_MAX_AGE = 60
    query = "country_code=us"
    public = store.get("/store/products", query)
    for caller, held in ((member, ""), (member, public["ETag"])):
        own = caller.get("/store/products", query, If_None_Match=held)
        assert (own.status_code, own["Cache-Control"], "ETag" in own) == (200, "private, no-cache", False)
        assert {"authorization", "cookie"} <= {name.strip().lower() for name in own["Vary"].split(",")}
        assert [amount_of(each["variants"][0]) for each in own.json()["products"]] == [5]
    assert (public["Cache-Control"], shown(store, query)) == ("public, max-age=60", [6])


def statements(caller: Caller, path: str) -> int:
    caller.get(path)  # compiles what is compiled once
    with CaptureQueriesContext(connection) as seen:
        assert caller.get(path).status_code == 200
    return sum(not each["sql"].startswith(("SAVEPOINT", "RELEASE", "BEGIN", "COMMIT")) for each in seen)


@pytest.mark.parametrize(("query", "extra"), [
    ("country_code=us", 1),
    (f"country_code=us&order={ORDER}", 1),
    ("fields=*variants.calculated_price", 1),
    ("fields=title&country_code=us", 0),
    ("fields=*variants.calculated_price&cart_id={cart}", 0),
    ("country_code=us&cart_id={cart}", 0),
    ("fields=*variants", 0),
])  # fmt: skip
def test_the_groups_cost_one_statement_where_a_price_is_shown(
    query: str, extra: int, store: Caller, mug: ProductVariant, region: Region
) -> None:
    member = signed_in(shopper())
    path = f"/store/products?{query.format(cart=make.cart(region_id=region.pk).pk)}"
    of_token = statements(member, "/store/product-tags") - statements(store, "/store/product-tags")
    assert statements(member, path) - statements(store, path) - of_token == extra


def test_one_response_asks_for_groups_and_region_once(store: Caller, group: CustomerGroup, mug: ProductVariant) -> None:
    """Two levels of categories with priced products."""
    above = ProductCategory.objects.create(name="Cups", handle="cups", is_visible=True, path="a")
    below = ProductCategory.objects.create(
        name="Mugs", handle="mugs", is_visible=True, path="a.b", parent_category=above
    )
    for category in (above, below):
        VariantFactory().product.categories.add(category)
        mug.product.categories.add(category)
    amount = "products.variants.calculated_price.calculated_amount"
    path = f"/store/product-categories/{above.pk}?fields={amount},category_children.{amount}"
    member = signed_in(shopper())
    of_token = statements(member, "/store/product-tags") - statements(store, "/store/product-tags")
    assert statements(member, path) - statements(store, path) - of_token == 1


def test_shipping_options_cost_what_the_cart_is_charged(
    member: Caller, store: Caller, group: CustomerGroup, mug: ProductVariant, region: Region
) -> None:
    """A rule of a shipping price compares the groups of the cart's customer, as the cart does."""
    post = option(9)
    price(post.price_set, 4, rules={GROUPS: group.pk})
    for caller, amount in ((member, 4), (store, 9)):
        cart_id = own_cart(caller, region)
        caller.post(f"/store/carts/{cart_id}/line-items", {"variant_id": mug.pk, "quantity": 1})
        [listed] = caller.get("/store/shipping-options", f"cart_id={cart_id}").json()["shipping_options"]
        document = f'{{ shippingOptions(cartId: "{cart_id}") {{ shippingOptions {{ amount }} }} }}'
        [told] = data(ask(caller, document))["shippingOptions"]["shippingOptions"]
        chosen = caller.post(f"/store/carts/{cart_id}/shipping-methods", {"option_id": post.pk}).json()["cart"]
        assert [listed["amount"], told["amount"], chosen["shipping_total"]] == [amount] * 3
