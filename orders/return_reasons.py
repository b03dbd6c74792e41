"""Creating and changing return reasons."""

from typing import TypedDict, Unpack

from django.db import transaction

from commerce.kit.core import metadata as metadata_rules
from commerce.kit.core import soft_deletion
from commerce.kit.core.actor import Actor
from commerce.kit.core.errors import InvalidData
from commerce.kit.core.locking import lock_rows
from commerce.kit.core.metadata import Metadata
from commerce.kit.core.missing_row import missing
from commerce.kit.core.text import LONGEST, checked, is_storable
from orders.errors import ReturnReasonNotFound
from orders.models import ReturnReason

LONGEST_DESCRIPTION = 1_000


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

    Raises ValueTaken, InvalidData naming the field, Forbidden. Source: orders.md D23.
    """
    actor.require("orders.add_returnreason")
    reason = ReturnReason()
    if parent_return_reason_id is not None:
        reason.parent_return_reason = _locked(parent_return_reason_id)
        if reason.parent_return_reason is None:
            raise InvalidData(missing("Return reason", parent_return_reason_id, field="parent_return_reason_id"))
    _write(reason, {"value": value, "label": label, "description": description, "metadata": metadata})
    return reason


@transaction.atomic
def update(*, actor: Actor, return_reason_id: str, **changes: Unpack[ReturnReasonDetails]) -> ReturnReason:
    """Change the given fields; metadata is merged. Raises ReturnReasonNotFound, and the errors of `create`."""
    actor.require("orders.change_returnreason")
    reason = _locked(return_reason_id)
    if reason is None:
        raise ReturnReasonNotFound(return_reason_id)
    _write(reason, changes)
    return reason


def _locked(return_reason_id: str) -> ReturnReason | None:
    """The reason, which nobody can delete until the transaction ends."""
    rows = ReturnReason.objects.not_deleted().filter(pk=return_reason_id)
    return next(iter(lock_rows(rows) if is_storable(return_reason_id) else ()), None)


def _write(reason: ReturnReason, given: ReturnReasonDetails) -> None:
    for name in ("value", "label"):
        if name in given:
            setattr(reason, name, checked(given[name], field=name, longest=LONGEST, may_be_blank=False))
    if "description" in given:
        text = given["description"]
        reason.description = None if text is None else checked(text, field="description", longest=LONGEST_DESCRIPTION)
    if "metadata" in given:
        reason.metadata = metadata_rules.merged(reason.metadata, metadata_rules.checked(given["metadata"]))
    soft_deletion.refuse_taken(reason)
    reason.save()
