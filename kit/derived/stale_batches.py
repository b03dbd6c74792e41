"""Computes figures again that are marked as stale (stale_marks.py), a batch of marks in each transaction."""

import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import connection, transaction
from django.db.models import Model

from kit.database.locking import lock_named, retry_on_conflict

BATCH = 1000
"""Marks per transaction."""
PAUSE_SECONDS = 0.1
"""Between transactions on SQLite, which gives its only lock to the first that asks; requests ask every 0.1 s."""


@dataclass(frozen=True)
class StaleBatches:
    """marks: the model of the marks. lock: the name of the lock under which one transaction at a time works.

    compute: recomputes and stores the figures that these keys, grouped by kind, make stale. It is called after the
    marks are read, so it sees each change that made one of them.
    """

    marks: type[Model]
    lock: str
    compute: Callable[[Mapping[str, set[str]]], None]

    def all(self) -> Iterator[int]:
        """Process all marks; yields how many each batch had."""
        while processed := self.next():
            yield processed
            if processed == BATCH and connection.vendor == "sqlite":
                time.sleep(PAUSE_SECONDS)

    def next(self) -> int:
        """Process up to BATCH marks; returns how many. Raises Conflict if another transaction keeps the lock."""
        return retry_on_conflict(self._process)

    @transaction.atomic
    def _process(self) -> int:
        """A concurrent call waits, since its marks may be of the same figures."""
        lock_named(self.lock)
        marks: Any = self.marks._default_manager
        batch = list(marks.order_by("pk")[:BATCH])
        if batch:
            keys: dict[str, set[str]] = defaultdict(set)
            for each in batch:
                keys[each.kind].add(each.key)
            self.compute(keys)
            marks.filter(pk__in=[each.pk for each in batch]).delete()
        return len(batch)
