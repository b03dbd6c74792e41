"""Leases: who may work on a row now, until when, and what becomes of it after a failure or a kill.

Emails, deliveries, requests to carriers and to payment providers are rows that stand until their work is done. Any
process may claim a free row. The claim lasts for the lease of its table, so that the rows of a killed process are free
again afterwards; `free_claims_of` frees them as soon as that process is started again. A process that comes too late
changes nothing: `release` finds the row only while the claim is its own.
Why: docs/decisions/operations.md#tables-of-work-share-a-lease.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Generic, TypeVar

from django.db.models import F, Model, Q, QuerySet

from kit.database.claims import claimant
from kit.values.text import kept_error
from kit.values.timestamps import now

Row = TypeVar("Row", bound=Model)
GRACE = timedelta(seconds=5)
"""How long a new row is left to the process that made it, or to the task that it has queued."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Leased(Generic[Row]):
    """The work of one table.

    rows: those whose work is not done. lease: how long a claim lasts.
    until: the column for the end of a claim, and of the back-off after a failure; null while no claim is made.
    is_schedule: whether `until` also says when a row is due; it is then null once the work is done.
    is_named: whether rows name the process that has claimed them (kit/database/claims.py).
    after_deaths: how long a row waits that more than one process was killed with: it may be the cause.
    """

    rows: Callable[[], "QuerySet[Row]"]
    lease: Callable[[], timedelta]
    until: str = "claimed_until"
    is_schedule: bool = False
    is_named: bool = True
    after_deaths: timedelta = timedelta(0)

    def free_rows(self) -> "QuerySet[Row]":
        """Those that no process works on, and whose back-off is over."""
        return self.rows().filter(self.free_condition())

    def free_condition(self) -> Q:
        """For rows as `free_rows` has them."""
        is_over = Q((f"{self.until}__lte", now()))
        return is_over if self.is_schedule else is_over | Q((self.until, None))

    def due_ids(self, *conditions: Any, grace: timedelta = GRACE) -> list[str]:
        """Of the free rows that meet the conditions and are older than the grace, in their order."""
        due = self.free_rows().filter(*conditions, created_at__lt=now() - grace)
        return list(due.order_by("pk").values_list("pk", flat=True))

    def claim(self, pk: str, *, among: "QuerySet[Row] | None" = None, **columns: Any) -> Row | None:
        """The row, claimed; None if it is not among the free rows, or those that are passed."""
        claimed: dict[str, Any] = {self.until: now() + self.lease(), **self._claimant(claimant()), **columns}
        rows = self.free_rows() if among is None else among
        is_ours = rows.filter(pk=pk).update(attempts=F("attempts") + 1, **claimed)
        return self.rows().filter(pk=pk).first() if is_ours else None

    def release(self, row: Row, *, error: str = "", **columns: Any) -> bool:
        """End the claim, and write the columns; False if it is no longer the caller's."""
        released: dict[str, Any] = {self.until: None, **self._claimant(""), "error": kept_error(error), **columns}
        return bool(self.claimed_rows(row).update(**released))

    def claimed_rows(self, row: Row) -> "QuerySet[Row]":
        """The row, while the claim is the caller's.

        A schedule knows a claim by its end, since `attempts` does not count the claims of rows that had to wait.
        """
        mark = self.until if self.is_schedule else "attempts"
        return self.rows().filter(pk=row.pk, **{mark: getattr(row, mark)})

    def finish(self, pk: str, result: str, error: str = "") -> bool:
        """Record the result of a request, also one that comes late; False if it has one already."""
        return bool(self.rows().filter(pk=pk).update(done_at=now(), result=result, error=kept_error(error)))

    def free_claims_of(self, name: str) -> None:
        """Free the rows that the killed process of this name had claimed."""
        claimed = self.rows().filter(claimed_by=name)
        if self.after_deaths:
            claimed.filter(attempts__gt=1).update(**{self.until: now() + self.after_deaths, "claimed_by": ""})
        claimed.update(**{self.until: now(), "claimed_by": ""})

    def _claimant(self, name: str) -> dict[str, str]:
        return {"claimed_by": name} if self.is_named else {}


def back_off_end(first: timedelta, longest: timedelta | None = None, *, doublings: int) -> datetime:
    """Until when a row is left alone after a failure: the wait doubles up to `longest`, or 16 times the first one."""
    wait: timedelta = min(first * 2 ** min(doublings, 10), longest or 16 * first)
    return now() + wait
