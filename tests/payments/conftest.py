from collections.abc import Iterator
from typing import Any

import pytest

from tests.contract.callers import Caller, storefront
from tests.factories.apikeys import publishable_key
from tests.payments.providers import Double, switched_on


@pytest.fixture
def store(db: None) -> Caller:
    """A storefront whose key opens the default sales channel."""
    return storefront(publishable_key())


@pytest.fixture
def double(db: None, settings: Any) -> Iterator[Double]:
    """The provider that stands behind DOUBLE; OTHER is the same one by another id."""
    with switched_on(settings) as made:
        yield made
