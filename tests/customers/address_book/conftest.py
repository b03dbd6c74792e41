"""An address of Eve's and one of somebody else's."""

import pytest

from customers.models import Customer, CustomerAddress
from tests.factories.customers import AddressFactory


@pytest.fixture
def home(eve: Customer) -> CustomerAddress:
    return AddressFactory(customer=eve, address_name="Home", metadata={"a": 1})


@pytest.fixture
def theirs() -> CustomerAddress:
    """Another customer's."""
    return AddressFactory(is_default_shipping=True, is_default_billing=True)
