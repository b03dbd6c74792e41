"""Background tasks in Redis: nothing is queued before the commit, and what Redis loses is found again."""

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from threading import Event

import pytest
from django.core.management import call_command
from django.db import transaction
from django_tasks import default_task_backend, task
from django_tasks_db.models import DBTaskResult
from pytest_django import Settings

from commerce.operations.monitoring.metrics_server import ShopCollector
from commerce.operations.monitoring.queue_ages import oldest_waiting
from commerce.operations.tasks.queue_worker import QueueWorker
from commerce.operations.tasks.redis_tasks import lists, worker
from commerce.operations.tasks.redis_tasks.worker import run_redis_tasks
from commerce.operations.tasks.task_retries import retry_task
from kit.database import redis_client
from kit.domain.actor import SYSTEM
from kit.jobs.models import Job
from kit.jobs.queues import DEFAULT, LONG, QUEUES, URGENT
from kit.messages.outbox.models import Event as OutboxEvent
from kit.values.timestamps import now
from orders.completion.resuming import complete_later
from orders.models import Order
from payments.models import Capture
from payments.requests.intents import record_intent
from payments.sessions.authorization import authorize
from payments.states import Act
from tests.bench.hanging_task import hang
from tests.crash.test_jobs import a_deletion_of_tags
from tests.factories import payments as make
from tests.factories.checkout import checked_out_cart, pay
from tests.operations.redis_server import PATIENCE, RedisServer, redis_server
from tests.packages import ROOT

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.servers("redis-server")]
BACKEND = "commerce.operations.tasks.redis_tasks.backend.RedisBackend"
ran: list[int] = []


@task()
def note(number: int) -> int:
    ran.append(number)
    return number


@task()
def fail() -> None:
    raise OSError("no route")


class WhileWaiting(Event):
    """Set once the queue in Redis is empty."""

    def __init__(self, queue: str) -> None:
        super().__init__()
        self.queue = queue

    def is_set(self) -> bool:
        return in_redis(self.queue) == 0


def in_redis(queue: str = DEFAULT) -> int:
    return int(worker.redis().llen(lists.key(queue)))


def work_off(queue: str = DEFAULT) -> None:
    run_redis_tasks(queue, f"test redis {queue}", WhileWaiting(queue))


@pytest.fixture
def redis(settings: Settings) -> Iterator[RedisServer]:
    ran.clear()
    with redis_server() as server:
        settings.REDIS_URL = server.url
        settings.TASKS_IN_REDIS = True
        settings.TASKS = {"default": {"BACKEND": BACKEND, "QUEUES": QUEUES}}
        for connections in (worker.redis, redis_client.circuit_breaker):
            connections.cache_clear()
        yield server
    for connections in (worker.redis, redis_client.circuit_breaker):
        connections.cache_clear()


def test_a_task_is_queued_when_its_transaction_commits_and_never_if_it_does_not(redis: RedisServer) -> None:
    with transaction.atomic():
        note.enqueue(1)
        assert in_redis() == 0
    assert in_redis() == 1
    with transaction.atomic():
        note.enqueue(2)
        transaction.set_rollback(True)
    assert in_redis() == 1
    assert not DBTaskResult.objects.exists()


def test_its_result_is_in_the_table_and_redis_forgets_it(redis: RedisServer) -> None:
    queued = note.enqueue(number=7)
    assert queued.status == "READY"
    work_off()
    assert ran == [7]
    ended = default_task_backend.get_result(queued.id)
    assert (ended.status, ended.return_value, ended.worker_ids) == ("SUCCESSFUL", 7, ["test redis default"])
    assert worker.redis().keys("*") == []


def test_a_failed_task_is_listed_with_its_traceback_and_can_be_retried(redis: RedisServer) -> None:
    fail.enqueue()
    work_off()
    row = DBTaskResult.objects.get()
    assert (row.status, row.exception_class_path, row.queue_name) == ("FAILED", "builtins.OSError", "default")
    assert "no route" in row.traceback
    assert worker.redis().keys("*") == []
    retry_task(actor=SYSTEM, task_id=row.pk)
    QueueWorker([DEFAULT], Event(), worker_id="test", idle_seconds=0.5).run()
    row.refresh_from_db()
    assert (row.status, row.worker_ids) == ("FAILED", ["test redis default", "test"])


