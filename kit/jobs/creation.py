"""Starting a job."""

from collections.abc import Iterable

from django.db import transaction

from kit.jobs.models import LABEL_MAX_LENGTH, Job, Selection
from kit.jobs.turns import schedule
from kit.values.json import JSONObject

_KEYS_A_ROW = 1000


@transaction.atomic
def create(*, kind: str, title: str, actor_id: str, keys: Iterable[str], parameters: JSONObject) -> Job:
    """Queue a job for the rows with these primary keys, in this order.

    actor_id: the member of staff whose permissions apply. kind, parameters: see Job.
    """
    chosen = list(keys)
    job = Job.objects.create(
        kind=kind,
        title=title[:LABEL_MAX_LENGTH],
        actor_id=actor_id,
        parameters=dict(parameters),
        total=len(chosen),
    )
    Selection.objects.bulk_create(
        Selection(job=job, first=first, keys=chosen[first : first + _KEYS_A_ROW])
        for first in range(0, len(chosen), _KEYS_A_ROW)
    )
    schedule(job)
    return job
