"""Who calls the routes of customers."""

import pytest

from customers.models import Customer
from tests.contract.callers import Caller
from tests.factories.apikeys import publishable_key
from tests.factories.customers import CustomerFactory, token_of


@pytest.fixture
def eve(db: None) -> Customer:
    """A customer."""
    return CustomerFactory(email="eve@example.com", first_name="Eve", last_name="Moss")


@pytest.fixture
def caller(eve: Customer) -> Caller:
    """A storefront where Eve has signed in."""
    return signed_in(eve)


def signed_in(customer: Customer) -> Caller:
    """A storefront where that customer has signed in."""
    return Caller(x_publishable_api_key=publishable_key().token, Authorization=f"Bearer {token_of(customer)}")
