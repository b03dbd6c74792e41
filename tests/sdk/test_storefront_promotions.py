"""Promotions come and go while somebody shops as in Medusa's storefronts, through the unmodified official SDK.

The amounts are calculated by hand: a gross amount contains it less it / 1.19, each rounded half-up to the cent.
"""

from typing import Any

import pytest

from shop.models import Currency
from tests.concurrency.running_server import RunningServer
from tests.factories.carts import selling_region, sold_variant
from tests.factories.fulfillment import option, zone
from tests.factories.payments import PROVIDER
from tests.factories.products import ProductFactory
from tests.sdk import node

pytestmark = [pytest.mark.once, pytest.mark.django_db(transaction=True), node.needs_sdk]
TOTALS = ("item_subtotal", "shipping_subtotal", "tax_total", "discount_subtotal", "discount_total", "total")
AFTER = {
    "two pots, free shipping": (
        (42.02, 4.12, 7.98, 4.12, 4.90, 50.00),
        ["FREE"],
        [],
        {"Pot": (50.00, 50.00)},
    ),
    "three cups, one of them free": (
        (62.19, 4.12, 10.53, 10.84, 12.90, 66.00),
        ["CUPS", "FREE"],
        [],
        {"Pot": (50.00, 50.00), "Cup": (16.00, 24.00)},
    ),
    "a code": (  # 5.00 is 3.79 off the pots and 1.21 off the cups
        (62.19, 4.12, 9.74, 15.05, 17.90, 61.00),
        ["CUPS", "FIVE", "FREE"],
        [],
        {"Pot": (46.21, 50.00), "Cup": (14.79, 24.00)},
    ),
    "two cups": (
        (55.47, 4.12, 9.74, 8.33, 9.90, 61.00),
        ["FIVE", "FREE"],
        [],
        {"Pot": (46.21, 50.00), "Cup": (14.79, 16.00)},
    ),
    "no cups, below the code's minimum": (
        (42.02, 4.12, 7.98, 4.12, 4.90, 50.00),
        ["FREE"],
        [("FIVE", "minimum_not_reached", 10.00)],
        {"Pot": (50.00, 50.00)},
    ),
    "one pot, below both minimums": (
        (21.01, 4.12, 4.77, 0, 0, 29.90),
        [],
        [("FIVE", "minimum_not_reached", 35.00)],
        {"Pot": (25.00, 25.00)},
    ),
    "three pots, and the code is back": (
        (63.03, 4.12, 11.18, 8.33, 9.90, 70.00),
        ["FIVE", "FREE"],
        [],
        {"Pot": (70.00, 75.00)},
    ),
    "the code has ended": (
        (84.03, 4.12, 15.97, 4.12, 4.90, 100.00),
        ["FREE"],
        [],
        {"Pot": (100.00, 100.00)},
    ),
}
"""After each step: the totals, the promotions that apply, the skipped codes with what is missing, and of each line what
it costs and what would be crossed out."""


@pytest.fixture
def walk(server: RunningServer) -> dict[str, Any]:
    """What the SDK returned: of a shop whose prices include 19 % tax. Pots are 25.00, cups 8.00, shipping is 4.90."""
    Currency.objects.filter(pk="eur").update(is_tax_inclusive=True)
    region = selling_region(currency_id="eur", countries=["de"], tax_rate=19, is_tax_inclusive=True)
    region.payment_providers.add(PROVIDER)
    for title, amount in (("Cup", 8), ("Pot", 25)):
        sold_variant(amount, currency_code="eur", product=ProductFactory(title=title))
    option("4.90", of=zone("de"), currency_code="eur")
    return node.run("storefront.mjs", server)


def test_promotions_come_and_go(walk: dict[str, Any]) -> None:
    steps, order = walk["steps"], walk["order"]
    assert {step: seen(cart) for step, cart in steps.items()} == AFTER
    for cart in steps.values():  # what storefronts add up
        sums = [round(cart[name] * 100) for name in ("item_subtotal", "shipping_subtotal", "tax_total")]
        assert sum(sums) - round(cart["discount_subtotal"] * 100) == round(cart["total"] * 100)
    assert walk["refusal"] == {"status": 400, "message": "The promotion code FIVE is invalid"}
    assert [order[name] for name in TOTALS] == [*AFTER["the code has ended"][0]]
    (method,) = [each["application_method"] for each in steps["a code"]["promotions"] if each["code"] == "FIVE"]
    assert (method["type"], method["value"], method["currency_code"]) == ("fixed", 5, "eur")


def seen(cart: dict[str, Any]) -> tuple[Any, ...]:
    """What a storefront shows of the cart."""
    skipped = [(each["code"], each["reason"], each["missing"]) for each in cart["skipped_promo_codes"]]
    return (
        tuple(cart[name] for name in TOTALS),
        sorted({promotion["code"] for promotion in cart["promotions"]} - {code for code, *_ in skipped}),
        skipped,
        {item["product_title"]: (item["total"], item["original_total"]) for item in cart["items"]},
    )
