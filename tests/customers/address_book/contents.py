"""What is sent of addresses, and what is kept of them."""

from typing import Any

from customers.models import Customer, CustomerAddress

PATH = "/store/customers/me/addresses"
LINES = (
    *("first_name", "last_name", "phone", "company", "address_1", "address_2"),
    *("city", "country_code", "province", "postal_code", "address_name"),
)
FLAGS = ("is_default_shipping", "is_default_billing")
STOREFRONT = {
    "first_name": "Eve",
    "last_name": "Moss",
    "company": "",
    "address_1": "1 Elm Street",
    "address_2": "",
    "city": "New York",
    "postal_code": "10001",
    "province": "NY",
    "country_code": "US",
    "phone": "",
    "is_default_billing": False,
    "is_default_shipping": False,
}
"""As the storefronts send it: empty texts, codes as they were typed."""


def defaults(customer: Customer) -> list[list[str]]:
    """The ids of the default addresses, by kind."""
    return [list(customer.addresses.filter(**{flag: True}).values_list("pk", flat=True)) for flag in FLAGS]


def rows() -> list[dict[str, Any]]:
    return list(CustomerAddress.objects.order_by("pk").values())
