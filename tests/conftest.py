"""What every test stands on. Passwords are hashed by the production hasher: tests that need many share one."""

from collections.abc import Iterator

import hypothesis
import pytest
from django.core.cache import cache

# A shared machine's pauses are no defect, hence no deadline.
hypothesis.settings.register_profile("tests", max_examples=100, deadline=None)
hypothesis.settings.load_profile("tests")


@pytest.fixture(autouse=True)
def empty_cache() -> Iterator[None]:
    """What one test caches, no other sees."""
    yield
    cache.clear()
