"""The lists in Redis, one for each queue. Their elements are rows of the table of tasks, as Django serializes them."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import cast

from django.core import serializers
from django.core.serializers.base import DeserializedObject
from redis import Redis

from commerce.operations.tasks.task_recovery import Task
from kit.database.redis_client import NoAnswer, ask
from kit.jobs.queues import JOB_QUEUES, QUEUES


def key(queue: str) -> str:
    """The key of the list."""
    return f"tasks:{queue}"


def push(row: Task, redis: Redis) -> None:
    """Put the task at the end of its queue. Raises RedisError."""
    redis.rpush(key(row.queue_name), serializers.serialize("json", [row]))


def unpacked(element: bytes | str) -> DeserializedObject:
    """The row, which is not in the table yet."""
    (row,) = serializers.deserialize("json", element, ignorenonexistent=True)
    return row


@dataclass(frozen=True, slots=True)
class Waiting:
    """number: of tasks of a queue. since: when the first one was queued."""

    number: int
    since: datetime


def waiting() -> dict[str, Waiting]:
    """Queues in which tasks wait; none while Redis does not answer, since new tasks wait in the table then."""
    try:
        return ask(lambda redis: dict(_waiting(redis)), use="queues")
    except NoAnswer:
        return {}


def _waiting(redis: Redis) -> Iterator[tuple[str, Waiting]]:
    for queue in QUEUES:
        if queue not in JOB_QUEUES and (first := redis.lindex(key(queue), 0)):
            task = cast(Task, unpacked(first).object)
            yield queue, Waiting(redis.llen(key(queue)), task.enqueued_at)
