"""Tasks that ended without a result are marked as failed, and can be retried; those of other versions are run."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from threading import Event

import pytest
from django.core.management import call_command
from django_tasks import task_backends
from django_tasks_db.management.commands.db_worker import Worker
from django_tasks_db.models import DBTaskResult

from commerce.operations.tasks.queue_worker import QueueWorker
from commerce.operations.tasks.task_recovery import FORGOTTEN_AFTER
from commerce.operations.tasks.task_retries import TaskHasNotFailed, retry_task
from kit.domain.actor import SYSTEM
from kit.jobs.queues import DEFAULT, JOB_QUEUES, LONG, URGENT
from kit.jobs.turns import take_turn
from kit.values.timestamps import now
from orders.completion import resuming
from orders.completion.resuming import complete_paid_cart
from tests.bench.hanging_task import hang
from tests.concurrency.crowd import at_once
from tests.factories.clock import at
from tests.kit.admin.visits import superuser
from tests.operations.server.test_serve import alive, descendants
from tests.packages import ROOT
from tests.waiting import until

pytestmark = pytest.mark.django_db(transaction=True)
PATIENCE = 300.0
LIST = "/admin/django_tasks_database/dbtaskresult/"


def work_off(*queues: str) -> None:
    """What the thread of the queues does with all that is due."""
    worker = QueueWorker(queues, Event(), worker_id="test", idle_seconds=0.3)
    worker.interval = 0.1
    worker.run()


def statuses() -> list[str]:
    return list(DBTaskResult.objects.order_by("enqueued_at").values_list("status", flat=True))


@pytest.fixture
def failed(monkeypatch: pytest.MonkeyPatch) -> DBTaskResult:
    """A task that has failed, whose cause is gone."""

    def fail(cart_id: str) -> None:
        raise OSError("no route")

    with monkeypatch.context() as patch:
        patch.setattr(resuming, "_complete", fail)
        complete_paid_cart.enqueue(cart_id="cart_none")
        work_off(URGENT)
    task = DBTaskResult.objects.get()
    assert (task.status, task.exception_class_path) == ("FAILED", "builtins.OSError")
    return task


def test_a_worker_runs_a_task_that_is_retried(failed: DBTaskResult) -> None:
    assert superuser().post(f"{LIST}{failed.pk}/retry/", {"post": "yes"}).status_code == 302
    work_off(URGENT)
    failed.refresh_from_db()
    assert (failed.status, failed.traceback, failed.worker_ids) == ("SUCCESSFUL", "", ["test", "test"])


@pytest.mark.postgresql  # SQLite has one writer at a time
def test_of_two_retries_at_once_one_is_refused_and_the_task_runs_once(failed: DBTaskResult) -> None:
    def retry(_: int) -> str:
        try:
            retry_task(actor=SYSTEM, task_id=failed.pk)
        except TaskHasNotFailed:
            return "refused"
        return "retried"

    assert sorted(at_once(retry, threads=2)) == ["refused", "retried"]
    work_off(URGENT)
    failed.refresh_from_db()
    assert (failed.status, len(failed.worker_ids)) == ("SUCCESSFUL", 2)


@contextmanager
def background_process(environment: dict[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "manage.py", "work", "--name", "shop:8000"]
    process = subprocess.Popen(command, cwd=ROOT, env=environment)
    try:
        yield process
    finally:
        for pid in (process.pid, *descendants(process.pid)):
            if alive(pid):
                os.kill(pid, signal.SIGKILL)
        process.wait()


def test_a_task_whose_process_was_killed_is_listed_as_failed_by_the_next_one(
    process_environment: dict[str, str],
) -> None:
    hang.enqueue(seconds=600)
    with background_process(process_environment):
        until(lambda: statuses() == ["RUNNING"], seconds=PATIENCE)
    assert statuses() == ["RUNNING"]
    with background_process(process_environment):
        until(lambda: statuses() == ["FAILED"], seconds=PATIENCE)
    task, staff = DBTaskResult.objects.get(), superuser()
    assert task.exception_class_path == "commerce.operations.tasks.task_recovery.TaskLost"
    assert "The process that ran this task ended before the task did" in task.traceback
    assert f"{task.pk}/change/" in staff.get(f"{LIST}?status__exact=FAILED").content.decode()
    assert f"{task.pk}/retry/" in staff.get(f"{LIST}{task.pk}/change/").content.decode()


def test_a_worker_leaves_the_running_tasks_of_others_alone() -> None:
    complete_paid_cart.enqueue(cart_id="cart_none")
    DBTaskResult.objects.get().claim("another")
    work_off(URGENT)
    assert statuses() == ["RUNNING"]


def test_a_task_that_has_been_running_for_a_day_is_listed_as_failed(capsys: pytest.CaptureFixture[str]) -> None:
    complete_paid_cart.enqueue(cart_id="cart_none")
    DBTaskResult.objects.get().claim("another")
    call_command("resume_tasks")
    with at(now() + FORGOTTEN_AFTER + timedelta(seconds=1)):
        call_command("resume_tasks")
    assert capsys.readouterr().out.splitlines() == [
        "0 requeued, 0 marked as failed",
        "0 requeued, 1 marked as failed",
    ]
    assert statuses() == ["FAILED"]


def test_what_an_older_version_does_not_know_is_queued_again(monkeypatch: pytest.MonkeyPatch) -> None:
    take_turn.enqueue(job_id="none", turn=0)
    complete_paid_cart.enqueue(cart_id="cart_none")
    with monkeypatch.context() as patch:
        patch.setattr(task_backends["default"], "queues", {"default", "bulk", "carriers"})
        for _ in range(2):
            with pytest.raises(Exception, match="is not valid for backend"):
                older_worker().run()
    assert statuses() == ["FAILED", "FAILED"]
    call_command("resume_tasks", verbosity=0)
    assert statuses() == ["READY", "READY"]
    work_off(URGENT, LONG)
    assert statuses() == ["SUCCESSFUL", "SUCCESSFUL"]


def older_worker() -> Worker:
    """As 0.2 ran it for payments, with all queues but two."""
    return Worker(
        queue_names=["*"],
        interval=0,
        batch=True,
        backend_name="default",
        startup_delay=False,
        max_tasks=1,
        worker_id="older",
        excluded_queue_names=["bulk", "carriers"],
    )


def test_what_an_older_version_has_queued_is_run() -> None:
    take_turn.using(queue_name="bulk").enqueue(job_id="none", turn=0)
    complete_paid_cart.using(queue_name="default").enqueue(cart_id="cart_none")
    work_off(*JOB_QUEUES)
    work_off(DEFAULT)
    assert statuses() == ["SUCCESSFUL", "SUCCESSFUL"]
