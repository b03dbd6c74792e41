from collections.abc import Iterator
from typing import Any

import pytest

from carts.models import Cart
from tests.contract.callers import Caller, storefront
from tests.factories import payments as make
from tests.factories.apikeys import publishable_key
from tests.payments.providers import FAKE, FakeProvider, switched_on


@pytest.fixture
def store(db: None) -> Caller:
    """A storefront whose key opens the default sales channel."""
    return storefront(publishable_key())


@pytest.fixture
def fake(db: None, settings: Any) -> Iterator[FakeProvider]:
    """The provider that stands behind FAKE; OTHER is the same one by another id."""
    with switched_on(settings) as made:
        yield made


@pytest.fixture
def cart(fake: FakeProvider) -> Cart:
    """A guest's, over 50 dollars."""
    return make.payable_cart(provider_id=FAKE)
