"""The email that confirms an order."""

from decimal import Decimal
from typing import Any

import pytest
from django.core import mail
from pytest_django import Settings

from kit.messages.mails.models import Mail
from kit.messages.mails.queueing import queue_mail
from kit.messages.mails.sending import send_due
from kit.values.timestamps import now
from orders.mails.orders import render_order_mail
from orders.models import Order, OrderAddress, OrderLineItem, OrderShippingMethod
from shop.models import Store
from tests.factories.carts import selling_region

pytestmark = pytest.mark.django_db


def order(**given: Any) -> Order:
    """1,200 yen of tea with a discount of 100, shipped for 300, of which credit pays 400. It is frozen as it stands."""
    region = selling_region()
    address = OrderAddress.objects.create(
        first_name="Ann",
        last_name="Lee",
        address_1="4 Ropewalk Lane",
        city="Whitby",
        postal_code="YO21",
        country_code="gb",
    )
    values: dict[str, Any] = {
        "cart_id": "cart_1",
        "display_id": 1001,
        "payment_status": "captured",
        "email": "ann@example.com",
        "region": region,
        "sales_channel": Store.objects.get().default_sales_channel,
        "currency_id": "jpy",
        "shipping_address": address,
        "original_item_total": 1200,
        "item_total": 1100,
        "original_shipping_total": 300,
        "shipping_total": 300,
        "discount_total": 100,
        "credit_line_total": 400,
        "tax_total": 127,
        "total": 1000,
        "original_order_total": 1000,
    }
    made: Order = Order.objects.create(**{**values, **given})
    OrderLineItem.objects.create(
        order=made,
        title="Assam, 100 g",
        product_title="Assam & <i>Mangalam</i>",
        variant_title="100 g",
        unit_price=600,
        is_tax_inclusive=True,
        quantity=2,
        original_total=1200,
        total=1100,
    )
    OrderShippingMethod.objects.create(order=made, name="Parcel", amount=300, original_total=300, total=300)
    return made


def mailed(made: Order) -> Any:
    queue_mail("order_placed", about=made.pk)
    send_due()
    assert Mail.objects.get().error == ""
    return mail.outbox[-1] if mail.outbox else None


@pytest.fixture(autouse=True)
def storefront(settings: Settings) -> None:
    settings.STOREFRONT_URL = "https://shop.example"
    Store.objects.update(name="Quayside Tea")


def test_it_shows_what_was_bought_what_it_costs_and_where_it_goes() -> None:
    made = order()
    letter = mailed(made)
    assert (letter.to, letter.subject) == (["ann@example.com"], "Your order #1001 at Quayside Tea")
    assert letter.body == (
        "Thank you for your order #1001 at Quayside Tea.\n\n"
        "  2 x Assam & <i>Mangalam</i>, 100 g: ¥1,200 with tax\n\n"
        "  Items with tax: ¥1,200\n"
        "  Discount with tax: -¥100\n"
        "  Parcel with tax: ¥300\n"
        "  Gift cards and store credit: -¥400\n"
        "  Total with tax: ¥1,000\n"
        "  Tax included: ¥127\n\n"
        "Shipping address:\n\n"
        "  Ann Lee\n"
        "  4 Ropewalk Lane\n"
        "  YO21 Whitby\n"
        "  United Kingdom\n\n"
        f"Your order: https://shop.example/gb/order/{made.pk}/confirmed\n"
    )
    ((page, _),) = letter.alternatives
    assert "2 \u00d7 Assam &amp; &lt;i&gt;Mangalam&lt;/i&gt;" in page
    assert f'href="https://shop.example/gb/order/{made.pk}/confirmed"' in page
    for amount in ("¥1,200", "-¥100", "¥300", "-¥400", "<strong>¥1,000</strong>", "¥127"):
        assert amount in page


@pytest.mark.parametrize(("currency_code", "shown"), [("eur", "1.000,50 €"), ("kwd", "KWD 1,000.500")])
def test_amounts_have_the_currencys_digits(currency_code: str, shown: str) -> None:
    assert f"  Total with tax: {shown}\n" in mailed(order(currency_id=currency_code, total=Decimal("1000.5"))).body


def test_what_is_nothing_is_left_out() -> None:
    made = order(discount_total=0, credit_line_total=0, tax_total=0, shipping_address=None)
    body = mailed(made).body
    for word in ("Discount", "Gift cards", "Tax", "address"):
        assert word not in body
    assert f"https://shop.example/us/order/{made.pk}/confirmed" in body  # the region's country


def test_a_custom_number_is_shown_instead() -> None:
    assert mailed(order(custom_display_id="T-2026-7")).subject == "Your order T-2026-7 at Quayside Tea"


def test_names_with_line_breaks_begin_no_line() -> None:
    made = order()
    OrderAddress.objects.update(first_name="Ann\n\nFree tea: http://evil.example\n")
    assert "\n  Ann Free tea: http://evil.example Lee\n" in mailed(made).body


@pytest.mark.parametrize("given", [{"email": None}, {"no_notification": True}], ids=str)
def test_nobody_is_mailed_about_an_order_that_is_erased_or_wants_no_notification(given: dict[str, Any]) -> None:
    assert mailed(order(**given)) is None
    assert Mail.objects.get().status == "not needed"


def test_the_statements_do_not_grow_with_the_lines(django_assert_num_queries: Any) -> None:
    made = order()
    with django_assert_num_queries(5):
        render_order_mail(made.pk, 1)
    for number in range(20):
        OrderLineItem.objects.create(order=made, title=f"{number}", unit_price=1, quantity=1)
    with django_assert_num_queries(5):
        render_order_mail(made.pk, 1)


def test_the_shipping_of_a_canceled_return_is_left_out() -> None:
    made = order()
    OrderShippingMethod.objects.create(order=made, name="Back by post", amount=2, deleted_at=now())
    assert "Back by post" not in mailed(made).body
