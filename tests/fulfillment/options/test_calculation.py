"""POST /store/shipping-options/{id}/calculate: what providers say, and what becomes of their failures."""

import json
from decimal import Decimal
from typing import Any

import pytest

from fulfillment.models import ShippingOption
from fulfillment.providers.base import Provider, Quote, Shipment
from shop.models import FulfillmentProvider
from tests.contract.callers import Caller, invalid, refusal, storefront
from tests.factories import carts as make
from tests.factories.apikeys import publishable_key
from tests.factories.customers import CustomerFactory, token_of
from tests.factories.fulfillment import option, zone

pytestmark = pytest.mark.django_db

HERE = "tests.fulfillment.options.test_calculation"


class Echo(Provider):
    """Says what it is given to say, and what it was asked."""

    asked: list[Shipment] = []
    says: Any = Quote(Decimal("3.25"), is_tax_inclusive=True)

    def quote(self, shipment: Shipment) -> Quote:
        self.asked.append(shipment)
        if isinstance(self.says, Exception):
            raise self.says
        said: Quote = self.says
        return said


@pytest.fixture(autouse=True)
def echo(db: None, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.FULFILLMENT_PROVIDERS = {**settings.FULFILLMENT_PROVIDERS, "echo": f"{HERE}.Echo"}
    FulfillmentProvider.objects.create(id="echo")
    monkeypatch.setattr(Echo, "asked", [])


@pytest.fixture
def store(db: None) -> Caller:
    return storefront(publishable_key())


def calculated(**values: Any) -> ShippingOption:
    return option(None, **{"price_type": "calculated", "provider_id": "echo", **values})


def path(chosen: ShippingOption) -> str:
    return f"/store/shipping-options/{chosen.pk}/calculate"


def test_the_answer_is_the_option_with_the_providers_price(store: Caller) -> None:
    made = calculated(data={"service": "7"})
    cart = make.cart(
        make.sold_variant(10, weight=2, product__title="Mug"),
        region_id=make.selling_region(tax_rate=30).pk,
        shipping_address={"country_code": "us", "city": "Albany"},
    )
    shown = store.post(path(made), {"cart_id": cart.pk, "data": {"door": 4}}).json()["shipping_option"]
    (listed,) = store.get("/store/shipping-options", f"cart_id={cart.pk}").json()["shipping_options"]
    price = shown["calculated_price"]
    assert shown == {**listed, "amount": 3.25, "is_tax_inclusive": True, "calculated_price": price}
    assert (price["id"], price["calculated_amount"], price["calculated_amount_without_tax"]) == (None, 3.25, 2.5)
    assert (price["calculated_price"]["id"], price["currency_code"]) == (None, "usd")
    (asked,) = Echo.asked
    assert (asked.option_data, asked.data, asked.currency_code) == ({"service": "7"}, {"door": 4}, "usd")
    assert (asked.destination.country_code, asked.destination.city, asked.item_total) == ("us", "Albany", 10)
    assert [(each.title, each.quantity, each.weight) for each in asked.parcels] == [("Mug", 1, 2)]


def test_a_flat_option_has_its_price_and_nobody_is_asked(store: Caller) -> None:
    flat, cart = option(5), make.cart()
    shown = store.post(path(flat), {"cart_id": cart.pk}, query="fields=amount").json()
    assert shown == {"shipping_option": {"id": flat.pk, "amount": 5}}
    assert Echo.asked == []


def test_chosen_over_rest_the_provider_is_asked_once(store: Caller) -> None:
    made, cart = calculated(), make.cart()
    answer = store.post(f"/store/carts/{cart.pk}/shipping-methods", {"option_id": made.pk, "data": {"door": 4}}).json()
    (method,) = answer["cart"]["shipping_methods"]
    assert (method["amount"], method["is_tax_inclusive"], method["data"]["door"]) == (3.25, True, 4)
    assert len(Echo.asked) == 1


def deep(levels: int) -> dict[str, Any]:
    return {"a": deep(levels - 1)} if levels else {}


@pytest.mark.parametrize("data", [{"door": 2**70}, {"door": "x" * 70_000}, deep(40)], ids=["number", "size", "depth"])
def test_nobody_is_asked_with_what_could_not_be_kept(store: Caller, data: dict[str, Any]) -> None:
    made, cart = calculated(), make.cart()
    bodies = {path(made): {"cart_id": cart.pk}, f"/store/carts/{cart.pk}/shipping-methods": {"option_id": made.pk}}
    for where, body in bodies.items():
        raw = json.dumps({**body, "data": data}).encode()
        status, message = refusal(store.post(where, raw))
        assert (status, message[:23]) in ((400, "Value for field 'data' "), (400, "The request body is nes"))
    assert Echo.asked == []


FAILURES = [
    RuntimeError("no connection"),
    Quote(Decimal(-1)),
    Quote(Decimal("1.234")),
    Quote(Decimal("NaN")),
    Quote(Decimal("1e20")),
    None,
]


@pytest.mark.parametrize("says", FAILURES, ids=str)
def test_a_providers_failure_is_no_failure_of_ours(
    store: Caller, monkeypatch: pytest.MonkeyPatch, says: object
) -> None:
    monkeypatch.setattr(Echo, "says", says)
    made, cart = calculated(), make.cart()
    reported = f"The provider of the shipping option with id: {made.pk} is not responding"
    assert refusal(store.post(path(made), {"cart_id": cart.pk})) == (503, reported)
    body = {"option_id": made.pk}
    assert refusal(store.post(f"/store/carts/{cart.pk}/shipping-methods", body)) == (503, reported)
    assert cart.shipping_methods.count() == 0


def test_without_code_or_switched_off_nobody_is_asked(store: Caller) -> None:
    FulfillmentProvider.objects.create(id="pigeons")
    cart = make.cart()
    for number, provider_id in enumerate(("pigeons", None, "echo")):
        FulfillmentProvider.objects.filter(pk="echo").update(is_enabled=False)
        made = calculated(provider_id=provider_id, name=str(number))
        assert store.post(path(made), {"cart_id": cart.pk}).json()["type"] == "not_allowed"
    assert Echo.asked == []


def test_code_that_cannot_be_loaded_is_a_providers_failure(store: Caller, settings: Any) -> None:
    settings.FULFILLMENT_PROVIDERS = {"echo": "nowhere.Nothing"}
    made = calculated()
    answer = store.post(path(made), {"cart_id": make.cart().pk})
    reported = f"The provider of the shipping option with id: {made.pk} is not responding"
    assert refusal(answer) == (503, reported)


def test_what_a_switched_off_provider_ships_is_listed_with_that(store: Caller) -> None:
    FulfillmentProvider.objects.filter(pk="echo").update(is_enabled=False)
    cart, made, flat = make.cart(), calculated(name="priced"), option(5, provider_id="echo", name="flat")
    query = f"cart_id={cart.pk}&fields=id,amount,provider.is_enabled&order=name"
    shown = store.get("/store/shipping-options", query).json()["shipping_options"]
    off = {"id": "echo", "is_enabled": False}
    assert shown == [
        {"id": flat.pk, "amount": 5, "provider": off},
        {"id": made.pk, "amount": None, "provider": off},
    ]


def test_by_hand_nothing_is_calculated(store: Caller) -> None:
    answer = store.post(path(calculated(provider_id="manual_manual")), {"cart_id": make.cart().pk})
    reported = "The fulfillment provider refused: The manual provider calculates no prices"
    assert refusal(answer) == (400, reported)


def test_unknown_options_and_carts(store: Caller) -> None:
    cart = make.cart(shipping_address={"country_code": "us"})
    abroad, made = calculated(of=zone("fr"), name="abroad"), calculated()
    assert refusal(store.post(path(abroad), {"cart_id": cart.pk}))[0] == 404
    assert refusal(store.post("/store/shipping-options/nobody/calculate", {"cart_id": cart.pk})) == (
        404,
        "Shipping option with id: nobody was not found",
    )
    assert refusal(store.post(path(made), {"cart_id": "nobody"})) == (404, "Cart with id: nobody was not found")
    assert refusal(store.post(path(made), {})) == invalid("Field 'cart_id' is required")
    hers = make.cart(actor=make.shopper(customer_id=CustomerFactory().pk))
    stranger = Caller(**store.headers, Authorization=f"Bearer {token_of(CustomerFactory())}")
    assert stranger.post(path(made), {"cart_id": hers.pk}).status_code == 404
    assert Echo.asked == []
