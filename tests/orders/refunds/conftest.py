from collections.abc import Iterator
from typing import Any

import pytest

from tests.payments.providers import FakeProvider, switched_on


@pytest.fixture
def fake(db: None, settings: Any) -> Iterator[FakeProvider]:
    """The provider of all payments."""
    with switched_on(settings) as made:
        yield made
