"""`manage.py prune` discards what is past its time and nothing else."""

import io
from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django_tasks_db.models import DBTaskResult

from commerce.operations import pruning
from kit.errors import Conflict
from kit.values.timestamps import now
from kit.writes import batched_deletion
from tests.operations.leftovers import KINDS, leave_of_each_kind, left

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def exports(settings, tmp_path):
    settings.EXPORT_DIR = str(tmp_path / "exports")


def printed() -> list[str]:
    out = io.StringIO()
    call_command("prune", stdout=out)
    return out.getvalue().splitlines()


def test_each_kind_is_reported_once_it_is_deleted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if the next one ends the command."""

    def fail() -> int:
        raise Conflict("locked")

    monkeypatch.setattr(pruning, "_KINDS", {"sessions": lambda: 2, "old emails": fail})
    out = io.StringIO()
    with pytest.raises(CommandError, match="Some rows are locked by other work"):
        call_command("prune", stdout=out)
    assert out.getvalue() == "2 sessions deleted\n"


def test_what_is_past_its_time_goes_and_what_is_not_stays():
    leave_of_each_kind(age=timedelta(days=30), number=2)
    leave_of_each_kind(age=timedelta(), number=1)
    assert printed() == [
        "2 answers kept for an Idempotency-Key deleted",
        "2 throttle counters deleted",
        "2 addresses of sign-ins deleted",
        "2 sessions deleted",
        "2 finished background tasks deleted",
        "2 finished jobs deleted",
        "2 requests for a new password deleted",
        "2 requests for an order deleted",
        "2 old emails deleted",
        "2 webhook deliveries deleted",
        "2 events deleted",
        "0 orders' personal data deleted",
        "2 expired carts deleted",
        "2 files of exports deleted",
        "2 imports and exports of spreadsheets deleted",
        "0 responses of tax providers deleted",
        "0 unused pictures deleted",
        "0 refused uploads deleted",
        "0 parts of uploads deleted",
        "0 superseded counts of orders deleted",
        "0 superseded counts of products deleted",
        "0 marks of stale prices deleted",
        "0 marks of stale stock deleted",
    ]
    assert left() == dict.fromkeys(KINDS, 1)
    assert {line.split()[0] for line in printed()} == {"0"}


def test_a_task_that_has_not_ended_stays_however_old():
    leave_of_each_kind(age=timedelta(days=30), number=2)
    waiting = DBTaskResult.objects.first()
    DBTaskResult.objects.filter(pk=waiting.pk).update(status="READY", finished_at=None)
    printed()
    assert DBTaskResult.objects.get() == waiting


def test_a_large_table_is_emptied_in_batches(monkeypatch):
    monkeypatch.setattr(batched_deletion, "BATCH_ROWS", 3)
    expired = now() - timedelta(days=30)
    Session.objects.bulk_create(Session(session_key=f"{number:032}", expire_date=expired) for number in range(7))
    with CaptureQueriesContext(connection) as queries:
        assert batched_deletion.delete_in_batches(Session.objects.filter(expire_date__lt=now())) == 7
    assert len(queries) == 4  # of 3, 3, 1 and 0 rows
    assert all("LIMIT 3" in query["sql"] for query in queries)
