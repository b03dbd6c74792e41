"""Applies an import in batches, each in one transaction that also stores the position.

A killed import continues after its last committed batch. Records whose stored row changed since the preview are
skipped. The undo file is written before a batch is committed.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

from kit.domain.actor import Actor
from kit.errors import NotAllowed
from kit.jobs.kinds import Report
from kit.jobs.work import PAUSE_SECONDS
from kit.spreadsheets import files
from kit.spreadsheets.batches import Counts, Work
from kit.spreadsheets.declarations import SPREADSHEETS, Record
from kit.spreadsheets.models import Import, ImportState
from kit.spreadsheets.plans import Seen, seen_in
from kit.spreadsheets.records import records
from kit.values.timestamps import now

_MOST, _LEAST = 200, 20
"""Most and fewest rows of the file in one transaction, of whole records. The size adapts so that locks are short."""
_SECONDS = 0.3
"""How long a transaction should take, on average."""


class NotPreviewed(NotAllowed):
    """What is confirmed is what the preview shows."""

    message = "The import has changed since its preview. Preview it again."


def confirm(one: Import) -> None:
    """Mark the import as confirmed: it can no longer be changed. It lives for a day from now, and from each batch.

    Raises NotPreviewed, also if it already is.
    """
    changed: dict[str, Any] = {"state": ImportState.CONFIRMED, "created_at": now()}
    if not Import.objects.filter(pk=one.pk, state=ImportState.PREVIEWED).update(**changed):
        raise NotPreviewed
    vars(one).update(changed)


def apply(
    one: Import,
    *,
    actor: Actor,
    report: Report = lambda done, total: None,
    keep: Callable[[Counts], None] = lambda done: None,
    present: Callable[[], Actor] | None = None,
) -> None:
    """Write what the preview has shown, from `position` on. Raises Forbidden, FileGone, InvalidData.

    keep: called at the end of each transaction, with what is done by action; what it raises rolls it back and ends the
    work. present: the actor with the permissions of that moment, read for each batch; by default, they stay.
    """
    spreadsheet = SPREADSHEETS.get()[one.spreadsheet]
    held = _Held(actor, present)

    def renew() -> None:
        held.renew()
        spreadsheet.require_import(held.actor, one.options)

    def go_on() -> None:
        report(one.position, total)
        renew()

    spreadsheet.require_import(held.actor, one.options)
    work, size, total = Work(one, spreadsheet, held.actor, keep), _LEAST, one.total
    if one.position == total:  # it was killed at its end
        files.discard_source(one.pk)
        return
    with records(one, spreadsheet) as found, files.opened(one.pk, "plan") as plan:
        undone = islice(zip(found, plan, strict=True), one.position, None)
        rest = ((record, seen_in(line)) for record, line in undone)
        while batch := _next(rest, size):
            work.prepare(batch, go_on)
            started = time.monotonic()
            renew()
            work.do_all(batch)
            taken = time.monotonic() - started
            rows = sum(len(record.rows) for record, _ in batch)
            size = max(_LEAST, min(_MOST, 2 * rows, int(rows * _SECONDS / max(taken, 0.01))))
            report(one.position, total)
            time.sleep(PAUSE_SECONDS)  # as in kit/jobs/work.py
    files.discard_source(one.pk)


def _next(rest: Iterator[tuple[Record, Seen]], size: int) -> list[tuple[Record, Seen]]:
    """Records until they have so many rows."""
    batch, rows = [], 0
    while rows < size and (one := next(rest, None)):
        batch.append(one)
        rows += len(one[0].rows)
    return batch


class _Held:
    """An actor whose permissions are renewed in place: importers keep the one that they were made with."""

    def __init__(self, actor: Actor, present: Callable[[], Actor] | None) -> None:
        self._present, self._now = present, actor
        self.actor = replace(actor, permitted=self._may)

    def renew(self) -> None:
        """Read the permissions again."""
        if self._present is not None:
            self._now = self._present()

    def _may(self, permission: str) -> bool:
        return self._now.may(permission)
