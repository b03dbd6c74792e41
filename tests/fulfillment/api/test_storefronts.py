"""What storefronts send of shipping, as they send it, and what they read of the answers."""

import pytest

from carts.models import Cart
from shop.models import FulfillmentProvider, StockLocationAddress
from tests.contract.callers import Caller, storefront
from tests.contract.test_storefront_calls import faults
from tests.factories import carts as make
from tests.factories.apikeys import publishable_key
from tests.factories.fulfillment import option, zone
from tests.factories.inventory import StockLocationFactory
from tests.factories.pricing import price

pytestmark = pytest.mark.django_db

NUDGE = [
    {
        "calculated_price": dict,
        "prices": [
            {
                "currency_code": str,
                "amount": (int, float),
                "price_rules": [{"attribute": str, "operator": str, "value": str}],
            }
        ],
    }
]
PLACE = {"address_1": str, "address_2": str, "postal_code": str, "city": str, "country_code": str}
DELIVERY = [
    {
        "id": str,
        "name": str,
        "price_type": str,
        "amount": (int, float),
        "insufficient_inventory": bool,
        "service_zone": {"fulfillment_set": {"type": str, "location": {"address": PLACE}}},
    }
]


@pytest.fixture
def store(db: None) -> Caller:
    return storefront(publishable_key())


@pytest.fixture
def cart(db: None) -> Cart:
    """Picked up at a counter, free from 50."""
    texts = {name: "us" if name == "country_code" else "x" for name in PLACE}
    address = StockLocationAddress.objects.create(**texts)
    made = option(None, of=zone(type="pickup", location=StockLocationFactory(address=address)))
    price(made.price_set, 4, rules={"item_total": ("lt", "50")})
    price(made.price_set, 0, rules={"item_total": ("gte", "50")})
    return make.cart(make.sold_variant(10))


def test_the_layout_of_every_page_and_the_checkout_read_the_options(store: Caller, cart: Cart) -> None:
    shown = store.get("/store/shipping-options", f"cart_id={cart.pk}").json()["shipping_options"]
    assert faults(NUDGE, shown) == []
    assert faults(DELIVERY, shown) == []


def test_delivery_is_chosen_and_the_cart_tells(store: Caller, cart: Cart) -> None:
    FulfillmentProvider.objects.create(id="weight_weight")
    data = {"base": {"usd": 4}, "per_weight": {"usd": 1}}
    weighed = option(None, price_type="calculated", provider_id="weight_weight", data=data)
    reported = store.post(f"/store/shipping-options/{weighed.pk}/calculate", {"cart_id": cart.pk}).json()
    assert faults({"shipping_option": {"id": str, "amount": (int, float)}}, reported) == []
    flat = next(
        each
        for each in store.get("/store/shipping-options", f"cart_id={cart.pk}").json()["shipping_options"]
        if each["price_type"] == "flat"
    )
    for option_id in (weighed.pk, flat["id"]):
        answer = store.post(f"/store/carts/{cart.pk}/shipping-methods", {"option_id": option_id})
        assert answer.status_code == 200
    shown = store.get(f"/store/carts/{cart.pk}", "fields=%2Aitems%2C%20%2Bshipping_methods.name").json()["cart"]
    assert [each["name"] for each in shown["shipping_methods"]] == [flat["name"]]
    assert shown["shipping_methods"][0]["shipping_option_id"] == flat["id"]
    assert (shown["shipping_total"], shown["total"]) == (4, 14)


def test_a_cart_shows_its_shipping_methods_whole(store: Caller) -> None:
    cart = make.cart(make.sold_variant(10), region_id=make.selling_region(tax_rate=20).pk)
    chosen = {"option_id": option(5).pk}
    assert store.post(f"/store/carts/{cart.pk}/shipping-methods", chosen).status_code == 200
    for fields in ("", "fields=%2Aitems%2C%20%2Bshipping_methods.name"):
        (method,) = store.get(f"/store/carts/{cart.pk}", fields).json()["cart"]["shipping_methods"]
        assert [(each["rate"], each["total"]) for each in method["tax_lines"]] == [(20, 1)]
        assert method["adjustments"] == []
