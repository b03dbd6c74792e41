"""Customers and their groups in the official dashboard; each job's effect is read from the database."""

import pytest

from customers.models import Customer, CustomerGroup
from tests.dashboard import needs_dashboard
from tests.dashboard.clerk import Clerk

pytestmark = [
    *(pytest.mark.browser, pytest.mark.servers("nginx"), pytest.mark.django_db(transaction=True)),
    needs_dashboard,
]


def test_a_customer_gets_a_company_an_address_and_a_group(clerk: Clerk) -> None:
    clerk.open("customers/create")
    for name, value in (("first_name", "Nils"), ("last_name", "Holm"), ("email", "nils@example.com")):
        clerk.enter(name, value)
    clerk.click("Create")
    nils = Customer.objects.get(email="nils@example.com")
    clerk.open(f"customers/{nils.pk}/edit")
    clerk.enter("company_name", "Holm ApS")
    clerk.click("Save")
    nils.refresh_from_db()
    assert (nils.first_name, nils.last_name, nils.company_name, nils.has_account) == ("Nils", "Holm", "Holm ApS", False)
    clerk.open("customer-groups/create")
    clerk.enter("name", "Cafes")
    clerk.click("Create")
    cafes = CustomerGroup.objects.get(name="Cafes")
    clerk.open(f"customer-groups/{cafes.pk}/add-customers")
    clerk.tick("nils@example.com")
    clerk.click("Save")
    assert [each.pk for each in cafes.customers.all()] == [nils.pk]
    clerk.open(f"customers/{nils.pk}/create-address")
    for name, value in (("address_name", "Home"), ("address_1", "3 Pier Road"), ("city", "Port Quay")):
        clerk.enter(name, value)
    clerk.enter("postal_code", "PQ1 2AB")
    clerk.pick("country_code", "United Kingdom")
    clerk.click("Save")
    (home,) = nils.addresses.values("address_name", "address_1", "city", "postal_code", "country_code")
    assert home == {
        "address_name": "Home",
        "address_1": "3 Pier Road",
        "city": "Port Quay",
        "postal_code": "PQ1 2AB",
        "country_code": "gb",
    }
    clerk.open(f"customers/{nils.pk}")
    assert "3 Pier Road" in clerk.page.text
    assert "Cafes" in clerk.page.text
    clerk.picture("customer")
