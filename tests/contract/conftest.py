"""Who calls."""

from pathlib import Path

import pytest
from pytest_django import Settings

from auth.account_types import actors
from auth.tokens.tokens import issue
from kit.rest.viewsets import CustomerEndpoint
from tests.contract.callers import Caller, importer, storefront
from tests.contract.routes import shopper
from tests.factories.apikeys import publishable_key, secret_key
from tests.factories.customers import token_of
from tests.factories.staff import UserFactory
from tests.payments.providers import FAKE


@pytest.fixture(autouse=True)
def asking_provider(settings: Settings) -> None:
    """A payment provider that calls a service, which links need."""
    settings.PAYMENT_PROVIDERS = {**settings.PAYMENT_PROVIDERS, FAKE: "tests.payments.providers.FakeProvider"}


@pytest.fixture(autouse=True)
def folders(settings: Settings, tmp_path: Path) -> None:
    """Where PDFs of invoices are kept, and spreadsheets."""
    settings.INVOICE_DIR, settings.EXPORT_DIR = str(tmp_path / "invoices"), str(tmp_path / "exports")


@pytest.fixture
def store(db: None) -> Caller:
    """A storefront whose key opens the default sales channel."""
    return storefront(publishable_key())


@pytest.fixture
def admin(db: None) -> Caller:
    """A program that acts for a member of staff who may do everything."""
    return importer(secret_key(UserFactory(is_superuser=True)))


@pytest.fixture
def signed_in(db: None) -> Caller:
    """A storefront where a customer has signed in, the one that the routes' examples are about."""
    return Caller(x_publishable_api_key=publishable_key().token, Authorization=f"Bearer {token_of(shopper())}")


@pytest.fixture
def entitled(request: pytest.FixtureRequest, db: None) -> Caller:
    """Somebody to whom the test's route opens: a customer where it asks for one.

    Else a storefront where a member of staff who may do everything has signed in: no other route asks for more.
    """
    if issubclass(request.node.callspec.params["route"].endpoint, CustomerEndpoint):
        caller: Caller = request.getfixturevalue("signed_in")
        return caller
    user = UserFactory(is_superuser=True)
    account = actors.resolve("user", user.pk, user.stamp)
    assert account is not None
    return Caller(x_publishable_api_key=publishable_key().token, Authorization=f"Bearer {issue(account)}")
