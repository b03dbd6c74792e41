"""Failed background tasks are acknowledged: metrics count them no longer, and the list still has them."""

from collections.abc import Mapping
from io import StringIO

import pytest
from django.contrib.admin.models import LogEntry
from django.core.management import CommandError, call_command
from django_tasks_db.models import DBTaskResult
from prometheus_client import CollectorRegistry

from commerce.operations.monitoring.metrics_server import ShopCollector
from commerce.operations.tasks.task_acknowledgement import NothingToAcknowledge, acknowledge_task
from commerce.operations.tasks.task_retries import retry_task
from kit.domain.actor import SYSTEM, Actor
from kit.errors import Forbidden
from kit.jobs.models import TaskAcknowledgement
from kit.values.timestamps import now
from tests.kit.admin.visits import reported, superuser, visitor
from tests.operations.tasks.test_task_retries import LIST, VIEW, YES, failed, page

pytestmark = pytest.mark.django_db(transaction=True)

ACKNOWLEDGE = "jobs.add_taskacknowledgement"


def counted() -> Mapping[str, float]:
    """How many tasks of the queue there are, by the metric's status."""
    registry = CollectorRegistry()
    registry.register(ShopCollector())
    (tasks,) = [family for family in registry.collect() if family.name == "commerce_tasks"]
    return {sample.labels["status"]: sample.value for sample in tasks.samples}


def said(*words: str) -> list[str]:
    out = StringIO()
    call_command("acknowledge_tasks", *words, stdout=out)
    return out.getvalue().splitlines()


def fail_again(row: DBTaskResult) -> None:
    """After a retry."""
    retry_task(actor=SYSTEM, task_id=row.pk)
    row.refresh_from_db()
    row.set_failed(OSError("still no route"))


def test_the_metric_counts_failures_that_nobody_has_acknowledged() -> None:
    first, second = failed(), failed()
    assert counted() == {"failed": 2}
    acknowledge_task(actor=SYSTEM, task_id=first.pk)
    assert counted() == {"failed": 1, "acknowledged": 1}
    fail_again(first)
    assert counted() == {"failed": 2}
    for each in (first, second):
        acknowledge_task(actor=SYSTEM, task_id=each.pk)
    assert counted() == {"acknowledged": 2}
    retry_task(actor=SYSTEM, task_id=second.pk)
    assert counted() == {"ready": 1, "acknowledged": 1}


def test_only_a_failure_that_is_not_acknowledged_can_be() -> None:
    row = failed()
    with pytest.raises(Forbidden):
        acknowledge_task(actor=Actor("user", "user_any"), task_id=row.pk)
    acknowledge_task(actor=SYSTEM, task_id=row.pk)
    with pytest.raises(NothingToAcknowledge):
        acknowledge_task(actor=SYSTEM, task_id=row.pk)
    retry_task(actor=SYSTEM, task_id=row.pk)
    with pytest.raises(NothingToAcknowledge):
        acknowledge_task(actor=SYSTEM, task_id=row.pk)
    assert TaskAcknowledgement.objects.count() == 1


def test_what_is_pruned_takes_its_acknowledgements_with_it() -> None:
    acknowledge_task(actor=SYSTEM, task_id=failed().pk)
    call_command("prune", stdout=(out := StringIO()))
    assert "\n1 finished background tasks deleted\n" in out.getvalue()
    assert not DBTaskResult.objects.exists()
    assert not TaskAcknowledgement.objects.exists()


class TestTheSite:
    def test_the_page_has_acknowledge_and_keeps_who_did_it(self) -> None:
        row, client = failed(), superuser()
        assert f"{row.pk}/acknowledge/" in client.get(page(row)).content.decode()
        assert "Acknowledge these failures?" in client.post(f"{LIST}{row.pk}/acknowledge/").content.decode()
        assert not TaskAcknowledgement.objects.exists()
        answer = client.post(f"{LIST}{row.pk}/acknowledge/", YES)
        assert (answer.status_code, reported(answer)) == (302, ["1 Task Result acknowledged."])
        fail_again(row)
        client.post(f"{LIST}{row.pk}/acknowledge/", YES)
        shown = client.get(page(row)).content.decode()
        for moment in TaskAcknowledgement.objects.values_list("created_at", flat=True):
            assert f"{moment.day} {moment:%b %Y, %H:%M} by {client.user.email}" in shown
        assert f"{row.pk}/acknowledge/" not in shown
        assert f"{row.pk}/retry/" in shown
        assert "still no route" in shown
        assert ">complete_paid_cart</a>" in shown
        assert "DBTaskResult object" not in shown
        assert [entry.get_change_message() for entry in LogEntry.objects.all()] == ["Acknowledged."] * 2

    def test_the_list_tells_them_apart(self) -> None:
        first, second, client = failed(), failed(), superuser()
        given = {"action": "acknowledge_selected", "_selected_action": [first.pk], **YES}
        assert reported(client.post(LIST, given)) == ["1 Task Result acknowledged."]
        assert "Acknowledged failure" in client.get(LIST).content.decode()
        for value, shown, hidden in (("open", second, first), ("acknowledged", first, second)):
            text = client.get(f"{LIST}?failures={value}").content.decode()
            assert str(shown.pk) in text
            assert str(hidden.pk) not in text
        assert reported(client.post(LIST, given))[-1] == (
            f"{first}: The task has not failed, or its failure is acknowledged"
        )

    def test_it_requires_a_permission_of_its_own(self) -> None:
        row, client = failed(), visitor(VIEW)
        assert "acknowledge" not in client.get(page(row)).content.decode()
        assert "acknowledge_selected" not in client.get(LIST).content.decode()
        assert client.post(f"{LIST}{row.pk}/acknowledge/", YES).status_code == 403
        assert not TaskAcknowledgement.objects.exists()
        assert visitor(VIEW, ACKNOWLEDGE).post(f"{LIST}{row.pk}/acknowledge/", YES).status_code == 302
        assert TaskAcknowledgement.objects.count() == 1


class TestTheCommand:
    def test_it_lists_and_acknowledges(self) -> None:
        rows = [failed() for _ in range(3)]
        assert said()[-1] == "3 not acknowledged"
        assert sorted(line.split("  ")[0] for line in said()[:-1]) == sorted(str(row.pk) for row in rows)
        error = "2025-12-31 00:01:00 UTC  orders.completion.resuming.complete_paid_cart  builtins.OSError"
        assert {line.partition("  ")[2] for line in said()[:-1]} == {error}
        assert said(str(rows[0].pk)) == ["1 acknowledged"]
        assert said("--all") == ["2 acknowledged"]
        assert said() == ["0 not acknowledged"]
        assert said("--all") == ["0 not acknowledged"]
        assert TaskAcknowledgement.objects.filter(by=None, created_at__lte=now()).count() == 3

    def test_what_it_refuses_changes_nothing(self) -> None:
        row, unknown = failed(), "00000000-0000-4000-8000-000000000000"
        with pytest.raises(CommandError, match=f"{unknown}: The task has not failed"):
            said(str(row.pk), unknown)
        with pytest.raises(CommandError, match="Name ids or --all, not both"):
            said(str(row.pk), "--all")
        assert not TaskAcknowledgement.objects.exists()
