"""Call one verb for many rows: in the request if they are few, else in a job."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from django.contrib import messages
from django.contrib.admin.models import CHANGE, DELETION, LogEntry
from django.contrib.admin.utils import model_ngettext, quote
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.text import capfirst

from kit.admin.base_admin import BaseAdmin
from kit.admin.history.conflicts import reason_of
from kit.database.locking import Row, retry_on_conflict
from kit.errors import MOST_NAMED, DomainError
from kit.jobs.creation import create
from kit.jobs.models import Job

MOST_IN_REQUEST = 200
BACK = "back"
"""The parameter of a job's page with the address of the list that the job was started from."""

Verb = Callable[[HttpRequest, Row], str | None]
"""A method of the screen, called with the request and a row. Jobs look it up by name.

It returns the message for the history; None for that of the outcome.
"""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the message and the history describe the action. flag: of its history entry. reason: entered by the user."""

    participle: str
    flag: int = CHANGE
    reason: str = ""

    @property
    def record(self) -> str:
        """The message of the history entry."""
        return f"{self.participle.capitalize()}{f': {self.reason}' if self.reason else '.'}"


def perform(
    admin: BaseAdmin[Row], request: HttpRequest, rows: QuerySet[Row], verb: Verb[Row], outcome: Outcome
) -> HttpResponse | None:
    """Call the verb for each row in a transaction of its own, and write the history.

    A row that the verb refuses does not stop the others. Reports the results and returns None; if there are more than
    MOST_IN_REQUEST rows, starts a job and returns its page.
    """
    ordered = _ordered(admin, rows, outcome)
    few = list(ordered[: MOST_IN_REQUEST + 1])
    if are_many(len(few)):
        return redirect(page_of_job(request, _start_job(admin, request, ordered, verb, outcome)))
    _perform_now(admin, request, few, verb, outcome)
    return None


def are_many(count: int) -> bool:
    """Whether that many rows are done by a job."""
    return count > MOST_IN_REQUEST


def page_of_job(request: HttpRequest, job: Job) -> str:
    """The address of the job's page, which leads back to the list that the request has started it from."""
    return reverse("admin:jobs_job_change", args=[quote(job.pk)], query={BACK: request.get_full_path()})


def perform_on(request: HttpRequest, row: Row, verb: Verb[Row], outcome: Outcome) -> None:
    """Call the verb for one row and write the history, within a transaction."""
    key = row.pk
    message = verb(request, row)
    row.pk = key  # Django takes it from a row that it has deleted, and the history names it
    LogEntry.objects.log_actions(
        user_id=str(request.user.pk),
        queryset=[row],
        action_flag=outcome.flag,
        change_message=message or outcome.record,
        single_object=True,
    )


def _ordered(admin: BaseAdmin[Row], rows: QuerySet[Row], outcome: Outcome) -> QuerySet[Row]:
    """In a tree, delete children before their parents, and do everything else to the parents first."""
    if not admin.tree_path:
        return rows
    return rows.order_by(f"-{admin.tree_path}" if outcome.flag == DELETION else admin.tree_path)


def _start_job(
    admin: BaseAdmin[Row], request: HttpRequest, rows: QuerySet[Row], verb: Verb[Row], outcome: Outcome
) -> Job:
    return create(
        kind="bulk_action",
        title=f"{capfirst(admin.opts.verbose_name_plural)} to be {outcome.participle}",
        actor_id=str(request.user.pk),
        keys=dict.fromkeys(map(str, rows.values_list("pk", flat=True))),
        parameters={
            "model": admin.opts.label,
            "verb": verb.__name__,
            "participle": outcome.participle,
            "flag": outcome.flag,
            "reason": outcome.reason,
        },
    )


def _perform_now(
    admin: BaseAdmin[Row], request: HttpRequest, rows: Sequence[Row], verb: Verb[Row], outcome: Outcome
) -> None:
    done, refusals = 0, []
    for row in rows:
        try:
            retry_on_conflict(partial(transaction.atomic(perform_on), request, row, verb, outcome))
            done += 1
        except DomainError as refusal:
            refusals.append(f"{row}: {reason_of(refusal)}")
    if done:
        message = f"{done} {model_ngettext(admin.opts, done)} {outcome.participle}."
        admin.message_user(request, message, messages.SUCCESS)
    for refusal_text in refusals[:MOST_NAMED]:
        admin.message_user(request, refusal_text, messages.ERROR)
    if len(refusals) > MOST_NAMED:
        admin.message_user(request, f"{len(refusals) - MOST_NAMED} more were refused.", messages.ERROR)
