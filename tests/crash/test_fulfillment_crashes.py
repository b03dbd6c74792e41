"""A process may be killed at any commit of a fulfillment: it is there with its stock, or nothing is; asked for once."""

import signal
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from giftcards.verification.verification import discrepancies
from kit.values.timestamps import now
from orders.fulfillments import cancellation
from orders.fulfillments.sending import resume_all, send_request
from orders.models import CarrierRequest, Fulfillment, FulfillmentLabel
from tests.crash.interrupted_fulfillments import (
    CALLING_OFF,
    CANCELING,
    COMMITTED,
    PACKING,
    PROVIDERS,
    WORKING,
    canceling_killed_at,
    pack_by_request,
    packing_killed_at,
    packing_request_killed,
    worker_killed_at,
)
from tests.crash.journal_provider import Journal
from tests.factories.apikeys import secret_key
from tests.factories.staff import UserFactory
from tests.orders.fulfillments.carrier import at_work, carried, carried_order
from tests.orders.fulfillments.shop import STAFF, books, pack

pytestmark = pytest.mark.django_db(transaction=True)
Environment = dict[str, str]


@pytest.fixture(autouse=True)
def carrier(transactional_db: None, settings: Any, journal: Journal) -> Iterator[None]:
    """The one that makes tracking numbers, which needs no books: a key has one number."""
    with at_work(settings):
        settings.FULFILLMENT_PROVIDERS = PROVIDERS
        yield


def time_passes() -> None:
    """Until claims of killed processes have lapsed."""
    long_ago = now() - timedelta(hours=1)
    CarrierRequest.objects.filter(done_at=None).update(created_at=long_ago)
    CarrierRequest.objects.filter(done_at=None).exclude(claimed_until=None).update(claimed_until=long_ago)


@pytest.mark.parametrize("point", PACKING)
def test_nothing_is_packed_by_halves(process_environment: Environment, point: str) -> None:
    order = carried_order()
    before = books(order)
    assert packing_killed_at(point, order.pk, process_environment) == -signal.SIGKILL
    assert books(order) == before
    assert not Fulfillment.objects.exists()
    assert not CarrierRequest.objects.exists()
    pack(order, 5)
    assert books(order) == ([(5, 0, 0)], [(5, 0)], "fulfilled")


def test_what_was_packed_before_the_response_is_packed_once(process_environment: Environment) -> None:
    """The caller, who has had no response, sends the same request with the same key."""
    order = carried_order()
    request = (order.pk, "two-units", secret_key(UserFactory(is_superuser=True)).token)
    assert packing_request_killed(*request, process_environment) == -signal.SIGKILL
    packed = Fulfillment.objects.get()
    responses = [pack_by_request(*request) for _ in range(2)]
    assert [response.status_code for response in responses] == [200, 200]
    assert responses[0].content == responses[1].content
    assert (Fulfillment.objects.get(), CarrierRequest.objects.count()) == (packed, 1)
    assert books(order) == ([(2, 0, 0)], [(8, 3)], "partially_fulfilled")


@pytest.mark.parametrize("point", CANCELING)
def test_an_interrupted_cancellation_changes_nothing_or_everything(
    process_environment: Environment, point: str
) -> None:
    order = carried_order()
    made, _ = carried(order, 2)
    before = books(order)
    assert canceling_killed_at(point, made.pk, process_environment) == -signal.SIGKILL
    assert books(order) == before
    made.refresh_from_db()
    assert made.canceled_at is None
    assert list(discrepancies()) == []


@pytest.mark.parametrize("point", WORKING)
def test_a_parcel_is_booked_once(process_environment: Environment, point: str) -> None:
    _, request = carried(carried_order(), 2)
    time_passes()
    assert worker_killed_at(point, process_environment) == -signal.SIGKILL
    time_passes()
    assert resume_all() == ([] if point == COMMITTED else [request.pk])
    request.refresh_from_db()
    assert (request.result, request.attempts) == ("done", 1 + (point != COMMITTED))
    assert FulfillmentLabel.objects.count() == 1


@pytest.mark.parametrize("point", CALLING_OFF)
def test_a_parcel_is_called_off_once(process_environment: Environment, point: str) -> None:
    order = carried_order()
    made, booking = carried(order, 2)
    send_request(booking.pk)
    cancellation.cancel(actor=STAFF, fulfillment_id=made.pk)
    request = CarrierRequest.objects.get(act="cancel")
    time_passes()
    assert worker_killed_at(point, process_environment) == -signal.SIGKILL
    time_passes()
    assert resume_all() == ([] if point == COMMITTED else [request.pk])
    request.refresh_from_db()
    assert (request.result, request.attempts) == ("done", 1 + (point != COMMITTED))
    assert CarrierRequest.objects.count() == 2
    assert books(order) == ([(0, 0, 0)], [(10, 5)], "not_fulfilled")
