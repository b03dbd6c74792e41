"""Who calls."""

import pytest

from tests.contract.callers import Caller, importer, storefront
from tests.factories.apikeys import publishable_key, secret_key
from tests.factories.staff import UserFactory


@pytest.fixture
def store(db: None) -> Caller:
    """A storefront whose key opens the default sales channel."""
    return storefront(publishable_key())


@pytest.fixture
def admin(db: None) -> Caller:
    """A program that acts for a member of staff who may do everything."""
    return importer(secret_key(UserFactory(is_superuser=True)))
