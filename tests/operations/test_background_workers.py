"""Payments and mails wait neither for a job nor for a webhook: each queue has one worker, and webhooks another."""

from typing import Any

import pytest
from django.conf import settings
from django_tasks_db.management.commands.db_worker import Command
from django_tasks_db.models import DBTaskResult

from commerce.auth.password_reset import send_reset_mail
from commerce.kit.core.actor import SYSTEM
from commerce.kit.jobs.creation import create
from commerce.kit.jobs.turns import QUEUE, take_turn
from commerce.operations.background_workers import WORKERS
from customers.password_mail import send_password_mail
from payments.intents import resume
from tests.factories.customers import CustomerFactory
from tests.factories.staff import UserFactory


def takes(words: tuple[str, ...], queue: str) -> bool:
    """Whether db_worker, by its own parser, would run tasks of the queue with these arguments."""
    command, *given = words
    if command != "db_worker":
        return False
    options = Command().create_parser("manage.py", command).parse_args(given)
    if queue in options.exclude_queues.split(","):
        return False
    return queue in options.queue_name.split(",") or options.queue_name == "*"


@pytest.mark.once
def test_each_queue_has_one_worker() -> None:
    queues = settings.TASKS["default"]["QUEUES"]
    assert QUEUE in queues
    for queue in queues:
        assert sum(takes(words, queue) for words in WORKERS.values()) == 1, queue


@pytest.mark.once
def test_payments_and_mails_are_in_another_queue_than_jobs() -> None:
    assert take_turn.queue_name == QUEUE
    for task in (resume, send_reset_mail):
        assert takes(WORKERS["background worker"], task.queue_name)
        assert not takes(WORKERS["bulk worker"], task.queue_name)


@pytest.mark.once
def test_webhooks_have_a_process_that_does_nothing_else() -> None:
    assert WORKERS["webhook worker"] == ("deliver_webhooks",)


@pytest.mark.django_db
def test_payments_go_before_mails_that_a_job_has_queued(
    django_capture_on_commit_callbacks: Any,
) -> None:
    """The background worker takes the task of the highest priority first."""
    with django_capture_on_commit_callbacks(execute=True):
        send_password_mail(actor=SYSTEM, customer_id=CustomerFactory().pk)
    mail = DBTaskResult.objects.get()
    resume.enqueue(intent_id="payint_any")
    assert mail.task_path == send_reset_mail.module_path
    assert DBTaskResult.objects.ready().first().task_path == resume.module_path


@pytest.mark.django_db
def test_every_turn_of_a_job_is_queued_for_the_bulk_worker() -> None:
    create(kind="", title="", actor_id=UserFactory().pk, keys=["row"], parameters={})
    assert set(DBTaskResult.objects.values_list("queue_name", flat=True)) == {QUEUE}
