"""`check` and `serve` with TASKS_IN_REDIS: all kinds of tasks are run, also while Redis is gone."""

import subprocess
import sys
import time

import pytest
from django_tasks_db.models import DBTaskResult

from kit.domain.actor import SYSTEM
from kit.jobs.models import Job
from kit.jobs.queues import CARRIERS, DEFAULT, LONG, SLOW, URGENT
from kit.jobs.states import UNFINISHED
from orders.completion.resuming import complete_later
from orders.fulfillments.requests import send
from orders.models import Order
from payments.models import Capture
from payments.requests.intents import record_intent, resume_slowly
from payments.sessions.authorization import authorize
from payments.states import Act
from tests.bench.hanging_task import hang
from tests.crash.test_jobs import a_deletion_of_tags
from tests.factories import payments as make
from tests.factories.checkout import checked_out_cart, pay
from tests.operations.redis_server import RedisServer
from tests.operations.server.test_serve import port, serving
from tests.operations.tasks.test_redis_tasks import redis
from tests.packages import ROOT

__all__ = ["port", "redis"]
PATIENCE = 60.0
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.servers("redis-server")]


def test_tasks_are_run_through_redis_and_without_it(
    redis: RedisServer, port: int, process_environment: dict[str, str]
) -> None:
    environment = {**process_environment, "REDIS_URL": redis.url, "TASKS_IN_REDIS": "True", "LOG_LEVEL": "CRITICAL"}
    command = [sys.executable, "manage.py", "check"]
    checked = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert (checked.returncode, checked.stderr) == (0, ""), checked.stdout
    with serving(port, environment):
        assert queues_run_by_redis_workers() == {URGENT, SLOW, DEFAULT, CARRIERS}
        redis.kill()
        assert queues_run_by_redis_workers() == set()
        redis.start()
        deadline = time.monotonic() + PATIENCE
        while not is_run_by_redis_worker():
            assert time.monotonic() < deadline
            time.sleep(0.5)
        assert queues_run_by_redis_workers() == {URGENT, SLOW, DEFAULT, CARRIERS}
    assert (Capture.objects.count(), Order.objects.count(), Job.objects.filter(status="done").count()) == (3, 3, 3)


def queues_run_by_redis_workers() -> set[str]:
    """Have tasks of each kind run, all with success."""
    payment = make.authorized_payment(50)
    intent_id = record_intent(payment.session_id, Act.CAPTURE, runs_now=False, amount=payment.amount)
    cart = checked_out_cart()
    authorize(actor=SYSTEM, session_id=pay(cart).pk)
    complete_later(cart.pk)
    resume_slowly.enqueue(intent_id=intent_id)
    send.enqueue(request_id="carreq_none")
    hang.enqueue(seconds=0)
    a_deletion_of_tags()
    workers = workers_by_queue(URGENT, SLOW, DEFAULT, CARRIERS, LONG)
    return {queue for queue, worker in workers.items() if "redis" in worker}


def is_run_by_redis_worker() -> bool:
    hang.enqueue(seconds=0)
    return "redis" in workers_by_queue(DEFAULT)[DEFAULT]


def workers_by_queue(*queues: str) -> dict[str, str]:
    """Of a task of each queue, once each has run one and no other is left. Forgets them."""
    deadline = time.monotonic() + PATIENCE
    ended = DBTaskResult.objects.finished()
    while not {*ended.values_list("queue_name", flat=True)}.issuperset(queues) or is_work_left():
        assert time.monotonic() < deadline, list(DBTaskResult.objects.values_list("queue_name", "status"))
        time.sleep(0.1)
    found = list(ended.values_list("queue_name", "worker_ids", "status", "traceback"))
    assert {status for _, _, status, _ in found} == {"SUCCESSFUL"}, found
    ended.delete()
    return {queue: workers[-1] for queue, workers, _, _ in found}


def is_work_left() -> bool:
    tasks = DBTaskResult.objects.ready() | DBTaskResult.objects.running()
    return tasks.exists() or Job.objects.filter(status__in=UNFINISHED).exists()
