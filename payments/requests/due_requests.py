"""Open requests to providers that nobody is sending: their process died, or their back-off is over."""

from collections.abc import Collection
from datetime import timedelta

from django.conf import settings
from django.db.models import Exists, OuterRef
from django_tasks.base import TaskResultStatus
from django_tasks_db.models import DBTaskResult

from kit.values.timestamps import now
from payments.models import Intent
from payments.requests.claims import is_free

_GRACE = timedelta(seconds=5)
"""How long a new intent is left to the process that recorded it, or to the task of `resume`."""


def due() -> list[str]:
    """The ids of intents, in the order in which to carry them out. Without those behind another of their session."""
    moment = now()
    waiting = Intent.objects.filter(done_at=None)
    blocking = waiting.filter(~is_free(moment), session=OuterRef("session"), pk__lt=OuterRef("pk"))
    old = moment - min(_GRACE, settings.PAYMENT_PATIENCE)
    found = waiting.filter(is_free(moment), ~Exists(blocking), created_at__lt=old)
    return list(found.order_by("pk").values_list("pk", flat=True))


def due_without_task(task_paths: Collection[str]) -> list[str]:
    """The same, without those that a task of these waits or runs for."""
    if not (ids := due()):
        return []
    unfinished = (TaskResultStatus.READY, TaskResultStatus.RUNNING)
    tasks = DBTaskResult.objects.filter(status__in=unfinished, task_path__in=task_paths)
    queued = {each["kwargs"].get("intent_id") for each in tasks.values_list("args_kwargs", flat=True)}
    return [intent_id for intent_id in ids if intent_id not in queued]
