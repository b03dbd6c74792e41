"""Who calls."""

import pytest

from commerce.auth import actors
from commerce.auth.tokens import issue
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


@pytest.fixture
def entitled(db: None) -> Caller:
    """A storefront where a member of staff who may do everything has signed in: no route asks for more."""
    user = UserFactory(is_superuser=True)
    account = actors.resolve("user", user.pk, user.stamp)
    assert account is not None
    return Caller(x_publishable_api_key=publishable_key().token, Authorization=f"Bearer {issue(account)}")
