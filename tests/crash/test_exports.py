"""The bulk worker is killed while it exports orders: no half file is offered, and another worker begins again."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from pytest_django import Settings

from kit.jobs.models import Job
from kit.jobs.states import JobStatus
from orders.reports.export import files
from orders.reports.export.choice import Choice
from orders.reports.export.job import start
from staff.actors import staff_actor
from tests.factories.staff import UserFactory
from tests.kit.jobs.bulk_worker import let_leases_end, run_bulk_worker
from tests.orders.placed import placed
from tests.packages import ROOT

pytestmark = pytest.mark.django_db(transaction=True)

PATIENCE = 120.0


def test_a_killed_export_is_begun_again(
    process_environment: dict[str, str], settings: Settings, tmp_path: Path
) -> None:
    settings.EXPORT_DIR = str(tmp_path / "exports")
    for _ in range(8):
        placed()
    job = start(actor=staff_actor(UserFactory(is_superuser=True)), kind="orders", choice=Choice())
    environment = {**process_environment, "EXPORT_DIR": settings.EXPORT_DIR}
    worker = subprocess.Popen([sys.executable, "-m", "tests.crash.slow_export"], cwd=ROOT, env=environment)
    deadline = time.monotonic() + PATIENCE
    while (now_done := done(job)) < 2:
        assert worker.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.01)
    os.kill(worker.pid, signal.SIGKILL)
    worker.wait()
    assert now_done < 8
    assert [path.suffix for path in Path(settings.EXPORT_DIR).iterdir()] == [".part"]
    job.refresh_from_db()
    assert job.status == JobStatus.RUNNING
    let_leases_end()
    run_bulk_worker()
    job.refresh_from_db()
    assert (job.status, job.succeeded, job.total) == (JobStatus.DONE, 8, 8)
    assert len(files.path_of(job.pk).read_text().splitlines()) == 9
    assert len(list(Path(settings.EXPORT_DIR).iterdir())) == 2  # with the part that `prune` deletes


def done(job: Job) -> int:
    return Job.objects.values_list("succeeded", flat=True).get(pk=job.pk)
