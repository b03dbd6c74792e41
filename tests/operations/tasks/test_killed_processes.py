"""What a killed background process had in hand goes on when it is started again; what has failed keeps its back-off."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from threading import Event

import pytest
from django_tasks_db.models import DBTaskResult, get_date_max
from pytest_django import Settings

from commerce.operations.management.commands.work import free_claims_of
from commerce.operations.tasks.queue_worker import QueueWorker
from commerce.operations.tasks.task_recovery import MOST_RUNS, take_up_lost_tasks
from kit.database import claims
from kit.jobs.creation import create
from kit.jobs.models import Job
from kit.jobs.queues import URGENT
from kit.messages.mails import leases as mail_leases
from kit.messages.mails.models import Mail
from kit.messages.webhooks.delivery import leases as webhook_leases
from kit.messages.webhooks.delivery.fan_out import fan_out
from kit.messages.webhooks.models import Delivery
from kit.values.timestamps import now
from orders.completion.resuming import complete_paid_cart
from orders.fulfillments import cancellation, sending
from orders.models import CarrierRequest
from tests.bench.hanging_task import hang
from tests.crash.test_jobs import a_deletion_of_tags
from tests.factories import webhooks as make
from tests.kit.messages.mails.smtp_server import mail_server
from tests.kit.messages.mails.test_worker import queue
from tests.operations.server.test_serve import alive, descendants
from tests.orders.fulfillments.carrier import Carrier, at_work, carried, carried_order
from tests.orders.fulfillments.shop import STAFF
from tests.packages import ROOT
from tests.waiting import until

pytestmark = pytest.mark.django_db(transaction=True)
NAME, OTHER = "shop:8000", "shop:8001"
PATIENCE = 90.0


@pytest.fixture(autouse=True)
def _as_a_process_of_that_name() -> Iterator[None]:
    claims.claim_as(NAME)
    yield
    claims.claim_as("")


@contextmanager
def background_process(environment: dict[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    """It is killed at the end, with its process of jobs."""
    process = subprocess.Popen([sys.executable, "manage.py", "work", "--name", NAME], cwd=ROOT, env=environment)
    try:
        yield process
    finally:
        for pid in (process.pid, *descendants(process.pid)):
            if alive(pid):
                os.kill(pid, signal.SIGKILL)
        process.wait()


def test_an_email_goes_on_before_its_lease_ends(process_environment: dict[str, str]) -> None:
    queue("ann@example.com")
    a_deletion_of_tags()
    with mail_server() as server:
        environment = {**process_environment, "EMAIL_URL": f"smtp://127.0.0.1:{server.port}"}
        with background_process(environment):
            is_killed = Event()
            server.on_message = lambda _: [is_killed.wait(PATIENCE)]
            server.wait_for(1, seconds=PATIENCE)
        is_killed.set()
        mail_lease = Mail.objects.get().next_try_at
        with background_process(environment):
            until(lambda: Mail.objects.get().status == "sent", seconds=PATIENCE)
            until(lambda: Job.objects.get().status == "done", seconds=PATIENCE)
        first, second = server.accepted
    assert first["Message-ID"] == second["Message-ID"]
    assert Mail.objects.get().sent_at < mail_lease


class TestEmails:
    def claimed(self) -> Mail:
        queue("ann@example.com")
        mail = mail_leases.claim(Mail.objects.get().pk)
        assert mail is not None
        return mail

    def test_one_in_hand_is_due_at_once(self) -> None:
        mail = self.claimed()
        free_claims_of(OTHER)
        assert mail_leases.due_ids(1) == []
        free_claims_of(NAME)
        assert mail_leases.due_ids(1) == [mail.pk]
        mail_leases.finish(mail, is_sent=True)  # one that was not dead after all records nothing
        assert Mail.objects.get().status == "waiting"

    def test_one_that_a_process_was_killed_with_before_lets_others_go_first(self) -> None:
        self.claimed()
        free_claims_of(NAME)
        assert mail_leases.claim(Mail.objects.get().pk)
        begun = now()
        free_claims_of(NAME)
        assert begun < Mail.objects.get().next_try_at <= now() + timedelta(seconds=5)

    @pytest.mark.parametrize("ending", ["back_off", "postpone", "finish"])
    def test_one_that_has_failed_waits_has_to_wait_or_is_over_stays_so(self, ending: str) -> None:
        mail = self.claimed()
        match ending:
            case "back_off":
                mail_leases.back_off(mail, "No route")
            case "postpone":
                mail_leases.postpone(mail, now() + timedelta(hours=1), recipient="a…", recipient_digest="x")
            case "finish":
                mail_leases.finish(mail, is_sent=True)
        next_try_at = Mail.objects.get().next_try_at
        free_claims_of(NAME)
        assert Mail.objects.get().next_try_at == next_try_at


class TestDeliveries:
    def claimed(self) -> Delivery:
        address = make.address().address
        make.event("order_1")
        fan_out()
        delivery = webhook_leases.claim_next(address)
        assert delivery is not None
        return delivery

    def test_one_in_hand_is_tried_at_once(self) -> None:
        delivery = self.claimed()
        free_claims_of(OTHER)
        assert not webhook_leases.due_rows().exists()
        free_claims_of(NAME)
        assert webhook_leases.due_rows().get() == delivery

    def test_one_that_has_failed_waits(self) -> None:
        webhook_leases.record_failure(self.claimed(), reason="Answered with status 500", status=500)
        free_claims_of(NAME)
        assert not webhook_leases.due_rows().exists()


class TestCarriers:
    @pytest.fixture
    def carrier(self, settings: Settings) -> Iterator[Carrier]:
        with at_work(settings) as made:
            yield made

    def test_a_request_in_hand_is_sent_at_once_and_what_waits_for_it(self, carrier: Carrier) -> None:
        made, request = carried(carried_order(), 2)
        assert sending.REQUESTS.claim(request.pk)
        cancellation.cancel(actor=STAFF, fulfillment_id=made.pk)
        canceling = CarrierRequest.objects.get(act="cancel")
        sending.send_request(canceling.pk)
        assert carrier.asked == []
        free_claims_of(NAME)
        sending.send_request(canceling.pk)
        assert carrier.asked == [f"cancel {canceling.pk}"]

    def test_one_that_the_carrier_did_not_answer_waits(self, carrier: Carrier) -> None:
        _, request = carried(carried_order(), 2)
        carrier.loses_answers()
        sending.send_request(request.pk)
        free_claims_of(NAME)
        sending.send_request(request.pk)
        assert carrier.asked == [f"create {request.pk}"]


class TestTasks:
    def lose(self, *, runs: int = 1) -> DBTaskResult:
        """What a worker leaves that is killed with a task, as often as that."""
        task = DBTaskResult.objects.ready().first()
        assert task is not None
        for _ in range(runs):
            task.claim(f"{NAME} any")
        return task

    def waits(self) -> list[float]:
        """Of the tasks for the ends of leases, in seconds."""
        waiting = DBTaskResult.objects.filter(status="READY").exclude(run_after=get_date_max())
        return sorted((each.run_after - now()).total_seconds() for each in waiting)

    def test_one_of_the_shop_is_run_again(self) -> None:
        complete_paid_cart.enqueue(cart_id="cart_none")
        self.lose()
        take_up_lost_tasks(f"{NAME} any")
        QueueWorker([URGENT], Event(), worker_id="next", idle_seconds=0.3).run()
        task = DBTaskResult.objects.get()
        assert (task.status, task.worker_ids) == ("SUCCESSFUL", [f"{NAME} any", "next"])

    def test_one_that_kills_every_process_is_given_up(self) -> None:
        complete_paid_cart.enqueue(cart_id="cart_none")
        self.lose(runs=MOST_RUNS)
        take_up_lost_tasks(f"{NAME} any")
        assert DBTaskResult.objects.get().status == "FAILED"

    def test_one_of_other_code_is_not_run_again(self) -> None:
        hang.enqueue(seconds=0)
        self.lose()
        take_up_lost_tasks(f"{NAME} any")
        assert DBTaskResult.objects.get().status == "FAILED"

    def test_a_job_goes_on_in_seconds_and_another_waits_for_its_lease(self) -> None:
        job = a_deletion_of_tags()
        self.lose()
        create(kind="bulk_action", title="", actor_id=job.actor_id, keys=["none"], parameters={})
        assert [wait > 2 for wait in self.waits()] == [True, True]
        take_up_lost_tasks(f"{NAME} any")
        assert [wait > 2 for wait in self.waits()] == [False, True]
