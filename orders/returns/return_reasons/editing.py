"""Creating and changing return reasons. Why: docs/decisions/returns.md#values-of-return-reasons-are-unique."""

from typing import TypedDict, Unpack

from django.db import transaction

from kit.database.locking import lock_row
from kit.domain.actor import Actor
from kit.domain.missing_row import missing
from kit.errors import InvalidData
from kit.values.metadata import Metadata
from orders.errors import ReturnReasonNotFound
from orders.models import ReturnReason
from shop.reasons import write_reason


class ReturnReasonDetails(TypedDict, total=False):
    """The fields of a return reason that can change; omitted ones stay."""

    value: str
    label: str
    description: str | None
    metadata: Metadata | None


@transaction.atomic
def create(
    *,
    actor: Actor,
    value: str,
    label: str,
    description: str | None = None,
    parent_return_reason_id: str | None = None,
    metadata: Metadata | None = None,
) -> ReturnReason:
    """Create a return reason. value: unique.

    Raises ValueTaken, InvalidData naming the field, Forbidden.
    """
    actor.require("orders.add_returnreason")
    reason = ReturnReason()
    if parent_return_reason_id is not None:
        reason.parent_return_reason = _locked(parent_return_reason_id)
        if reason.parent_return_reason is None:
            raise InvalidData(missing("Return reason", parent_return_reason_id, field="parent_return_reason_id"))
    write_reason(reason, {"value": value, "label": label, "description": description, "metadata": metadata})
    return reason


@transaction.atomic
def update(*, actor: Actor, return_reason_id: str, **changes: Unpack[ReturnReasonDetails]) -> ReturnReason:
    """Change the given fields; metadata is merged. Raises ReturnReasonNotFound, and the errors of `create`."""
    actor.require("orders.change_returnreason")
    reason = _locked(return_reason_id)
    if reason is None:
        raise ReturnReasonNotFound(return_reason_id)
    write_reason(reason, changes)
    return reason


def _locked(return_reason_id: str) -> ReturnReason | None:
    """The reason, which nobody can delete until the transaction ends."""
    return lock_row(ReturnReason.objects.not_deleted(), return_reason_id)
