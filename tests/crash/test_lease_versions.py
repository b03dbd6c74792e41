"""Workers of this version and of the one before the shared lease take turns on the same rows, in either order."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any

import pytest

from commerce.operations.management.commands import work
from kit.database.claims import claim_as
from kit.errors import Unavailable
from kit.messages.mails.models import Mail
from orders.completion.resuming import resume_due_attempts
from orders.models import CompletionAttempt, Order
from payments.models import Intent
from payments.requests import intents
from payments.states import Act
from tests.crash.leased_tables import MOMENT, NAME, TABLES, Table
from tests.crash.old_leases import old_due_attempts
from tests.factories.checkout import ready_cart
from tests.factories.clock import at
from tests.orders.completing import completed
from tests.payments.providers import FAKE, switched_on

pytestmark = pytest.mark.django_db(transaction=True)

MILLISECOND = timedelta(milliseconds=1)
BY_TURNS = pytest.mark.parametrize(("first", "second"), [("old", "new"), ("new", "old"), ("new", "new")])


@pytest.fixture(params=TABLES)
def table(request: pytest.FixtureRequest) -> Iterator[Table]:
    claim_as(NAME)
    yield TABLES[request.param]
    claim_as("")


def columns(table: Table, pk: str, names: Mapping[str, object]) -> dict[str, object]:
    row = table.model._default_manager.filter(pk=pk).values(*names).get()
    return {
        name: (value - MOMENT).total_seconds() if isinstance(value, datetime) else value for name, value in row.items()
    }


def ends(columns: Mapping[str, Any]) -> timedelta:
    return timedelta(seconds=columns.get("due_at") or columns.get("next_try_at") or columns["claimed_until"])


@BY_TURNS
def test_a_claim_lasts_for_the_other_and_its_maker_comes_too_late(
    table: Table, settings: Any, first: str, second: str
) -> None:
    pk, ours, theirs = table.make(settings), table.workers[first], table.workers[second]
    with at(MOMENT):
        late = ours.claim(pk, NAME)
        assert columns(table, pk, table.claimed) == table.claimed
    with at(MOMENT + ends(table.claimed) - MILLISECOND):
        assert theirs.claim(pk, NAME) is None
    with at(MOMENT + ends(table.claimed) + MILLISECOND):
        row = theirs.claim(pk, NAME)
        assert row.attempts == 2
        before = columns(table, pk, table.claimed)
        ours.fail(late)
        assert columns(table, pk, table.claimed) == before
        theirs.finish(row)
        ended = columns(table, pk, {table.done: None, "error": None})
        ours.fail(late)
        ours.finish(late)
    assert ended == {table.done: ends(table.claimed).total_seconds() + 0.001, "error": ""}
    assert columns(table, pk, ended) == ended


@BY_TURNS
def test_what_has_failed_waits_for_the_other(table: Table, settings: Any, first: str, second: str) -> None:
    pk, ours, theirs = table.make(settings), table.workers[first], table.workers[second]
    with at(MOMENT):
        ours.fail(ours.claim(pk, NAME))
        assert columns(table, pk, table.failed) == table.failed
    with at(MOMENT + ends(table.failed) - MILLISECOND):
        assert theirs.claim(pk, NAME) is None
    with at(MOMENT + ends(table.failed) + MILLISECOND):
        assert theirs.claim(pk, NAME).attempts == 2


@BY_TURNS
@pytest.mark.parametrize("table", sorted(TABLES.keys() - {"intents"}), indirect=True)
def test_what_a_killed_process_had_claimed_is_freed_by_the_other(
    table: Table, settings: Any, first: str, second: str
) -> None:
    """Intents do not name who has claimed them: their leases are short."""
    pk, ours, theirs = table.make(settings), table.workers[first], table.workers[second]
    free_claims_of = theirs.free_claims_of if second == "old" else work.free_claims_of
    with at(MOMENT):
        late = ours.claim(pk, NAME)
        free_claims_of("shop:8001")
        assert columns(table, pk, table.claimed) == table.claimed
        free_claims_of(NAME)
    with at(MOMENT + MILLISECOND):
        row = ours.claim(pk, NAME)
        assert row.attempts == late.attempts + 1 == 2
        free_claims_of(NAME)
    if table.model is Mail:  # it may have killed both
        with at(MOMENT + timedelta(seconds=5)):
            assert ours.claim(pk, NAME) is None
    with at(MOMENT + timedelta(seconds=6)):
        assert ours.claim(pk, NAME).attempts == 3


def test_attempts_that_either_version_left_are_found_by_the_other(settings: Any) -> None:
    """Their rows are as they were. Neither looks for one that a request is still asking the provider for."""
    with switched_on(settings) as provider:
        cart = ready_cart(provider_id=FAKE)
        provider.loses_answers(Act.AUTHORIZE)
        with pytest.raises(Unavailable):
            completed(cart)
        attempt = CompletionAttempt.objects.get()
        CompletionAttempt.objects.update(created_at=MOMENT)
        with at(MOMENT + timedelta(seconds=6)):
            assert (old_due_attempts(), resume_due_attempts().attempts) == ([], 0)
            intents.carry_out(Intent.objects.get(done_at=None).pk)
        with at(MOMENT + timedelta(seconds=5)):
            assert (old_due_attempts(), resume_due_attempts().attempts) == ([], 0)
        with at(MOMENT + timedelta(seconds=5) + MILLISECOND):
            assert old_due_attempts() == [attempt.pk]
            assert resume_due_attempts().attempts == 1
            assert old_due_attempts() == []
    assert Order.objects.get().cart_id == cart.pk
