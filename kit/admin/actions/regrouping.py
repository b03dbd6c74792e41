"""Putting the selected rows of a list into groups, or taking them out: at once if they are few, else by a job."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any

from django.apps import apps
from django.contrib import admin, messages
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.admin.utils import model_ngettext
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.text import capfirst

from kit.admin.actions.bulk_jobs import checked_request
from kit.admin.actions.confirmation import ask, is_confirmed
from kit.admin.actions.verb_actions import MOST_IN_REQUEST, are_many, page_of_job
from kit.admin.forms.regroup_form import RegroupForm
from kit.admin.history.conflicts import reason_of
from kit.admin.request_actor import request_actor
from kit.database.locking import retry_on_conflict
from kit.editing.regrouping import Regrouping, regroup
from kit.errors import DomainError, Forbidden
from kit.jobs.creation import create
from kit.jobs.kinds import Report
from kit.jobs.models import Job

JOB_KIND = "regroup"
_AT_ONCE = 500


def regroup_selected(
    screen: Any, request: HttpRequest, rows: QuerySet[Any], *, action: str, relations: Sequence[str]
) -> HttpResponse | None:
    """Ask for the groups; then change the rows, or start the job and open its page."""
    form = RegroupForm(request.POST if is_confirmed(request) else None, screen=screen, relations=relations)
    if not form.is_valid():
        question = f"Organise the selected {screen.opts.verbose_name_plural}?"
        return ask(screen, request, rows, action=action, question=question, form=form, button="Save")
    keys = list(rows.values_list("pk", flat=True)[: MOST_IN_REQUEST + 1])
    if are_many(len(keys)):
        every_key = list(rows.values_list("pk", flat=True))
        return redirect(page_of_job(request, _start_job(screen, request, every_key, form)))
    regroup_now(screen, request, keys, form.regrouping, form.record)
    return None


def regroup_now(screen: Any, request: HttpRequest, keys: Collection[str], how: Regrouping, record: str) -> None:
    """Change the rows in one transaction, and tell the user what has become of them."""
    try:
        changed, same = retry_on_conflict(partial(_regroup, screen, request, keys, how, record))
    except DomainError as refusal:
        screen.message_user(request, reason_of(refusal), messages.ERROR)
        return
    if changed:
        said = f"{changed} {model_ngettext(screen.opts, changed)}: {record[0].lower()}{record[1:]}"
        screen.message_user(request, said, messages.SUCCESS)
    if same:
        screen.message_user(request, f"{same} {model_ngettext(screen.opts, same)}: nothing to change.", messages.INFO)
    if gone := len(keys) - changed - same:
        screen.message_user(request, f"{gone} {model_ngettext(screen.opts, gone)}: deleted by now.", messages.ERROR)


def perform(job: Job, report: Report) -> int:
    """Do the job, some hundred rows in each transaction. Repeated, it changes only what is left, and logs only that.

    Raises Forbidden if the job's actor may no longer change the rows.
    """
    given = job.parameters
    screen: Any = admin.site.get_model_admin(apps.get_model(given["model"]))
    request, done = checked_request(job, screen), 0
    how = Regrouping(given["put_in"], given["take_out"])
    for keys in _batches(job):
        if not screen.has_change_permission(request):
            raise Forbidden(f"{request.user} may no longer change these rows")
        seen = list(screen.get_queryset(request).filter(pk__in=keys).values_list("pk", flat=True))
        changed, same = retry_on_conflict(partial(_regroup, screen, request, seen, how, given["record"]))
        done += changed + same
        report(done, job.total)
    return done


def _regroup(screen: Any, request: HttpRequest, keys: Collection[str], how: Regrouping, record: str) -> tuple[int, int]:
    with transaction.atomic():
        changed, same = regroup(screen.verbs, keys, how, actor=request_actor(request))
        LogEntry.objects.log_actions(str(request.user.pk), changed, CHANGE, record)
    return len(changed), len(same)


def _start_job(screen: Any, request: HttpRequest, keys: Sequence[str], form: RegroupForm) -> Job:
    how = asdict(form.regrouping)
    return create(
        kind=JOB_KIND,
        title=f"{capfirst(screen.opts.verbose_name_plural)} to be organised",
        actor_id=str(request.user.pk),
        keys=keys,
        parameters={
            "model": screen.opts.label,
            "put_in": how["add"],  # stored jobs have these keys
            "take_out": how["remove"],
            "record": form.record,
        },
    )


def _batches(job: Job) -> Iterator[list[str]]:
    for selection in job.selections.order_by("first"):
        for first in range(0, len(selection.keys), _AT_ONCE):
            yield selection.keys[first : first + _AT_ONCE]
