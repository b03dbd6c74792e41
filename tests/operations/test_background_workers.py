"""Payments and mails wait neither for jobs nor for each other: each queue has one worker, and mails have their own."""

import pytest
from django.conf import settings
from django.core import mail
from django.core.management import call_command
from django_tasks_db.management.commands.db_worker import Command
from django_tasks_db.models import DBTaskResult

from commerce.kit.core.actor import SYSTEM
from commerce.kit.jobs.creation import create
from commerce.kit.jobs.turns import QUEUE, take_turn
from commerce.kit.mails import claims
from commerce.kit.mails.models import Mail
from commerce.kit.mails.queueing import queue_mail
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
def test_payments_are_in_another_queue_than_jobs() -> None:
    assert take_turn.queue_name == QUEUE
    assert takes(WORKERS["background worker"], resume.queue_name)
    assert not takes(WORKERS["bulk worker"], resume.queue_name)


@pytest.mark.django_db
def test_mails_have_a_worker_of_their_own_and_no_tasks() -> None:
    customer = CustomerFactory()
    send_password_mail(actor=SYSTEM, customer_id=customer.pk)
    assert not DBTaskResult.objects.exists()
    call_command(*WORKERS["mail worker"], "--once")
    assert [letter.to for letter in mail.outbox] == [[customer.email]]


@pytest.mark.django_db
def test_mails_of_orders_go_before_those_that_a_job_has_queued() -> None:
    send_password_mail(actor=SYSTEM, customer_id=CustomerFactory().pk)
    queue_mail("order_placed", about="order_any")
    first, second = claims.due(2)
    assert [Mail.objects.get(pk=pk).kind for pk in (first, second)] == ["order_placed", "password_reset"]


@pytest.mark.django_db
def test_every_turn_of_a_job_is_queued_for_the_bulk_worker() -> None:
    create(kind="", title="", actor_id=UserFactory().pk, keys=["row"], parameters={})
    assert set(DBTaskResult.objects.values_list("queue_name", flat=True)) == {QUEUE}
