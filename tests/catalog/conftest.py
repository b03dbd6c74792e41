from collections.abc import Iterator

import pytest

from tests.catalog.trees import faults


@pytest.fixture
def whole_tree(db: None) -> Iterator[None]:
    """Whatever a test does, the tree is whole after it."""
    yield
    assert faults() == []
