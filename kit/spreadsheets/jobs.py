"""The jobs of imports and exports: each is done in a single step, with the present permissions of who started it."""

from collections.abc import Callable, Collection, Iterable
from functools import partial
from typing import Any

from django.contrib.admin.utils import quote
from django.contrib.auth import get_user_model
from django.db import transaction
from django.urls import reverse

from kit.database.locking import lock_row
from kit.domain.actor import Actor
from kit.domain.hooks import Wired
from kit.errors import NotAllowed
from kit.jobs.creation import create
from kit.jobs.kinds import Report
from kit.jobs.models import Job
from kit.jobs.single_step import record
from kit.jobs.states import UNFINISHED, JobStatus
from kit.spreadsheets import files
from kit.spreadsheets.applying import apply, confirm
from kit.spreadsheets.declarations import SPREADSHEETS, summary
from kit.spreadsheets.exports import export
from kit.spreadsheets.models import LIFETIME, Import
from kit.spreadsheets.previews import preview
from kit.values.timestamps import now

PREVIEW, APPLY, EXPORT = "preview_import", "apply_import", "export_spreadsheet"
DOWNLOAD = "spreadsheets_import_exported"
"""The URL name of an export's file on the admin site."""
MOST_OPEN = 2
"""Unfinished imports that a person may have, and unfinished exports."""
OWNER = Wired[Callable[[Job], Actor]]("the actor of a job of an import or export")
"""With their present permissions, within those of the secret key that the parameter `through` names. Raises Forbidden
once that key is revoked."""


class TooManyOpen(NotAllowed):
    """The person has as many unfinished imports, or exports, as are allowed."""


def start_preview(one: Import, *, actor: Actor) -> Job:
    """Preview a large file in the background. Raises Forbidden, TooManyOpen."""
    return _start(one, PREVIEW, f"Preview of {one}", actor)


@transaction.atomic
def start_apply(one: Import, *, actor: Actor) -> Job:
    """Confirm the import, and apply it in the background. Raises Forbidden, NotPreviewed, TooManyOpen."""
    confirm(one)
    return _start(one, APPLY, f"Import of {one}", actor)


@transaction.atomic
def start_export(
    spreadsheet: str,
    *,
    actor: Actor,
    format: str,
    fields: Collection[str] = (),
    keys: Iterable[str] | None = None,
) -> Job:
    """Write a file in the background. Raises Forbidden, TooManyOpen.

    fields: those of the columns; all if it is empty. keys: the ids of the rows; None for all of them.
    """
    SPREADSHEETS.get()[spreadsheet].require_export(actor)
    parameters: dict[str, Any] = {
        "spreadsheet": spreadsheet,
        "format": format,
        "fields": [*fields],
        "is_part": keys is not None,
    }
    return _create(EXPORT, f"Export of {SPREADSHEETS.get()[spreadsheet].title.lower()}", actor, parameters, keys or ())


def perform_preview(job: Job, report: Report) -> int:
    """Returns the number of rows."""
    one = Import.objects.get(pk=job.parameters["import_id"])
    preview(one, actor=OWNER.get()(job), report=report)
    return int(one.counts["rows"])


def perform_apply(job: Job, report: Report) -> int:
    """Returns the number of records. Continues where a killed worker stopped."""
    one = Import.objects.get(pk=job.parameters["import_id"])
    owner = partial(OWNER.get(), job)
    apply(
        one,
        actor=owner(),
        report=report,
        keep=lambda done: record(job, job.parameters, summary(done)),
        present=owner,
    )
    return one.position


def perform_export(job: Job, report: Report) -> int:
    """Returns the number of rows."""
    given, spreadsheet, actor = job.parameters, SPREADSHEETS.get()[job.parameters["spreadsheet"]], OWNER.get()(job)
    chosen = {key for keys in job.selections.values_list("keys", flat=True) for key in keys}
    with files.new_file(job.pk, given["format"]) as file:
        count = export(
            file,
            given["format"],
            spreadsheet=spreadsheet,
            actor=actor,
            report=report,
            fields=given["fields"],
            keys=chosen if given["is_part"] else None,
        )
        reveals = sorted(set(filter(actor.may, spreadsheet.revealing.values())))
        record(job, {**given, "reveals": [*reveals]}, "")
    return count


def is_downloadable(job: Job, *, by: Actor) -> bool:
    """Whether the export's file still exists, and the actor started it and may still export what it shows."""
    if job.kind != EXPORT:
        return False
    spreadsheet = SPREADSHEETS.get()[job.parameters["spreadsheet"]]
    return (
        job.actor_id == by.id
        and job.status == JobStatus.DONE
        and job.finished_at is not None
        and job.finished_at >= now() - LIFETIME
        and spreadsheet.may_export(by)
        and all(map(by.may, job.parameters.get("reveals", spreadsheet.revealing.values())))
        and files.path_of(job.pk, job.parameters["format"]).is_file()
    )


def address(job: Job, by: Actor) -> str | None:
    """The URL of the export's file, if the actor may download it."""
    return reverse(f"admin:{DOWNLOAD}", args=[quote(job.pk)]) if is_downloadable(job, by=by) else None


def _start(one: Import, kind: str, title: str, actor: Actor) -> Job:
    SPREADSHEETS.get()[one.spreadsheet].require_import(actor, one.options)
    job = _create(kind, title, actor, {"import_id": one.pk})
    Import.objects.filter(pk=one.pk).update(job=job)
    one.job = job
    return job


@transaction.atomic
def _create(kind: str, title: str, actor: Actor, parameters: dict[str, Any], keys: Iterable[str] = ()) -> Job:
    lock_row(get_user_model().objects.all(), str(actor.id))  # so that concurrent requests count one after the other
    named, kinds = ("exports", (EXPORT,)) if kind == EXPORT else ("imports", (PREVIEW, APPLY))
    open_ones = Job.objects.filter(kind__in=kinds, actor=str(actor.id), status__in=UNFINISHED)
    if open_ones.count() >= MOST_OPEN:
        raise TooManyOpen(f"You already have {MOST_OPEN} unfinished {named}. Wait until one of them has finished.")
    given = {**parameters, "through": actor.through}
    return create(kind=kind, title=title, actor_id=str(actor.id), keys=keys, parameters=given)
