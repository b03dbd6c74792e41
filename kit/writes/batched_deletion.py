"""Deleting what has had its time, without holding a large table for long."""

from django.db.models import Model, QuerySet

from kit.database.locking import retry_on_conflict

BATCH_ROWS = 1000


def delete_in_batches(rows: QuerySet[Model]) -> int:
    """Delete the rows, one statement for each BATCH_ROWS of them; returns how many, without what is deleted with them.

    Outside a transaction each statement stands by itself, so that requests wait for one batch at most.
    Raises Conflict where the rows are locked for too long.
    """
    batch = rows.filter(pk__in=rows.order_by().values("pk")[:BATCH_ROWS])
    discarded = 0
    while deleted := retry_on_conflict(batch.delete)[1].get(rows.model._meta.label, 0):
        discarded += deleted
    return discarded
