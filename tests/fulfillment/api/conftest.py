import pytest

from tests.contract.callers import Caller, storefront
from tests.factories.apikeys import publishable_key


@pytest.fixture
def store(db: None) -> Caller:
    return storefront(publishable_key())
