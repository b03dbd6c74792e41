"""Open requests to providers that nobody is sending: their process died, or their back-off is over."""

from collections.abc import Collection

from django.conf import settings
from django.db.models import Exists, OuterRef
from django_tasks.base import TaskResultStatus
from django_tasks_db.models import DBTaskResult

from kit.writes.leases import GRACE
from payments.requests.claims import INTENTS


def due_ids() -> list[str]:
    """Of intents, in the order in which to carry them out. Without those behind one that is being sent or rests."""
    blocking = INTENTS.rows().filter(~INTENTS.free_condition(), session=OuterRef("session"), pk__lt=OuterRef("pk"))
    return INTENTS.due_ids(~Exists(blocking), grace=min(GRACE, settings.PAYMENT_PATIENCE))


def due_ids_without_task(task_paths: Collection[str]) -> list[str]:
    """The same, without those that a task of these waits or runs for."""
    if not (ids := due_ids()):
        return []
    unfinished = (TaskResultStatus.READY, TaskResultStatus.RUNNING)
    tasks = DBTaskResult.objects.filter(status__in=unfinished, task_path__in=task_paths)
    queued = {each["kwargs"].get("intent_id") for each in tasks.values_list("args_kwargs", flat=True)}
    return [intent_id for intent_id in ids if intent_id not in queued]
