"""Workers of this version and of the one before the shared lease take turns on the same rows, in either order."""

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import pytest
from django.db import models, transaction

from commerce.operations.management.commands import work
from kit.database.claims import claim_as
from kit.errors import Unavailable
from kit.messages.mails import leases as mails
from kit.messages.mails.models import Mail
from kit.messages.webhooks.delivery import leases as webhooks
from kit.messages.webhooks.models import Delivery
from orders.completion.resuming import resume_due_attempts
from orders.fulfillments import sending
from orders.models import CarrierRequest, CompletionAttempt, Order
from payments.models import Intent
from payments.requests import claims, intents
from payments.states import Act
from tests.crash.old_leases import OldCarriers, OldDeliveries, OldIntents, OldMails, old_due_attempts
from tests.factories import payments as make_payments
from tests.factories import webhooks as make_webhooks
from tests.factories.checkout import ready_cart
from tests.factories.clock import at
from tests.kit.messages.mails.test_worker import queue
from tests.orders.completing import completed
from tests.orders.fulfillments.carrier import at_work, carried, carried_order
from tests.payments.providers import FAKE, switched_on

pytestmark = pytest.mark.django_db(transaction=True)

NAME = "shop:8000"
MOMENT = datetime.fromisoformat("2030-01-01T12:00:00+00:00")
MILLISECOND = timedelta(milliseconds=1)


class NewMails:
    def claim(self, mail_id: str, name: str) -> Mail | None:
        return mails.claim(mail_id)

    def fail(self, mail: Mail) -> None:
        mails.back_off(mail, "no")

    def finish(self, mail: Mail) -> None:
        mails.finish(mail, is_sent=True)


class NewDeliveries:
    def claim(self, delivery_id: str, name: str) -> Delivery | None:
        return webhooks.claim_next(Delivery.objects.get(pk=delivery_id).address)

    def fail(self, delivery: Delivery) -> None:
        webhooks.record_failure(delivery, reason="no", status=500)

    def finish(self, delivery: Delivery) -> None:
        webhooks.record_success(delivery, status=200)


class NewCarriers:
    def claim(self, request_id: str, name: str) -> CarrierRequest | None:
        return sending.REQUESTS.claim(request_id, error="")

    def fail(self, request: CarrierRequest) -> None:
        sending._back_off(request, ConnectionError("no"))

    def finish(self, request: CarrierRequest) -> None:
        sending.REQUESTS.finish(request.pk, "done")


class NewIntents:
    def claim(self, intent_id: str, name: str) -> Intent | None:
        return claims.claim(intent_id, is_waiting=False)

    def fail(self, intent: Intent) -> None:
        claims.back_off(intent, "ConnectionError: no", is_waiting=False)

    def finish(self, intent: Intent) -> None:
        claims.finish(intent.pk, "done")


def mail_id(settings: Any) -> str:
    queue("ann@example.com")
    return str(Mail.objects.get().pk)


def delivery_id(settings: Any) -> str:
    delivery = make_webhooks.delivery(make_webhooks.address().address)
    Delivery.objects.update(expires_at=MOMENT + timedelta(hours=24))
    return str(delivery.pk)


def request_id(settings: Any) -> str:
    with at_work(settings):
        return str(carried(carried_order(), 2)[1].pk)


def intent_id(settings: Any) -> str:
    with switched_on(settings):
        session = make_payments.session(provider_id=FAKE)
    with transaction.atomic():
        return intents.record_intent(session.pk, Act.AUTHORIZE, runs_now=True)


class Table(NamedTuple):
    """What both versions store.

    make: the id of a new row. claimed, failed: its columns once it is claimed at MOMENT, and has failed; moments in
    seconds from there. done: the column that is null before.
    """

    model: type[models.Model]
    make: Callable[[Any], str]
    workers: Mapping[str, Any]
    claimed: Mapping[str, object]
    failed: Mapping[str, object]
    done: str = "done_at"


TABLES = {
    "emails": Table(
        Mail,
        mail_id,
        {"old": OldMails(), "new": NewMails()},
        {"next_try_at": 120, "attempts": 1, "claimed_by": NAME, "error": ""},
        {"next_try_at": 30, "attempts": 1, "claimed_by": "", "error": "no"},
        done="sent_at",
    ),
    "deliveries": Table(
        Delivery,
        delivery_id,
        {"old": OldDeliveries(), "new": NewDeliveries()},
        {"claimed_until": 30, "attempts": 1, "claimed_by": NAME, "status": "pending", "error": ""},
        {"due_at": 5, "claimed_until": None, "attempts": 1, "response_status": 500, "error": "no"},
        done="ended_at",
    ),
    "carriers": Table(
        CarrierRequest,
        request_id,
        {"old": OldCarriers(), "new": NewCarriers()},
        {"claimed_until": 60, "attempts": 1, "claimed_by": NAME, "error": ""},
        {"claimed_until": 120, "attempts": 1, "claimed_by": "", "error": "ConnectionError: no"},
    ),
    "intents": Table(
        Intent,
        intent_id,
        {"old": OldIntents(), "new": NewIntents()},
        {"claimed_at": 0, "claimed_until": 2.5, "attempts": 1, "error": ""},
        {"claimed_at": 0, "claimed_until": 120, "attempts": 1, "error": "ConnectionError: no"},
    ),
}
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
