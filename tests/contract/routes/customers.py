"""Customers, their groups and addresses."""

from customers.models import Customer
from tests.contract.routes.examples import Example, maintained
from tests.factories.customers import AddressFactory, CustomerFactory, CustomerGroupFactory

SHOPPER = "shopper@example.com"


def _own_address_path() -> str:
    """An address below its customer."""
    address = AddressFactory()
    return f"/admin/customers/{address.customer_id}/addresses/{address.pk}"


def shopper() -> Customer:
    """The customer who has signed in where a route asks for one."""
    return Customer.objects.filter(email=SHOPPER).first() or CustomerFactory(email=SHOPPER)


def _address_path() -> str:
    return f"/store/customers/me/addresses/{AddressFactory(customer=shopper()).pk}"


EXAMPLES = {
    "/store/customers": Example(lambda: "/store/customers", {"create": {}}),
    "/store/customers/me": Example(lambda: "/store/customers/me", {"update": {"first_name": "Zed"}}),
    "/store/customers/me/addresses": Example(lambda: "/store/customers/me/addresses", {"create": {"city": "Ulm"}}),
    "/store/customers/me/addresses/<str:address_id>": Example(_address_path, {"update": {"city": "Ulm"}}),
    **maintained(
        "/admin/customers", CustomerFactory, {"email": "a@example.com"}, {"first_name": "Zed"}, can_restore=False
    ),
    "/admin/customers/<str:id>/customer-groups": Example(
        lambda: f"/admin/customers/{CustomerFactory().pk}/customer-groups",
        {"update_groups": lambda: {"add": [CustomerGroupFactory().pk]}},
    ),
    "/admin/customers/<str:id>/addresses": Example(
        lambda: _own_address_path().rpartition("/")[0], {"create": {"city": "Ulm"}}
    ),
    "/admin/customers/<str:id>/addresses/<str:address_id>": Example(_own_address_path, {"update": {"city": "Ulm"}}),
    **maintained("/admin/customer-groups", CustomerGroupFactory, {"name": "Trade"}, {"name": "Retail"}),
    "/admin/customer-groups/<str:id>/customers": Example(
        lambda: f"/admin/customer-groups/{CustomerGroupFactory().pk}/customers",
        {"update_customers": lambda: {"add": [CustomerFactory().pk]}},
    ),
}
