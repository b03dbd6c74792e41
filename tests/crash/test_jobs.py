"""The bulk worker is killed in the middle of a job: another finishes it, and each row is done once."""

import os
import signal
import subprocess
import sys
import time

import pytest
from django.contrib.admin.models import LogEntry
from django_tasks_db.models import DBTaskResult

from catalog.models import ProductTag
from kit.jobs.creation import create
from kit.jobs.models import Job
from kit.jobs.queues import LONG
from kit.jobs.states import JobStatus
from tests.factories.staff import UserFactory
from tests.kit.jobs.bulk_worker import let_leases_end
from tests.packages import ROOT

pytestmark = [pytest.mark.every(3), pytest.mark.once, pytest.mark.django_db(transaction=True)]

NUMBER = 240
PATIENCE = 300.0


def test_another_worker_finishes_what_a_killed_one_began(process_environment: dict[str, str]) -> None:
    job = a_deletion_of_tags()
    deadline = time.monotonic() + PATIENCE
    kills = 0
    while kills < 3:
        done_before = done(job)
        worker = start_worker(process_environment)
        while done(job) == done_before:
            assert worker.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.01)
        os.kill(worker.pid, signal.SIGKILL)
        worker.wait()
        kills += 1
        let_leases_end()
    assert 0 < done(job) < NUMBER
    last = start_worker(process_environment, "--batch")
    assert last.wait(PATIENCE) == 0
    job.refresh_from_db()
    assert (job.status, job.succeeded, job.refused) == (JobStatus.DONE, NUMBER, 0)
    assert job.turn >= 4
    assert not ProductTag.objects.not_deleted().exists()
    reported = list(LogEntry.objects.values_list("object_id", flat=True))
    assert len(reported) == len(set(reported)) == NUMBER
    lost = DBTaskResult.objects.filter(status="RUNNING").count()
    assert lost == 3  # the killed workers' own tasks: nobody runs those again


def a_deletion_of_tags() -> Job:
    tags = ProductTag.objects.bulk_create(ProductTag(value=f"Tag {number}") for number in range(NUMBER))
    return create(
        kind="bulk_action",
        title="Tags to be deleted",
        actor_id=UserFactory(is_superuser=True).pk,
        keys=[tag.pk for tag in tags],
        parameters={
            "model": "catalog.ProductTag",
            "verb": "delete_chosen",
            "participle": "deleted",
            "flag": 3,
            "reason": "",
        },
    )


def start_worker(environment: dict[str, str], *words: str) -> subprocess.Popen[bytes]:
    options = ["--queue-name", LONG, "--no-startup-delay", "--interval", "0.1", *words]
    command = [sys.executable, "manage.py", "db_worker", *options]
    return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def done(job: Job) -> int:
    return Job.objects.values_list("succeeded", flat=True).get(pk=job.pk)
