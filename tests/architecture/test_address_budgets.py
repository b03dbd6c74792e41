"""How many SQL statements an address book costs: as many for a hundred addresses as for five."""

from typing import Any

import pytest

from customers.models import Customer
from kit.rest import storage_limits
from tests.architecture.test_cart_budgets import change
from tests.contract.callers import Caller
from tests.factories.apikeys import publishable_key
from tests.factories.customers import AddressFactory, CustomerFactory, token_of

pytestmark = pytest.mark.django_db

BOOK = "/store/customers/me/addresses"


def customer_with(addresses: int) -> tuple[Caller, str]:
    """Signed in, with so many addresses of which the last is the default; the path of another."""
    customer: Customer = CustomerFactory()
    others = AddressFactory.create_batch(addresses - 1, customer=customer)
    AddressFactory(customer=customer, is_default_shipping=True, is_default_billing=True)
    caller = Caller(x_publishable_api_key=publishable_key().token, Authorization=f"Bearer {token_of(customer)}")
    return caller, f"{BOOK}/{others[0].pk}"


def costs(addresses: int) -> dict[str, int]:
    """The statements of each request to a book of so many."""
    caller, one = customer_with(addresses)
    return {
        "list": change(caller, "GET", BOOK, b""),
        "read": change(caller, "GET", one, b""),
        "change": change(caller, "POST", one, {"address_1": "1 Oak Road", "metadata": {"floor": addresses}}),
        "change nothing": change(caller, "POST", one, {"address_1": "1 Oak Road"}),
        "make default": change(caller, "POST", one, {"is_default_shipping": True, "is_default_billing": True}),
        "add": change(caller, "POST", BOOK, {"city": "Ulm"}),
        "add default": change(caller, "POST", BOOK, {"city": "Ulm", "is_default_shipping": True}),
        "remove": change(caller, "DELETE", one, b""),
        "me": change(caller, "GET", "/store/customers/me", b""),
    }


def test_an_address_book_costs_as_many_statements_for_a_hundred_addresses_as_for_five(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MAX_ADDRESSES = 200
    monkeypatch.setattr(storage_limits, "randbelow", lambda _: 1023)  # no small body happens to count as a KiB
    few, many = costs(5), costs(100)
    assert few == many
    assert few == {
        "list": 3,
        "read": 3,
        "change": 8,
        "change nothing": 6,
        "make default": 9,
        "add": 9,
        "add default": 11,
        "remove": 8,
        "me": 4,
    }
