"""The order's page and its email show amounts as the shop states its prices, and say of each whether it is with tax."""

from typing import Any

import pytest
from django.contrib.admin.utils import quote
from django.utils.html import strip_tags

from orders.mails.orders import render_order_mail
from orders.models import Order
from tests.factories.orders import order
from tests.factories.stated_prices import stated_cart
from tests.kit.admin.visits import superuser
from tests.kit.messages.mails.test_messages import message, page_of

pytestmark = [pytest.mark.once, pytest.mark.django_db]

ITEMS: dict[str, list[list[str]]] = {
    "with tax": [["Mug", "$60.00", "$12.00", "$108.00"]],
    "without tax": [["Mug", "$50.00", "$10.00", "$90.00"]],
    "mixed": [
        ["Mug", "$50.00 without tax", "$12.00", "$108.00"],
        ["Pot", "$12.00", "$1.20", "$10.80"],
    ],
}
"""By the terms of the shop: the title, unit price, discount and total of each line."""
SUMS: dict[str, list[tuple[str, str]]] = {
    "with tax": [
        ("Items with tax", "$120.00"),
        ("Shipping (Parcel) with tax", "$6.00"),
        ("Discounts (TENTH) with tax", "-$12.00"),
        ("Total with tax", "$114.00"),
        ("Tax 20 % included", "$19.00"),
    ],
    "without tax": [
        ("Items without tax", "$100.00"),
        ("Shipping (Parcel) without tax", "$5.00"),
        ("Discounts (TENTH) without tax", "-$10.00"),
        ("Tax 20 %", "$19.00"),
        ("Total with tax", "$114.00"),
    ],
    "mixed": [
        ("Items with tax", "$132.00"),
        ("Shipping (Parcel) with tax", "$6.00"),
        ("Discounts (TENTH) with tax", "-$13.20"),
        ("Total with tax", "$124.80"),
        ("Tax 20 % included", "$20.80"),
    ],
}
TEXTS = {
    "with tax": (
        "  2 x Mug, {variant}: $120.00 with tax\n\n"
        "  Items with tax: $120.00\n"
        "  Discount with tax: -$12.00\n"
        "  Parcel with tax: $6.00\n"
        "  Total with tax: $114.00\n"
        "  Tax 20 % included: $19.00\n"
    ),
    "without tax": (
        "  2 x Mug, {variant}: $100.00 without tax\n\n"
        "  Items without tax: $100.00\n"
        "  Discount without tax: -$10.00\n"
        "  Parcel without tax: $5.00\n"
        "  Tax 20 %: $19.00\n"
        "  Total with tax: $114.00\n"
    ),
}


def placed(terms: str) -> Order:
    made = order(cart=stated_cart(terms))
    made.shipping_methods.update(name="Parcel")
    return made


def text(html: Any) -> str:
    return " ".join(strip_tags(html.replace("<", " <")).split())


@pytest.mark.parametrize("terms", SUMS)
def test_a_line_and_the_sum_are_in_the_terms_of_the_shop(terms: str) -> None:
    response = superuser().get(f"/admin/orders/order/{quote(placed(terms).pk)}/change/")
    shown, page = response.context, response.content.decode()
    words = "without tax" if terms == "without tax" else "with tax"
    headers = ["Item", "Unit price", "Discount", "Total"]
    columns = ["Item", *(f"{header} {words}" for header in headers[1:])]
    at = [shown["items"].headers.index(column) for column in columns]
    lines = [[text(row[index]) for index in at] for row in shown["items"].cells]
    assert [[title.partition(" ")[0], *amounts] for title, *amounts in lines] == ITEMS[terms]
    assert [(text(each.meaning), text(each.amount)) for each in shown["sums"]] == SUMS[terms]
    assert [each.is_total for each in shown["sums"]] == [name == "Total with tax" for name, _ in SUMS[terms]]
    assert shown["figures"][0][0] == "Total with tax"
    assert "What is paid, refunded or due includes tax." in page


@pytest.mark.parametrize("terms", TEXTS)
def test_the_email_shows_the_same(terms: str) -> None:
    made = placed(terms)
    mail = render_order_mail(made.pk, 1)
    assert mail is not None
    letter = message(mail.template, mail.context)
    expected = TEXTS[terms].format(variant=made.items.get().variant_title)
    assert f"\n\n{expected}\n" in letter.body
    page = text(page_of(letter))
    header, *rows = expected.split("\n\n")[1].splitlines()
    for row in (header, *rows):
        assert row.strip().replace(":", "") in page
    assert f"Item {terms.capitalize()} 2 \N{MULTIPLICATION SIGN} Mug" in page


def test_an_email_in_a_shops_own_template_reads_the_totals_that_it_always_had() -> None:
    """With tax, whatever the terms."""
    mail = render_order_mail(placed("without tax").pk, 1)
    assert mail is not None
    told: Any = mail.context["order"]
    assert [told[name] for name in ("item_total", "discount_total", "tax_total", "total")] == [
        "$120.00",
        "$12.00",
        "$19.00",
        "$114.00",
    ]
    assert (told["lines"][0]["total"], told["shipping_methods"][0]["total"]) == ("$120.00", "$6.00")


def test_both_kinds_of_prices_in_one_email_are_shown_with_tax() -> None:
    mail = render_order_mail(placed("mixed").pk, 1)
    assert mail is not None
    told: Any = mail.context["order"]
    assert (told["is_tax_inclusive"], [line["total"] for line in told["lines"]]) == (True, ["$120.00", "$12.00"])
