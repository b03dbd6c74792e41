"""Who has orders, and who asks for them."""

from typing import Any

import pytest

from customers.models import Customer
from tests.contract.callers import Caller, storefront
from tests.customers.conftest import signed_in
from tests.factories.apikeys import publishable_key
from tests.factories.customers import CustomerFactory


@pytest.fixture
def ann(db: None) -> Customer:
    return CustomerFactory(email="ann@example.com")


@pytest.fixture
def bob(db: None) -> Customer:
    return CustomerFactory(email="bob@example.com", first_name="Bob")


@pytest.fixture
def guest(db: None) -> Caller:
    """A storefront where nobody has signed in."""
    return storefront(publishable_key())


@pytest.fixture
def by_ann(ann: Customer) -> Caller:
    return signed_in(ann)


@pytest.fixture
def by_bob(bob: Customer) -> Caller:
    return signed_in(bob)


def own(caller: Caller, query: str = "") -> list[dict[str, Any]]:
    """The orders that the caller's list holds."""
    response = caller.get("/store/orders", query)
    assert response.status_code == 200, response.content
    found: list[dict[str, Any]] = response.json()["orders"]
    return found
