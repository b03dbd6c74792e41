"""The answers of the health checks."""

import threading
from datetime import timedelta

import pytest
from django.db import OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from commerce.operations.migration_state import pending_migrations
from commerce.operations.monitoring import health
from kit.jobs.queues import QUEUES
from kit.messages.mails.models import Mail
from kit.messages.mails.queueing import queue_mail
from kit.values.timestamps import now

READY = {"status": "ok", "queues": dict.fromkeys((*QUEUES, "mails", "webhooks"), "ok")}


@pytest.fixture(autouse=True)
def new_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "_migrated", threading.Event())


def reported(client: Client, path: str) -> tuple[int, object]:
    answer = client.get(path)
    return answer.status_code, answer.json()


def test_a_process_that_lives_says_so_without_a_database(client: Client) -> None:
    assert reported(client, "/health/live") == (200, {"status": "ok"})


@pytest.mark.django_db
def test_a_migrated_database_is_ready_and_its_migrations_are_asked_for_once(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    assert reported(client, "/health/ready") == (200, READY)
    with django_assert_num_queries(4):  # SELECT 1, and three for the queues
        assert reported(client, "/health/ready") == (200, READY)


@pytest.mark.django_db
def test_a_missing_migration_is_not_ready_until_it_is_applied(client: Client) -> None:
    applied = MigrationRecorder.Migration.objects.get(app="catalog", name="0001_initial")
    applied.delete()
    assert pending_migrations() == ["catalog.0001_initial"]
    assert reported(client, "/health/ready") == (
        503,
        {"type": "unavailable", "message": "Migrations are not applied: 1"},
    )
    applied.save()
    assert reported(client, "/health/ready") == (200, READY)


@pytest.mark.django_db
def test_a_queue_whose_oldest_work_has_waited_for_a_minute_is_late(client: Client) -> None:
    queue_mail("order_placed", about="order_any")
    Mail.objects.update(next_try_at=now() - timedelta(seconds=59))
    assert reported(client, "/health/ready") == (200, READY)
    Mail.objects.update(next_try_at=now() - timedelta(seconds=61))
    assert reported(client, "/health/ready") == (200, {**READY, "queues": {**READY["queues"], "mails": "late"}})


@pytest.mark.django_db
def test_a_database_that_is_down_is_not_ready_and_tells_no_internals(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*arguments: object) -> None:
        raise OperationalError("connection to 10.0.0.7 failed for user shop")

    monkeypatch.setattr(connection, "cursor", refuse)
    assert reported(client, "/health/ready") == (
        503,
        {"type": "unavailable", "message": "The database cannot be reached"},
    )


@pytest.mark.parametrize("path", ["/health/live", "/health/ready"])
def test_health_is_only_read(client: Client, path: str) -> None:
    answer = client.post(path)
    assert (answer.status_code, answer["Allow"]) == (405, "GET, HEAD, OPTIONS")
    assert answer.json() == {"type": "not_allowed", "message": 'Method "POST" not allowed.'}
