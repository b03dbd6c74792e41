"""One verb on many rows."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.contrib import messages
from django.contrib.admin.models import CHANGE, DELETION, LogEntry
from django.contrib.admin.utils import model_ngettext
from django.db import transaction
from django.db.models import Model, QuerySet
from django.http import HttpRequest

from commerce.admin.base_admin import BaseAdmin
from commerce.core.errors import DomainError
from commerce.core.locking import settle

_MOST_REFUSALS = 10


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the message and the history call it, and as what the history counts it. reason: told by who did it."""

    participle: str
    flag: int = CHANGE
    reason: str = ""

    @property
    def record(self) -> str:
        """What the history says."""
        return f"{self.participle.capitalize()}{f': {self.reason}' if self.reason else '.'}"


DELETED = Outcome("deleted", DELETION)


def perform(
    admin: BaseAdmin, request: HttpRequest, rows: QuerySet[Any], verb: Callable[[Any], object], outcome: Outcome
) -> None:
    """Call the verb for each row in a transaction of its own, write the history, and tell the user what became of them.

    What the verb refuses for one row does not stop the others.
    """
    done, refusals = 0, []
    for row in rows:
        try:
            settle(partial(_perform_one, request, row, verb, outcome))
            done += 1
        except DomainError as refusal:
            refusals.append(f"{row}: {refusal.message}")
    if done:
        said = f"{done} {model_ngettext(admin.opts, done)} {outcome.participle}."
        admin.message_user(request, said, messages.SUCCESS)
    for refusal_text in refusals[:_MOST_REFUSALS]:
        admin.message_user(request, refusal_text, messages.ERROR)
    if len(refusals) > _MOST_REFUSALS:
        admin.message_user(request, f"{len(refusals) - _MOST_REFUSALS} more were refused.", messages.ERROR)


@transaction.atomic
def _perform_one(request: HttpRequest, row: Model, verb: Callable[[Any], object], outcome: Outcome) -> None:
    verb(row)
    LogEntry.objects.log_actions(
        user_id=str(request.user.pk),
        queryset=[row],
        action_flag=outcome.flag,
        change_message=outcome.record,
        single_object=True,
    )
