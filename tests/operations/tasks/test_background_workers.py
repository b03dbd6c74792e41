"""Payments and emails wait neither for jobs nor for each other: each queue and each table has a thread of its own."""

import os
import signal
import subprocess
import sys
import time
from threading import Event

import pytest
from django.conf import settings
from django.core.management import CommandError
from django_tasks_db.models import DBTaskResult

from catalog.models import ProductTag
from commerce.operations.tasks import scheduled_commands, work_threads
from commerce.operations.tasks.background_workers import THREADS, background_work
from commerce.operations.tasks.queue_worker import QueueWorker
from commerce.operations.tasks.work_threads import keep_working
from customers.password_mail import send_password_mail
from kit.domain.actor import SYSTEM
from kit.jobs.creation import create
from kit.jobs.models import Job
from kit.jobs.queues import JOB_QUEUES, LONG
from kit.jobs.turns import take_turn
from kit.messages.mails import leases
from kit.messages.mails.models import Mail
from kit.messages.mails.queueing import queue_mail
from orders.completion.resuming import complete_paid_cart
from orders.fulfillments.requests import send
from payments.requests.intents import resume
from pictures.processing import convert
from tests.crash.test_jobs import a_deletion_of_tags
from tests.factories.customers import CustomerFactory
from tests.factories.staff import UserFactory
from tests.operations.server.test_serve import alive, descendants, name_of
from tests.packages import ROOT

PATIENCE = 300.0


@pytest.mark.once
def test_each_queue_has_threads_of_its_own_beside_those_of_mails_and_webhooks() -> None:
    assert set(settings.TASKS["default"]["QUEUES"]) == {*THREADS, *JOB_QUEUES}
    assert [task.queue_name for task in (resume, complete_paid_cart, send, take_turn, convert)] == [
        *("urgent", "urgent", "carriers", "long", "long")
    ]
    urgent = {"urgent 1", "urgent 2", "urgent 3", "urgent 4"}
    others = {"poller", "slow 1", "default 1", "carriers 1", "long", "mails", "webhooks"}
    assert set(background_work("any")) == urgent | others


@pytest.mark.django_db
def test_mails_have_no_tasks() -> None:
    send_password_mail(actor=SYSTEM, customer_id=CustomerFactory().pk)
    assert not DBTaskResult.objects.exists()


@pytest.mark.django_db
def test_mails_of_orders_go_before_those_that_a_job_has_queued() -> None:
    send_password_mail(actor=SYSTEM, customer_id=CustomerFactory().pk)
    queue_mail("order_placed", about="order_any")
    first, second = leases.due_ids(2)
    assert [Mail.objects.get(pk=pk).kind for pk in (first, second)] == ["order_placed", "password_reset"]


@pytest.mark.django_db
def test_every_turn_of_a_job_is_queued_for_the_process_of_jobs() -> None:
    create(kind="", title="", actor_id=UserFactory().pk, keys=["row"], parameters={})
    assert set(DBTaskResult.objects.values_list("queue_name", flat=True)) == {LONG}


@pytest.mark.django_db(transaction=True)
def test_a_worker_runs_its_queue_alone_and_ends_after_a_while_without_tasks(settings) -> None:
    for _ in range(3):
        resume.enqueue(intent_id="none")
    take_turn.enqueue(job_id="none", turn=0)
    worker = QueueWorker([resume.queue_name], Event(), worker_id="test", idle_seconds=0.5)
    worker.interval = 0.1
    worker.run()
    others = DBTaskResult.objects.exclude(queue_name=resume.queue_name)
    assert list(others.values_list("status", flat=True)) == ["READY"]
    assert not DBTaskResult.objects.filter(queue_name=resume.queue_name, status="READY").exists()


@pytest.mark.django_db(transaction=True)
def test_a_stopped_worker_finishes_its_task_and_begins_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(3):
        complete_paid_cart.enqueue(cart_id="cart_none")
    stopped = Event()
    monkeypatch.setattr("orders.completion.resuming._complete", lambda cart_id: stopped.set())
    QueueWorker([complete_paid_cart.queue_name], stopped, worker_id="test").run()
    assert sorted(DBTaskResult.objects.values_list("status", flat=True)) == ["READY", "READY", "SUCCESSFUL"]


@pytest.mark.once
@pytest.mark.django_db
def test_work_that_fails_begins_again_after_growing_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work_threads, "FIRST_PAUSE", 0.01)
    monkeypatch.setattr(work_threads, "LONGEST_PAUSE", 0.04)
    pauses: list[float] = []

    class Stopped(Event):
        def wait(self, timeout: float | None = None) -> bool:
            pauses.append(timeout or 0)
            return len(pauses) == 4 and (self.set() or True)

    def fail(stopped: Event) -> None:
        raise OSError("no route")

    keep_working("failing", fail, Stopped())
    assert pauses == [0.01, 0.02, 0.04, 0.04]


@pytest.mark.once
@pytest.mark.django_db
@pytest.mark.parametrize("failure", [CommandError("Some rows are locked"), OSError("no route")])
def test_a_chore_that_fails_is_repeated_when_it_is_due(
    failure: Exception, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stopped, run = Event(), []

    def call(name: str, **options: object) -> None:
        run.append(name)
        if len(run) == 3:
            stopped.set()
            return
        raise failure

    monkeypatch.setattr(scheduled_commands, "call_command", call)
    scheduled_commands.repeat("prune", 0.01, stopped)
    assert run == ["prune"] * 3


@pytest.mark.django_db(transaction=True)
def test_the_background_process_runs_tasks_itself_and_jobs_in_a_process_that_ends_with_it(
    process_environment: dict[str, str],
) -> None:
    job = a_deletion_of_tags()
    resume.enqueue(intent_id="none")
    process = subprocess.Popen([sys.executable, "manage.py", "work"], cwd=ROOT, env=process_environment)
    try:
        until(lambda: Job.objects.get(pk=job.pk).is_over, process)
        until(lambda: not DBTaskResult.objects.ready().exists(), process)
        assert not ProductTag.objects.not_deleted().exists()
        assert name_of(process.pid) == "background work"
        (jobs,) = descendants(process.pid)
        assert name_of(jobs) == "jobs"
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 0
        assert not alive(jobs)
    finally:
        for pid in (process.pid, *descendants(process.pid)):
            if alive(pid):
                os.kill(pid, signal.SIGKILL)
        process.wait()


def until(is_so, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not is_so():
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.1)


@pytest.mark.once
def test_the_supervisor_loads_neither_django_nor_the_shop() -> None:
    shown = "import commerce.operations.server.serving, sys; print([name for name in sys.modules if 'django' in name])"
    command = [sys.executable, "-c", shown]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=PATIENCE)
    assert ran.stdout == "[]\n"
