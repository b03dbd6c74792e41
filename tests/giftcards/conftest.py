"""Who has gift cards, and who asks for them."""

import pytest

from customers.models import Customer
from tests.contract.callers import Caller, importer, storefront
from tests.customers.conftest import signed_in
from tests.factories.apikeys import publishable_key, secret_key
from tests.factories.customers import CustomerFactory
from tests.factories.shop import RegionFactory
from tests.factories.staff import UserFactory


@pytest.fixture
def regions(db: None) -> None:
    """Regions that sell in dollars, euros and yen."""
    for currency in ("usd", "eur", "jpy"):
        RegionFactory(currency_id=currency)


@pytest.fixture
def ann(db: None) -> Customer:
    return CustomerFactory(email="ann@example.com")


@pytest.fixture
def bob(db: None) -> Customer:
    return CustomerFactory(email="bob@example.com", first_name="Bob")


@pytest.fixture
def anybody(db: None) -> Caller:
    """A storefront where nobody has signed in."""
    return storefront(publishable_key())


@pytest.fixture
def by_ann(ann: Customer) -> Caller:
    return signed_in(ann)


@pytest.fixture
def by_bob(bob: Customer) -> Caller:
    return signed_in(bob)


@pytest.fixture
def by_staff(db: None) -> Caller:
    """A storefront with the secret key of a member of staff who may do everything."""
    staff = importer(secret_key(UserFactory(is_superuser=True)))
    return Caller(x_publishable_api_key=publishable_key().token, **staff.headers)
