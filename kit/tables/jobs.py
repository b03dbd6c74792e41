"""The jobs of imports and exports: each is done in a single step, with the present permissions of who started it."""

from collections.abc import Callable
from typing import Any

from django.db import transaction

from kit.domain.actor import Actor
from kit.domain.hooks import Wired
from kit.errors import NotAllowed
from kit.jobs.creation import create
from kit.jobs.kinds import Report
from kit.jobs.models import Job
from kit.jobs.single_step import record
from kit.jobs.states import UNFINISHED
from kit.tables import files
from kit.tables.applying import Counts, apply, confirm
from kit.tables.exports import export
from kit.tables.models import Import
from kit.tables.previews import preview
from kit.tables.tables import TABLES, Options
from kit.tables.uploads import require

PREVIEW, APPLY, EXPORT = "preview_import", "apply_import", "export_table"
MOST_OPEN = 2
"""Unfinished jobs of these kinds that a person may have."""
OWNER = Wired[Callable[[Job], Actor]]("the actor of a job of an import or export")


class TooManyOpen(NotAllowed):
    """The person has as many unfinished jobs of spreadsheets as are allowed."""

    message = f"You already have {MOST_OPEN} unfinished imports or exports. Wait until one of them has finished."


def start_preview(one: Import, *, actor: Actor) -> Job:
    """Preview a large file in the background. Raises Forbidden, TooManyOpen."""
    return _start(one, PREVIEW, f"Preview of {one}", actor)


@transaction.atomic
def start_apply(one: Import, *, actor: Actor) -> Job:
    """Confirm the import, and apply it in the background. Raises Forbidden, NotPreviewed, TooManyOpen."""
    confirm(one)
    return _start(one, APPLY, f"Import of {one}", actor)


def start_export(table: str, *, actor: Actor, format: str, options: Options | None = None) -> Job:
    """Write a file in the background. Raises Forbidden, TooManyOpen."""
    for permission in TABLES.get()[table].exporting:
        actor.require(permission)
    parameters: dict[str, Any] = {"table": table, "format": format, "options": {**(options or {})}}
    return _create(EXPORT, f"Export of {TABLES.get()[table].title.lower()}", actor, parameters)


def perform_preview(job: Job, report: Report) -> int:
    """Returns the number of rows."""
    one = Import.objects.get(pk=job.parameters["import_id"])
    preview(one, actor=OWNER.get()(job), report=report)
    return int(one.counts["rows"])


def perform_apply(job: Job, report: Report) -> int:
    """Returns the number of records. Continues where a killed worker stopped."""
    one = Import.objects.get(pk=job.parameters["import_id"])
    apply(one, actor=OWNER.get()(job), report=report, keep=lambda done: record(job, job.parameters, said(done)))
    return one.position


def perform_export(job: Job, report: Report) -> int:
    """Returns the number of rows."""
    given = job.parameters
    with files.new_file(job.pk, given["format"]) as file:
        table, options = TABLES.get()[given["table"]], given["options"]
        return export(file, given["format"], table=table, actor=OWNER.get()(job), options=options, report=report)


def said(done: Counts) -> str:
    """How far an import is: `3 new, 2 changed, 1 problem`."""
    return ", ".join(f"{number} {action}" for action, number in done.items() if number)


def _start(one: Import, kind: str, title: str, actor: Actor) -> Job:
    require(TABLES.get()[one.table], actor)
    job = _create(kind, title, actor, {"import_id": one.pk})
    Import.objects.filter(pk=one.pk).update(job=job)
    one.job = job
    return job


def _create(kind: str, title: str, actor: Actor, parameters: dict[str, Any]) -> Job:
    open_ones = Job.objects.filter(kind__in=(PREVIEW, APPLY, EXPORT), actor=str(actor.id), status__in=UNFINISHED)
    if open_ones.count() >= MOST_OPEN:
        raise TooManyOpen
    return create(kind=kind, title=title, actor_id=str(actor.id), keys=(), parameters=parameters)
