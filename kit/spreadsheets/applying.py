"""Applies an import in batches, each in one transaction that also stores the position.

A killed import continues after its last committed batch. Records whose stored row changed since the preview are
skipped. The undo file is written before a batch is committed.
"""

import json
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from typing import Any

from kit.domain.actor import Actor
from kit.errors import NotAllowed
from kit.jobs.kinds import Report
from kit.jobs.work import PAUSE_SECONDS
from kit.spreadsheets import files
from kit.spreadsheets.batches import Counts, Work
from kit.spreadsheets.declarations import SPREADSHEETS
from kit.spreadsheets.models import Import, ImportState
from kit.spreadsheets.records import records
from kit.values.timestamps import now

_MOST, _LEAST = 200, 10
"""Most and fewest records in one transaction. The size adapts so that locks are short."""
_SECONDS, _SECONDS_OF_NEW = 0.4, 1.0
"""How long a transaction should take, on average; one that only makes new rows holds none that others wait for."""


class NotPreviewed(NotAllowed):
    """What is confirmed is what the preview shows."""

    message = "The import has changed since its preview. Preview it again."


def confirm(one: Import) -> None:
    """Mark the import as confirmed: it can no longer be changed. It lives for a day from now.

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
    work, size, total = Work(one, spreadsheet, held.actor, keep), _MOST // 4, one.total
    if one.position == total:  # it was killed at its end
        files.discard_source(one.pk)
        return
    with records(one, spreadsheet) as found, files.opened(one.pk, "plan") as plan:
        rest = islice(zip(found, plan, strict=True), one.position, None)
        while batch := list(islice(rest, size)):
            work.prepare(batch, go_on)
            started = time.monotonic()
            renew()
            work.do_all(batch)
            taken = time.monotonic() - started
            seconds = _SECONDS if any(json.loads(line)[0] for _, line in batch) else _SECONDS_OF_NEW
            size = max(_LEAST, min(_MOST, 2 * len(batch), int(len(batch) * seconds / max(taken, 0.01))))
            report(one.position, total)
            time.sleep(PAUSE_SECONDS)  # as in kit/jobs/work.py
    files.discard_source(one.pk)


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
