"""Imports whose worker is killed a few times, in the midst of a transaction or between two."""

import os
import signal
import subprocess
import sys
import time

from kit.jobs.models import Job
from kit.jobs.states import JobStatus
from kit.spreadsheets.jobs import start_apply
from kit.spreadsheets.models import Import
from staff.actors import staff_actor
from tests.catalog.spreadsheets.importing import previewed
from tests.factories.staff import UserFactory
from tests.kit.jobs.bulk_worker import let_leases_end, run_bulk_worker
from tests.packages import ROOT

PATIENCE = 120.0
LATER = (0.0, 0.1, 0.2)
"""Seconds between a commit and the kill; tests.crash.slow_import waits longer than that before it commits."""


def killed_and_continued(text: str, environment: dict[str, str], **given: str) -> tuple[Import, Job]:
    """The import of this file, after its job was done to its end by the last of four workers."""
    actor = staff_actor(UserFactory(is_superuser=True))
    one = previewed(text, actor=actor, **given)
    job = start_apply(one, actor=actor)
    deadline = time.monotonic() + PATIENCE
    for later in LATER:
        begun = _position(one)
        worker = subprocess.Popen([sys.executable, "-m", "tests.crash.slow_import"], cwd=ROOT, env=environment)
        while _position(one) == begun:
            assert worker.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.01)
        time.sleep(later)
        os.kill(worker.pid, signal.SIGKILL)
        worker.wait()
        let_leases_end()
    assert 0 < _position(one) < one.total
    run_bulk_worker()
    job.refresh_from_db()
    one.refresh_from_db()
    assert job.status == JobStatus.DONE
    return one, job


def _position(one: Import) -> int:
    return Import.objects.values_list("position", flat=True).get(pk=one.pk)
