"""The worker of jobs is killed in the middle of work on many orders: nothing is shipped, emailed or captured twice."""

import os
import signal
import time
from collections import Counter

import pytest
from django.contrib.admin.models import LogEntry

from giftcards.verification.verification import discrepancies
from kit.jobs.models import Job
from kit.messages.mails.models import Mail
from kit.messages.outbox.models import Event
from kit.values.ids import new_ulid
from orders.managing.bulk.job import start_shipping
from orders.managing.bulk.parcels import parcels_of, shipment
from orders.models import FulfillmentLabel, Order
from payments.models import Payment
from payments.states import Act
from staff.actors import staff_actor
from tests.crash.interrupted_payments import exit_code
from tests.crash.journal_provider import ASKED, DONE, Journal
from tests.crash.test_jobs import PATIENCE, done, start_worker
from tests.crash.wishes import finish
from tests.factories.staff import UserFactory
from tests.kit.jobs.bulk_worker import let_leases_end, run_bulk_worker
from tests.orders.fulfillments.shop import ordered
from tests.orders.managing.bulk.shop import packed_orders, started, told
from tests.orders.managing.shop import statuses, work

pytestmark = [pytest.mark.every(3), pytest.mark.once, pytest.mark.django_db(transaction=True)]

NUMBER = 60


def shipping_of(orders: list[Order]) -> str:
    """A job that ships the parcels of the orders, each with a tracking number."""
    parcels = [parcel for found in parcels_of([order.pk for order in orders]).values() for parcel in found]
    return start_shipping(
        actor=staff_actor(UserFactory(is_superuser=True)),
        shipments=[shipment(parcel, f"T-{parcel.row.order.display_id}") for parcel in parcels],
        problems=[],
        no_notification=False,
        ticket=new_ulid(),
    )


def test_parcels_are_shipped_once(process_environment: dict[str, str]) -> None:
    orders = packed_orders(NUMBER)
    job = Job.objects.get(pk=shipping_of(orders))
    deadline = time.monotonic() + PATIENCE
    for _ in range(2):
        before = done(job)
        worker = start_worker(process_environment)
        while done(job) == before:
            assert worker.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.01)
        os.kill(worker.pid, signal.SIGKILL)
        worker.wait()
        let_leases_end()
    assert 0 < done(job) < NUMBER
    assert start_worker(process_environment, "--batch").wait(PATIENCE) == 0
    assert told(job) == [(str(order), "done", f"Shipped, T-{order.display_id}.") for order in orders]
    job.refresh_from_db()
    assert (job.status, job.succeeded, job.refused) == ("done", NUMBER, 0)
    assert job.turn >= 3
    work()
    assert Counter(FulfillmentLabel.objects.values_list("fulfillment__order", flat=True)) == {
        order.pk: 1 for order in orders
    }
    assert Mail.objects.filter(kind="order_shipped").count() == NUMBER
    assert Event.objects.filter(name="shipment.created").count() == NUMBER
    assert LogEntry.objects.filter(change_message__startswith="Shipped").count() == NUMBER
    assert list(discrepancies()) == []


@pytest.mark.parametrize("point", [ASKED, DONE])
def test_money_is_captured_once(process_environment: dict[str, str], journal: Journal, point: str) -> None:
    orders = [ordered() for _ in range(3)]
    job = started("capture", *orders)
    journal.set_trap(point)
    assert exit_code(run_bulk_worker, process_environment) == -signal.SIGKILL
    time.sleep(1)  # until the claim of the killed process ends
    let_leases_end()
    run_bulk_worker()
    finish()
    assert told(job) == [(str(order), "done", f"Captured ${order.total:.2f}.") for order in orders]
    for order in orders:
        session_id = Payment.objects.get(collection__order_id=order.pk).session_id
        assert [each for each in journal.done(session_id) if each[0] == Act.CAPTURE] == [(Act.CAPTURE, order.total)]
        assert statuses(order)[1] == "captured"
        assert LogEntry.objects.filter(object_id=order.pk).count() == 1
    assert list(discrepancies()) == []
