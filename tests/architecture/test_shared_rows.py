"""Rows that a module makes once: every test finds them, as they were made, and nothing of another test."""

import pytest

from shop.models import Region
from tests.conftest import MakeOnce
from tests.factories.shop import RegionFactory

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", autouse=True)
def shared(make_once: MakeOnce) -> None:
    make_once(lambda: RegionFactory(name="Shared"))


@pytest.mark.parametrize("turn", range(2))
def test_what_a_test_adds_and_changes_the_next_does_not_see(turn: int) -> None:
    assert [region.name for region in Region.objects.all()] == ["Shared"]
    Region.objects.update(name="Changed")
    RegionFactory(name="Added")
