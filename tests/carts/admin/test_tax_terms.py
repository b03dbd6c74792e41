"""A cart's page says of each amount whether it is with tax or without, as the shop states its prices."""

import re

import pytest
from django.urls import reverse
from django.utils.html import strip_tags

from tests.factories.stated_prices import stated_cart
from tests.kit.admin.visits import superuser

pytestmark = [pytest.mark.once, pytest.mark.django_db]

SHOWN = {
    "with tax": (
        ["120.00 usd with tax", "6.00 usd with tax", "12.00 usd with tax", "19.00 usd, included above"],
        ["60.00 usd with tax", "12.00 usd with tax", "108.00 usd with tax"],
        ["6.00 usd with tax", "6.00 usd with tax"],
    ),
    "without tax": (
        ["100.00 usd without tax", "5.00 usd without tax", "10.00 usd without tax", "19.00 usd"],
        ["50.00 usd without tax", "10.00 usd without tax", "90.00 usd without tax"],
        ["5.00 usd without tax", "5.00 usd without tax"],
    ),
    "mixed": (
        ["132.00 usd with tax", "6.00 usd with tax", "13.20 usd with tax", "20.80 usd, included above"],
        [
            *("50.00 usd without tax", "12.00 usd with tax", "108.00 usd with tax"),
            *("12.00 usd with tax", "1.20 usd with tax", "10.80 usd with tax"),
        ],
        ["6.00 usd with tax", "6.00 usd with tax"],
    ),
}
"""By the terms of the shop: the costs of the cart, and the cells of its lines and of its shipping."""


@pytest.mark.parametrize("terms", SHOWN)
def test_each_amount_says_its_terms(terms: str) -> None:
    cart = stated_cart(terms)
    page = superuser().get(reverse("admin:carts_cart_change", args=[cart.pk])).content.decode()
    amounts = re.findall(r"\d+\.\d\d usd(?:</span>)?(?: with(?:out)? tax|, included above)?", page)
    costs, lines, shipping = SHOWN[terms]
    total = f"{cart.total:.2f} usd"
    told = [strip_tags(amount) for amount in amounts if "</span>" in amount]
    assert told == [*costs, "0.00 usd", total, *lines, *shipping]
    for words in ("Total with tax", f"Cart of ann@example.com, {total} with tax"):
        assert words in page
