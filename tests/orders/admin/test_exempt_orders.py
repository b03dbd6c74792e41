"""The order's page, its email and exports say that the customer was exempt, and their tax number."""

import csv
from io import StringIO
from typing import Any

import pytest
from django.contrib.admin.utils import quote
from django.core.mail import EmailMultiAlternatives
from django.utils.html import strip_tags

from orders.mails.orders import render_order_mail
from orders.models import Order
from shop.models import Region
from tests.factories.carts import selling_region, sold_variant
from tests.factories.checkout import ready_cart
from tests.factories.customers import CustomerFactory
from tests.factories.pricing import price
from tests.kit.admin.visits import superuser
from tests.kit.messages.mails.test_messages import message
from tests.orders.completing import order_of
from tests.orders.reports.export.test_content import exported

pytestmark = [pytest.mark.once, pytest.mark.django_db]

NUMBER = "<GB 1>"


@pytest.fixture
def region(db: None) -> Region:
    return selling_region(tax_rate=20, is_tax_inclusive=True)


def ordered(region: Region, **customer: Any) -> Order:
    """A mug of 30.00 including 20 %."""
    variant = sold_variant(30, product__title="Mug")
    price(variant, 30, region=region)
    buyer = CustomerFactory(**customer)
    return order_of(ready_cart(variant, region_id=region.pk, customer_id=buyer.pk, shipping=0))


def page_of(made: Order) -> str:
    return superuser().get(f"/admin/orders/order/{quote(made.pk)}/change/").content.decode()


def mail_of(made: Order) -> EmailMultiAlternatives:
    rendered = render_order_mail(made.pk, 1)
    assert rendered is not None
    return message(rendered.template, rendered.context)


TEXTS = {
    (True, NUMBER): "Tax-exempt, tax number <GB 1>",
    (True, None): "Tax-exempt",
    (False, NUMBER): "Tax number <GB 1>",
}


@pytest.mark.parametrize(("is_exempt", "number"), TEXTS)
def test_page_and_email_say_it(is_exempt: bool, number: str | None, region: Region) -> None:
    made, text = ordered(region, is_tax_exempt=is_exempt, tax_number=number), TEXTS[is_exempt, number]
    escaped = text.replace("<", "&lt;").replace(">", "&gt;")
    assert f"<p>{escaped}</p>" in page_of(made)
    assert f"\n{text}\n" in mail_of(made).body
    [(html, _)] = mail_of(made).alternatives
    assert f"<p>{escaped}</p>" in html


def test_those_of_others_say_nothing(region: Region) -> None:
    made = ordered(region)
    for text in (page_of(made), str(mail_of(made).body)):
        assert "tax number" not in text.lower()
        assert "exempt" not in text.lower()


def test_amounts_of_an_exempt_order_are_without_tax(region: Region) -> None:
    made = ordered(region, is_tax_exempt=True)
    page = " ".join(strip_tags(page_of(made).replace("<", " <")).split())
    assert "$30.00 with tax" in page  # the unit price, as it is stated
    for shown in ("Items without tax $25.00", "Total $25.00"):
        assert shown in page
    mail = mail_of(made).body
    assert "  Items without tax: $25.00\n" in mail
    assert "  Total: $25.00\n" in mail


def test_exports_have_both(region: Region) -> None:
    ordered(region, is_tax_exempt=True, tax_number="GB 1")
    [row] = csv.DictReader(StringIO(exported().decode()))
    assert (row["is_tax_exempt"], row["tax_number"]) == ("true", "GB 1")
