"""The history of the admin site, for what programs change. Screens of the admin site add their own entries."""

from collections.abc import Sequence
from typing import Any

from django.contrib.admin.models import LogEntry

from kit.domain.actor import Actor


def record(flag: int, rows: Sequence[Any], *, actor: Actor, message: str | list[Any] = "") -> None:
    """Add an entry for each row, in the verb's transaction.

    flag: ADDITION, CHANGE or DELETION. message: as Django's, without values, which may be personal data.
    """
    LogEntry.objects.log_actions(str(actor.id), rows, flag, message)