def test_a_task_that_waits_is_counted_and_its_age_is_known(redis: RedisServer) -> None:
    note.enqueue(1)
    note.enqueue(2)
    time.sleep(1.1)
    assert oldest_waiting()[DEFAULT] > 1
    assert oldest_waiting()[URGENT] == 0
    samples = [sample for metric in ShopCollector().collect() for sample in metric.samples]
    counts = {
        (each.labels["queue"], each.labels["status"]): each.value for each in samples if each.name == "commerce_tasks"
    }
    assert counts == {("default", "ready"): 2}


def test_jobs_and_delayed_tasks_wait_in_the_table(redis: RedisServer) -> None:
    a_deletion_of_tags()
    note.using(run_after=now() + timedelta(hours=1)).enqueue(1)
    assert sorted(DBTaskResult.objects.values_list("queue_name", flat=True)) == ["default", "long", "long"]
    assert in_redis() == 0


def test_while_redis_does_not_answer_tasks_wait_in_the_table(redis: RedisServer) -> None:
    redis.kill()
    note.enqueue(3)
    assert oldest_waiting()[DEFAULT] < 60
    QueueWorker([DEFAULT], Event(), worker_id="test", idle_seconds=0.5).run()
    assert ran == [3]


def test_what_a_killed_redis_loses_is_found_by_intents_and_paid_carts(redis: RedisServer, settings: Settings) -> None:
    """Emails and events have tables of their own, and jobs stay in the table of tasks."""
    payment = make.authorized_payment(50)
    record_intent(payment.session_id, Act.CAPTURE, runs_now=False, amount=payment.amount)
    cart = checked_out_cart()
    authorize(actor=SYSTEM, session_id=pay(cart).pk)
    complete_later(cart.pk)
    job = a_deletion_of_tags()
    assert in_redis(URGENT) == 2
    redis.kill()
    redis.start()
    assert in_redis(URGENT) == 0
    settings.PAYMENT_PATIENCE = timedelta(0)
    call_command("resume_payments", verbosity=0)
    call_command("resume_completions", verbosity=0)
    assert Capture.objects.get().payment == payment
    assert Order.objects.get().cart_id == cart.pk
    assert list(OutboxEvent.objects.order_by("name").values_list("name", flat=True)) == [
        "order.placed",
        "payment.captured",
    ]
    QueueWorker([LONG], Event(), worker_id="test", idle_seconds=0.5).run()
    assert Job.objects.get(pk=job.pk).status == "done"


def test_the_background_process_runs_them_and_lists_one_as_failed_that_it_was_killed_with(
    redis: RedisServer, process_environment: dict[str, str]
) -> None:
    environment = {**process_environment, "REDIS_URL": redis.url, "TASKS_IN_REDIS": "True"}
    hang.enqueue(seconds=600)
    with background_process(environment):
        wait_for_statuses("RUNNING")
    with background_process(environment) as another:
        wait_for_statuses("FAILED")
        hang.enqueue(seconds=0)
        wait_for_statuses("FAILED", "SUCCESSFUL")
        another.send_signal(signal.SIGTERM)
        assert another.wait(PATIENCE) == 0
    assert "ended before the task did" in DBTaskResult.objects.get(status="FAILED").traceback


def test_what_a_worker_had_taken_when_it_was_killed_is_run_once(redis: RedisServer) -> None:
    note.enqueue(1)
    note.enqueue(2)
    worker.redis().lmove(lists.key(DEFAULT), f"tasks taken:test redis {DEFAULT}")
    work_off()
    assert ran == [1, 2]
    assert set(DBTaskResult.objects.values_list("status", flat=True)) == {"SUCCESSFUL"}
    assert worker.redis().keys("*") == []


def test_a_task_that_waits_in_the_table_as_well_is_left_to_it(redis: RedisServer) -> None:
    """Redis has accepted it, but too late."""
    note.enqueue(1)
    (element,) = worker.redis().lrange(lists.key(DEFAULT), 0, -1)
    lists.unpacked(element).save()
    work_off()
    assert ran == []
    assert DBTaskResult.objects.get().status == "READY"


@contextmanager
def background_process(environment: dict[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    """It is killed at the end."""
    command = [sys.executable, "manage.py", "work", "--name", "killed"]
    process = subprocess.Popen(command, cwd=ROOT, env=environment)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def wait_for_statuses(*statuses: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while sorted(DBTaskResult.objects.values_list("status", flat=True)) != list(statuses):
        assert time.monotonic() < deadline
        time.sleep(0.05)
