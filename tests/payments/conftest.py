from collections.abc import Iterator
from typing import Any

import pytest

from commerce.shop.models import PaymentProvider
from payments.providers import known
from tests.contract.callers import Caller, storefront
from tests.factories.apikeys import publishable_key
from tests.payments.providers import DOUBLE, OTHER, Double


@pytest.fixture
def store(db: None) -> Caller:
    """A storefront whose key opens the default sales channel."""
    return storefront(publishable_key())


@pytest.fixture
def double(db: None, settings: Any) -> Iterator[Double]:
    """The provider that stands behind DOUBLE; OTHER is the same one by another id."""
    name = f"{Double.__module__}.{Double.__qualname__}"
    settings.PAYMENT_PROVIDERS = {**settings.PAYMENT_PROVIDERS, DOUBLE: name, OTHER: name}
    for provider_id in (DOUBLE, OTHER):
        PaymentProvider.objects.create(id=provider_id)
    known._made.cache_clear()
    made = known.provider(DOUBLE)
    assert isinstance(made, Double)
    yield made
    known._made.cache_clear()
