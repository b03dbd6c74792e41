"""Tasks that an older version has queued run in this one."""

from importlib import import_module

import pytest
from django.apps import apps
from django.db import connection
from django_tasks_db.models import DBTaskResult

from kit.jobs.creation import create
from kit.jobs.states import JobStatus
from tests.factories.staff import UserFactory
from tests.kit.jobs.bulk_worker import run_bulk_worker
from tests.kit.jobs.test_turns import KEYS, at, counted  # noqa: F401 - at is a fixture

pytestmark = pytest.mark.django_db(transaction=True)
moved_tasks = import_module("kit.jobs.migrations.0002_moved_tasks")


def test_a_turn_queued_before_the_move_runs_after_it() -> None:
    job = create(kind="count", title="Count", actor_id=UserFactory().pk, keys=KEYS, parameters={})
    with connection.schema_editor() as editor:
        moved_tasks.move_back(apps, editor)
    assert set(DBTaskResult.objects.values_list("task_path", flat=True)) == {"commerce.jobs.turns.take_turn"}
    with connection.schema_editor() as editor:
        moved_tasks.move(apps, editor)
    run_bulk_worker()
    job.refresh_from_db()
    assert (job.status, counted()) == (JobStatus.DONE, sorted(KEYS))
