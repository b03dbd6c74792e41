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
        ["$120.00 with tax", "$6.00 with tax", "$12.00 with tax", "$19.00, included above"],
        ["$60.00 with tax", "$12.00 with tax", "$108.00 with tax"],
        ["$6.00 with tax", "$6.00 with tax"],
    ),
    "without tax": (
        ["$100.00 without tax", "$5.00 without tax", "$10.00 without tax", "$19.00"],
        ["$50.00 without tax", "$10.00 without tax", "$90.00 without tax"],
        ["$5.00 without tax", "$5.00 without tax"],
    ),
    "mixed": (
        ["$132.00 with tax", "$6.00 with tax", "$13.20 with tax", "$20.80, included above"],
        [
            *("$50.00 without tax", "$12.00 with tax", "$108.00 with tax"),
            *("$12.00 with tax", "$1.20 with tax", "$10.80 with tax"),
        ],
        ["$6.00 with tax", "$6.00 with tax"],
    ),
}
"""By the terms of the shop: the costs of the cart, and the cells of its lines and of its shipping."""


@pytest.mark.parametrize("terms", SHOWN)
def test_each_amount_says_its_terms(terms: str) -> None:
    cart = stated_cart(terms)
    page = superuser().get(reverse("admin:carts_cart_change", args=[cart.pk])).content.decode()
    amounts = re.findall(r"\$\d+\.\d\d(?:</span>)?(?: with(?:out)? tax|, included above)?", page)
    costs, lines, shipping = SHOWN[terms]
    total = f"${cart.total:.2f}"
    told = [strip_tags(amount) for amount in amounts if "</span>" in amount]
    assert told == [*costs, "$0.00", total, *lines, *shipping]
    for words in ("Total with tax", f"Cart of ann@example.com, {total} with tax"):
        assert words in page
