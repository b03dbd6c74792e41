"""What waits in Redis, for metrics and /health/ready."""

from dataclasses import dataclass
from datetime import datetime

from redis import Redis
from rq import Queue

from commerce.operations.tasks.redis_tasks.jobs import RecordedJob, queue
from kit.database.redis_client import NoAnswer, ask
from kit.jobs.queues import JOB_QUEUES, QUEUES


@dataclass(frozen=True, slots=True)
class Waiting:
    """number: of tasks of a queue. since: when the first one was queued."""

    number: int
    since: datetime | None


def waiting() -> dict[str, Waiting]:
    """By queue; nothing while Redis does not answer, since new tasks wait in the table then."""
    try:
        return ask(_by_queue, use="queues")
    except NoAnswer:
        return {}


def _by_queue(connection: Redis) -> dict[str, Waiting]:
    return {name: _waiting(queue(name, connection)) for name in QUEUES if name not in JOB_QUEUES}


def _waiting(line: Queue) -> Waiting:
    first = next(iter(line.get_job_ids(0, 1)), None)
    job = RecordedJob.fetch_many([first], line.connection, line.serializer)[0] if first else None
    return Waiting(line.count, job.enqueued_at if job else None)
