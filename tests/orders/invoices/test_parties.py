"""Who sells and who buys, as documents copy them."""

from collections.abc import Mapping

import pytest

from orders.invoices.parties import buyer_of, seller_of
from orders.models import OrderAddress
from shop.models import Store

pytestmark = pytest.mark.django_db

SELLER = {
    "legal_name": "Teas and more GmbH",
    "address_1": "1 Harbour Street",
    "postal_code": "20457",
    "city": "Hamburg",
    "country_code": "de",
    "tax_number": "DE123456789",
}


def test_a_new_store_lacks_everything_that_an_invoice_needs() -> None:
    texts, missing = seller_of()
    assert texts == {}
    assert missing == ["legal name", "address", "city", "country", "tax number or registration number"]


@pytest.mark.parametrize("number", ["tax_number", "registration_number"])
def test_one_of_both_numbers_is_enough(number: str) -> None:
    stated = {**SELLER, "tax_number": None, number: "HRB 1234", "address_2": ""}
    Store.objects.update(**stated)
    texts, missing = seller_of()
    assert missing == []
    assert texts == {**{name: SELLER[name] for name in SELLER if name != "tax_number"}, number: "HRB 1234"}


def test_each_missing_text_is_named() -> None:
    Store.objects.update(**{**SELLER, "city": "", "tax_number": None})
    assert seller_of().missing == ["city", "tax number or registration number"]


def buyer(*addresses: OrderAddress | None, is_tax_exempt: bool = False) -> Mapping[str, str]:
    """Of an order with these billing and shipping addresses."""
    keys = [address and address.pk for address in addresses]
    return buyer_of(*keys, email="ann@example.com", tax_number="GB1", is_tax_exempt=is_tax_exempt)


def test_the_buyer_is_who_is_billed_else_who_receives_the_goods_else_the_email_address() -> None:
    billed = OrderAddress.objects.create(company="Lee Ltd", address_1="2 Oak Street", city="Leeds", phone="")
    shipped = OrderAddress.objects.create(first_name="Ann", last_name="Lee", country_code="gb", metadata={"a": 1})
    number = {"tax_number": "GB1"}
    assert buyer(billed, shipped) == {"company": "Lee Ltd", "address_1": "2 Oak Street", "city": "Leeds", **number}
    assert buyer(None, shipped) == {"first_name": "Ann", "last_name": "Lee", "country_code": "gb", **number}
    assert buyer(None, None) == {"email": "ann@example.com", **number}


def test_an_exempt_order_carries_the_text_of_its_exemption() -> None:
    assert buyer(None, None, is_tax_exempt=True) == {
        "email": "ann@example.com",
        "tax_number": "GB1",
        "exemption": "Tax-exempt: no tax is charged to this buyer.",
    }
