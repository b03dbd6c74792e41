"""The cases of the paper: which documents each step of an order writes.

After the arrow: the documents that the step has written, `R` for invoices and `G` for credit notes.
"""

from collections.abc import Iterator
from typing import Any

import pytest

from giftcards.verification.verification import discrepancies
from tests.contract.callers import Caller
from tests.contract.conftest import admin, store
from tests.orders.changes.cases import A, B, C
from tests.orders.changes.stories import Story
from tests.orders.exchanges.telling import ExchangeTeller
from tests.orders.invoices.shop import documents, sells
from tests.payments.providers import FakeProvider, switched_on

pytestmark = pytest.mark.django_db
__all__ = ["admin", "store"]

STORIES = {
    "52": Story(
        C,
        """
        capture -> R1 32.00+6.40
        deliver mug 3 ->
        return mug 1 ->
        receive mug 1 -> G1 9.00+1.80
        refund 15.80 -> G2 4.17+0.83
    """,
    ),
    "53": Story(
        A,
        """
        capture -> R1 50.00+10.00
        edit mug 2, tee 0, add 1 lamp at 25.00 -> G1 25.00+5.00, R2 25.00+5.00
    """,
    ),
    "54": Story(
        A,
        """
        capture -> R1 50.00+10.00
        deliver mug 2, tee 1 ->
        exchange tee 1, add 1 blue at 10.00 -> G1 25.00+5.00, R2 10.00+2.00
        refund 18.00 ->
        receive tee 1 ->
    """,
    ),
    "56": Story(
        A,
        """
        capture -> R1 50.00+10.00
        cancel -> G1 50.00+10.00
    """,
    ),
    "56, authorized only": Story(
        A,
        """
        cancel ->
    """,
    ),
    "59": Story(
        A,
        """
        refund 5.00 -> G1 4.17+0.83
    """,
        card="60.00",
    ),
    "an edit before the first capture": Story(
        B,
        """
        edit bag 2 ->
        capture -> R1 49.32+9.37
    """,
    ),
    "a refund ahead of the return": Story(
        C,
        """
        capture -> R1 32.00+6.40
        deliver mug 3 ->
        refund 5.00 -> G1 4.17+0.83
        return mug 1 ->
        receive mug 1 -> G2 9.00+1.80
        refund 10.80 ->
    """,
    ),
    "refunds, then a cancellation": Story(
        A,
        """
        capture -> R1 50.00+10.00
        refund 5.00 -> G1 4.17+0.83
        edit add 1 scarf at 15.00 -> R2 15.00+3.00
        cancel -> G2 60.83+12.17
    """,
    ),
    "a return after an exchange": Story(
        A,
        """
        capture -> R1 50.00+10.00
        deliver mug 2, tee 1 ->
        exchange mug 1, add 1 blue at 10.00, back 3.00 -> G1 10.00+2.00, R2 13.00+2.60
        cancel the return -> G2 3.00+0.60, R3 10.00+2.00
    """,
    ),
}


@pytest.fixture(autouse=True)
def fake(db: None, settings: Any) -> Iterator[FakeProvider]:
    settings.PUBLIC_URL = "https://api.shop.example"
    sells()
    with switched_on(settings) as made:
        yield made


@pytest.mark.parametrize("name", STORIES)
def test_each_step_writes_the_documents_that_the_story_says(name: str, admin: Caller, store: Caller) -> None:
    story = STORIES[name]
    teller = ExchangeTeller(story, admin, store)
    before = documents(teller.order)
    for line in filter(None, map(str.strip, story.steps.splitlines())):
        step, _, expected = line.partition(" ->")
        teller.tell(step)
        after = documents(teller.order)
        assert after.removeprefix(before).removeprefix(", ") == expected.strip(), step
        before = after
    assert list(discrepancies()) == []
