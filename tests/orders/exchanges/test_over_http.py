"""The stories of exchanges and claims, over HTTP."""

import pytest

from tests.contract.callers import Caller
from tests.contract.conftest import admin, store
from tests.orders.exchanges.over_http import HttpTeller
from tests.orders.exchanges.stories import STORIES
from tests.orders.exchanges.test_stories import fake, told

pytestmark = [pytest.mark.every(4), pytest.mark.django_db]
__all__ = ["admin", "fake", "store"]


@pytest.mark.parametrize("name", STORIES)
def test_each_step_leads_to_what_the_story_says(name: str, admin: Caller, store: Caller) -> None:
    told(name, admin, store, HttpTeller)
