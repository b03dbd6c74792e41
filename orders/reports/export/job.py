"""Exports that staff start: jobs that write a file for their user."""

from collections.abc import Iterator, Mapping

from django.contrib.admin.utils import quote
from django.db import transaction
from django.urls import reverse

from kit.database.locking import lock_row
from kit.domain.actor import Actor
from kit.errors import NotAllowed
from kit.jobs.creation import create
from kit.jobs.kinds import Report
from kit.jobs.models import Job
from kit.jobs.states import UNFINISHED, JobStatus
from kit.values.csv_format import PLAIN, CsvFormat
from kit.values.timestamps import now
from orders.reports.export import files
from orders.reports.export.choice import Choice
from orders.reports.export.kinds import LINES, ORDERS, Kind
from orders.reports.export.writing import Batches, write
from staff.actors import staff_actor
from staff.models import User

JOB_KIND = "export_orders"
PERMISSIONS = ("orders.view_order", "orders.export_order")
MOST_OPEN = 2
"""The maximum of queued or running exports per user."""
DOWNLOAD = "orders_order_exported"
"""The URL name of the file on the admin site."""
KINDS: Mapping[str, Kind] = {"orders": ORDERS, "lines": LINES}


class TooManyExports(NotAllowed):
    """The user has as many unfinished exports as are allowed."""

    message = f"You already have {MOST_OPEN} unfinished exports. Wait until one of them has finished."


@transaction.atomic
def start(*, actor: Actor, kind: str, choice: Choice, csv_format: CsvFormat = PLAIN) -> Job:
    """Start an export. kind: a key of KINDS. Raises Forbidden, TooManyExports."""
    _require(actor)
    user = lock_row(User.objects.all(), str(actor.id))  # so that concurrent requests count one after the other
    if user is None or Job.objects.filter(kind=JOB_KIND, actor=user, status__in=UNFINISHED).count() >= MOST_OPEN:
        raise TooManyExports
    return create(
        kind=JOB_KIND,
        title="Export of orders" if kind == "orders" else "Export of the lines of orders",
        actor_id=user.pk,
        keys=(),
        parameters={"kind": kind, "choice": choice.as_json(), "format": csv_format.as_json()},
    )


def perform(job: Job, report: Report) -> int:
    """Write the job's file, with its actor's current permissions; returns the number of rows.

    Raises Forbidden, FileDeleted.
    """
    actor = staff_actor(User.objects.get(pk=job.actor_id))
    _require(actor)
    kind, choice = KINDS[job.parameters["kind"]], Choice.from_json(job.parameters["choice"])
    csv_format = CsvFormat(**job.parameters.get("format", {}))  # older versions stored none

    def watch(batches: Batches, count: int) -> Iterator[list[list[str]]]:
        done = 0
        for batch in batches:
            yield batch
            done += len(batch)
            report(done, count)

    with files.new_file(job.pk) as file:
        return write(file, kind, actor=actor, choice=choice, watch=watch, csv_format=csv_format)


def discard(job: Job) -> None:
    """Delete the job's file."""
    files.discard(job.pk)


def is_downloadable(job: Job, *, by: Actor) -> bool:
    """Whether the job's file still exists, and the actor started it and may still export."""
    return (
        job.kind == JOB_KIND
        and job.actor_id == by.id
        and job.status == JobStatus.DONE
        and job.finished_at is not None
        and job.finished_at >= now() - files.LIFETIME
        and all(map(by.may, PERMISSIONS))
        and files.path_of(job.pk).is_file()
    )


def address(job: Job, by: Actor) -> str | None:
    """The URL of the job's file, if the actor may download it."""
    return reverse(f"admin:{DOWNLOAD}", args=[quote(job.pk)]) if is_downloadable(job, by=by) else None


def _require(actor: Actor) -> None:
    for permission in PERMISSIONS:
        actor.require(permission)
