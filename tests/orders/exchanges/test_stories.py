"""The stories of orders that are exchanged and claimed."""

from collections.abc import Iterator
from typing import Any

import pytest

from giftcards.verification.verification import discrepancies
from tests.contract.callers import Caller
from tests.contract.conftest import admin, store
from tests.orders.exchanges.stories import STORIES
from tests.orders.exchanges.telling import ExchangeTeller
from tests.payments.providers import FakeProvider, switched_on

pytestmark = pytest.mark.django_db
__all__ = ["admin", "store"]


@pytest.fixture(autouse=True)
def fake(db: None, settings: Any) -> Iterator[FakeProvider]:
    settings.PUBLIC_URL = "https://api.shop.example"
    with switched_on(settings) as made:
        yield made


def told(name: str, admin: Caller, store: Caller) -> None:
    story = STORIES[name]
    teller = ExchangeTeller(story, admin, store)
    for line in filter(None, map(str.strip, story.steps.splitlines())):
        step, _, expected = line.partition(" -> ")
        words = expected.split()
        facts = [word for word in words if "=" in word]
        led_to = teller.tell(step)
        assert led_to.startswith(" ".join(words[: len(words) - len(facts)])), step
        assert [f"{fact.partition('=')[0]}={teller.fact(fact.partition('=')[0])}" for fact in facts] == facts, step
        assert list(discrepancies()) == [], step


@pytest.mark.parametrize("name", STORIES)
def test_each_step_leads_to_what_the_story_says(name: str, admin: Caller, store: Caller) -> None:
    told(name, admin, store)


@pytest.mark.parametrize("name", ["38", "40", "42", "44"])
def test_the_setting_of_returns_changes_nothing(name: str, admin: Caller, store: Caller, settings: Any) -> None:
    settings.RETURN_COUNTS = "requested"
    told(name, admin, store)
