"""Single-step jobs that record how far they have come."""

import pytest
from django.db import OperationalError, transaction

from kit.jobs.creation import create
from kit.jobs.kinds import SINGLE_STEP_JOBS, Report, SingleStep
from kit.jobs.models import Job
from kit.jobs.single_step import record
from kit.jobs.states import JobStatus
from kit.jobs.turns import MOST_IDLE_TURNS
from tests.factories.staff import UserFactory
from tests.kit.jobs.bulk_worker import let_leases_end, run_bulk_worker

pytestmark = pytest.mark.django_db(transaction=True)
RESTARTS = MOST_IDLE_TURNS + 3


def step(job: Job, report: Report) -> int:
    """One more piece at each start; its process is killed after all but the last."""
    done = job.parameters["done"] + 1
    with transaction.atomic():
        record(job, {"done": done}, "")
    if done <= RESTARTS:
        raise OperationalError("the server closed the connection unexpectedly")
    return int(done)


def test_a_job_that_gets_on_is_restarted_as_often_as_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SINGLE_STEP_JOBS, "_value", {"step": SingleStep(step)})
    job = create(kind="step", title="Step", actor_id=UserFactory().pk, keys=(), parameters={"done": 0})

    for _ in range(RESTARTS + 1):
        run_bulk_worker()
        let_leases_end()

    job.refresh_from_db()
    assert (job.status, job.parameters, job.idle_turns) == (JobStatus.DONE, {"done": RESTARTS + 1}, 0)
