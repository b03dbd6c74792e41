"""The worker of jobs, in this process."""

from django_tasks_db.management.commands.db_worker import Worker
from django_tasks_db.models import DBTaskResult

from kit.jobs.queues import LONG
from kit.values.timestamps import now


def run_bulk_worker(*, turns: int | None = None) -> None:
    """Run what is due in its queue, that many tasks at most."""
    worker = Worker(
        queue_names=[LONG],
        interval=0,
        batch=True,
        backend_name="default",
        startup_delay=False,
        max_tasks=turns,
        worker_id="test",
        excluded_queue_names=[],
    )
    worker.run()


def let_leases_end() -> None:
    """Make all waiting tasks due, as if half a minute had passed."""
    DBTaskResult.objects.filter(queue_name=LONG, status="READY").update(run_after=now())


def statuses() -> set[str]:
    """How the tasks of the queue of jobs have ended so far."""
    return set(DBTaskResult.objects.filter(queue_name=LONG).exclude(status="READY").values_list("status", flat=True))
