"""Failed background tasks are retried on the admin site."""

import pytest
from django.contrib.admin.models import LogEntry
from django_tasks_db.models import DBTaskResult

from commerce.operations.monitoring.queue_ages import oldest_waiting
from orders.completion.resuming import complete_paid_cart
from tests.kit.admin.visits import reported, superuser, visitor

pytestmark = pytest.mark.django_db

LIST = "/admin/django_tasks_database/dbtaskresult/"
VIEW, CHANGE = "django_tasks_database.view_dbtaskresult", "django_tasks_database.change_dbtaskresult"
YES = {"post": "yes"}


def failed(cart_id: str = "cart_none") -> DBTaskResult:
    """A task that failed at the end of 2025."""
    row = DBTaskResult.objects.create(
        task_path=complete_paid_cart.module_path,
        args_kwargs={"args": [cart_id], "kwargs": {}},
        backend_name="default",
        run_after="2025-12-31T00:00Z",
        status="FAILED",
        started_at="2025-12-31T00:00Z",
        finished_at="2025-12-31T00:01Z",
        exception_class_path="builtins.OSError",
        traceback="OSError: no route",
    )
    DBTaskResult.objects.filter(pk=row.pk).update(enqueued_at="2025-12-31T00:00Z")
    return row


def page(row: DBTaskResult) -> str:
    return f"{LIST}{row.pk}/change/"


def test_the_page_of_a_failed_task_has_retry_which_asks_first_and_queues_it_as_new() -> None:
    row, client = failed(), superuser()
    assert f"{row.pk}/retry/" in client.get(page(row)).content.decode()
    assert "Retry these tasks?" in client.post(f"{LIST}{row.pk}/retry/").content.decode()
    assert DBTaskResult.objects.get().status == "FAILED"
    answer = client.post(f"{LIST}{row.pk}/retry/", YES)
    assert (answer.status_code, answer["Location"], reported(answer)) == (
        302,
        page(row),
        ["1 Task Result queued again."],
    )
    row.refresh_from_db()
    assert (row.status, row.started_at, row.finished_at, row.traceback) == ("READY", None, None, "OSError: no route")
    assert list(DBTaskResult.objects.ready()) == [row]
    assert oldest_waiting()["default"] < 60
    assert [entry.get_change_message() for entry in LogEntry.objects.all()] == ["Queued again."]


def test_selected_tasks_are_retried_and_one_that_has_not_failed_is_refused() -> None:
    first, second, client = failed(), failed(), superuser()
    given = {"action": "retry_selected", "_selected_action": [first.pk, second.pk], **YES}
    assert reported(client.post(LIST, given)) == ["2 Task Results queued again."]
    assert set(DBTaskResult.objects.values_list("status", flat=True)) == {"READY"}
    given["_selected_action"] = [first.pk]
    assert reported(client.post(LIST, given))[-1] == f"{first}: The task has not failed"
    assert f"{first.pk}/retry/" not in client.get(page(first)).content.decode()


def test_retrying_requires_the_permission_to_change_tasks() -> None:
    row, client = failed(), visitor(VIEW)
    assert "retry" not in client.get(page(row)).content.decode()
    assert "retry_selected" not in client.get(LIST).content.decode()
    assert client.post(f"{LIST}{row.pk}/retry/", YES).status_code == 403
    assert DBTaskResult.objects.get().status == "FAILED"
    assert visitor(VIEW, CHANGE).post(f"{LIST}{row.pk}/retry/", YES).status_code == 302
    assert DBTaskResult.objects.get().status == "READY"


def test_an_unknown_task_is_not_found() -> None:
    for key in ("00000000-0000-4000-8000-000000000000", "nonsense"):
        assert superuser().post(f"{LIST}{key}/retry/", YES).status_code == 404
