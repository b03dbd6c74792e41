"""Starting a job."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.db import transaction

from commerce.core.insertion import insert
from commerce.jobs.models import LABEL_MAX_LENGTH, Job, JobItem
from commerce.jobs.turns import schedule


@transaction.atomic
def create(*, kind: str, title: str, actor_id: str, keys: Iterable[str], parameters: Mapping[str, Any]) -> Job:
    """Queue a job on the rows with these primary keys, to be dealt with in this order.

    actor_id: of the member of staff whose permissions count. kind, parameters: see Job.
    """
    items = [JobItem(position=position, key=key) for position, key in enumerate(keys)]
    job = Job.objects.create(
        kind=kind, title=title[:LABEL_MAX_LENGTH], actor_id=actor_id, parameters=dict(parameters), total=len(items)
    )
    for item in items:
        item.job = job
    insert(items)
    schedule(job)
    return job
