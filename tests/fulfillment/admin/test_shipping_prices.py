"""Conditional prices of shipping options, entered in the option's form."""

from decimal import Decimal
from typing import Any

import pytest
from django.test import Client

from carts.lines.lines import NewLineItem
from catalog.models import Price, PriceRule
from fulfillment.models import ShippingOption
from tests.contract.callers import storefront
from tests.factories import carts as make
from tests.factories.apikeys import publishable_key
from tests.factories.fulfillment import option
from tests.factories.pricing import price
from tests.kit.admin.forms import errors, row, sent, submit
from tests.kit.admin.visits import superuser

pytestmark = pytest.mark.django_db


def address_of(made: ShippingOption) -> str:
    return f"/admin/fulfillment/shippingoption/{made.pk}/change/"


def rules() -> set[tuple[Decimal, str, str, str]]:
    found = PriceRule.objects.filter(deleted_at=None)
    return set(found.values_list("price__amount", "attribute", "operator", "value"))


def priced(client: Client, made: ShippingOption, *prices: dict[str, Any]) -> dict[str, list[str]]:
    """The option's form with these prices added."""
    values = sent(client, address_of(made))
    for each in prices:
        values = row(values, "prices", currency="usd", **each)
    return values


def test_shipping_is_free_from_an_amount_on() -> None:
    made, client = option(None), superuser()
    below, free = {"amount": "4.90", "below_total": "50"}, {"amount": "0", "from_total": "50"}
    submit(client, address_of(made), priced(client, made, below, free))
    assert rules() == {
        (Decimal("4.9"), "item_total", "lt", "50"),
        (Decimal(0), "item_total", "gte", "50"),
    }
    store = storefront(publishable_key())
    amounts = []
    for quantity in (1, 5):
        cart = make.cart(NewLineItem(make.sold_variant(10).pk, quantity))
        (shown,) = store.get("/store/shipping-options", f"cart_id={cart.pk}").json()["shipping_options"]
        amounts.append(shown["amount"])
    assert amounts == [4.9, 0]


def test_totals_are_shown_changed_and_removed() -> None:
    made, client = option(None), superuser()
    price(made.price_set, 4, rules={"item_total": ("gte", "20.5")})
    values = sent(client, address_of(made))
    assert (values["prices-0-from_total"], values["prices-0-below_total"]) == (["20.50"], [""])
    submit(client, address_of(made), sent(client, address_of(made)))
    assert rules() == {(Decimal(4), "item_total", "gte", "20.5")}
    changes = {"prices-0-from_total": "", "prices-0-below_total": "30"}
    submit(client, address_of(made), sent(client, address_of(made), **changes))
    assert rules() == {(Decimal(4), "item_total", "lt", "30")}


def test_rules_that_the_form_does_not_show_stay() -> None:
    made, client = option(None), superuser()
    price(made.price_set, 4, rules={"item_total": ("gt", "20"), "country_code": ("eq", "us")})
    assert "item_total gt 20" in client.get(address_of(made)).content.decode()
    submit(client, address_of(made), sent(client, address_of(made), **{"prices-0-from_total": "5"}))
    assert rules() == {
        (Decimal(4), "item_total", "gt", "20"),
        (Decimal(4), "country_code", "eq", "us"),
        (Decimal(4), "item_total", "gte", "5"),
    }


@pytest.mark.parametrize(
    ("prices", "at"),
    [
        ([{"amount": "4", "from_total": "50", "below_total": "50"}], "prices-0-below_total"),
        ([{"amount": "4", "from_total": "-1"}], "prices-0-from_total"),
        ([{"amount": "4", "below_total": "1e3"}], "prices-0-below_total"),
        ([{"amount": "4", "from_total": "50"}, {"amount": "5", "from_total": "50.00"}], "prices-1-currency"),
    ],
)
def test_what_could_never_apply_is_refused_at_its_field(prices: list[dict[str, str]], at: str) -> None:
    made, client = option(None), superuser()
    answer = client.post(address_of(made), priced(client, made, *prices))
    assert list(errors(answer)) == [at]
    assert not Price.objects.exists()


def test_a_stored_price_of_the_same_totals_is_another_too() -> None:
    made, client = option(None), superuser()
    price(made.price_set, 4, rules={"item_total": ("gte", "50")})
    different = priced(client, made, {"amount": "5", "from_total": "60"})
    submit(client, address_of(made), different)
    same = priced(client, made, {"amount": "5", "from_total": "60"})
    assert list(errors(client.post(address_of(made), same))) == ["prices-2-currency"]
