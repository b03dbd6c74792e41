"""How long work waits for its background worker, by queue."""

from datetime import datetime

from django.conf import settings
from django.db.models import Min, Q
from django_tasks_db.models import DBTaskResult, get_date_max

from kit.jobs.queues import QUEUES
from kit.messages.mails.models import Mail
from kit.messages.outbox.models import Event
from kit.values.timestamps import now

LATE_SECONDS = 60.0
"""The queue of a worker that runs is shorter, unless it has very much to do."""


def oldest_waiting() -> dict[str, float]:
    """For how many seconds the oldest work of each queue has been due; 0 where none is. Three statements.

    The queues are those of tasks, `mails`, and `webhooks`, whose work is an event that no delivery was made from yet.
    """
    moment = now()
    due: dict[str, datetime | None] = dict.fromkeys(QUEUES)
    is_undelayed = Q(run_after=get_date_max())
    tasks = DBTaskResult.objects.ready().order_by().values_list("queue_name")
    for queue, enqueued, delayed in tasks.annotate(
        enqueued=Min("enqueued_at", filter=is_undelayed), delayed=Min("run_after", filter=~is_undelayed)
    ):
        due[queue] = min(filter(None, (enqueued, delayed)))
    for queue, since in _oldest_in_redis().items():
        due[queue] = min(filter(None, (due[queue], since)))
    due["mails"] = Mail.objects.aggregate(due=Min("next_try_at"))["due"]
    events = Event.objects.filter(dispatched_at=None).order_by("number")
    due["webhooks"] = events.values_list("created_at", flat=True).first()
    return {queue: _seconds(since, moment) for queue, since in due.items()}


def _oldest_in_redis() -> dict[str, datetime]:
    if not settings.TASKS_IN_REDIS:
        return {}
    from commerce.operations.tasks.redis_tasks.lists import waiting  # noqa: PLC0415 - its library is an extra

    return {queue: tasks.since for queue, tasks in waiting().items()}


def _seconds(since: datetime | None, moment: datetime) -> float:
    return max(0.0, (moment - since).total_seconds()) if since else 0.0
