"""Creating and changing refund reasons."""

from typing import TypedDict, Unpack

from django.db import transaction

from commerce.kit.core import metadata as metadata_rules
from commerce.kit.core import soft_deletion
from commerce.kit.core.actor import Actor
from commerce.kit.core.locking import lock_rows
from commerce.kit.core.metadata import Metadata
from commerce.kit.core.text import LONGEST, checked, is_storable
from payments.errors import RefundReasonNotFound
from payments.models import RefundReason

LONGEST_DESCRIPTION = 1_000


class RefundReasonDetails(TypedDict, total=False):
    """The fields of a refund reason; omitted ones stay."""

    label: str
    code: str
    description: str | None
    metadata: Metadata | None


@transaction.atomic
def create(
    *, actor: Actor, label: str, code: str, description: str | None = None, metadata: Metadata | None = None
) -> RefundReason:
    """Create a refund reason. code: unique.

    Raises ValueTaken, InvalidData naming the field, Forbidden.
    """
    actor.require("payments.add_refundreason")
    reason = RefundReason()
    _write(reason, {"label": label, "code": code, "description": description, "metadata": metadata})
    return reason


@transaction.atomic
def update(*, actor: Actor, refund_reason_id: str, **changes: Unpack[RefundReasonDetails]) -> RefundReason:
    """Change the given fields; metadata is merged. Raises RefundReasonNotFound, and the errors of `create`."""
    actor.require("payments.change_refundreason")
    rows = RefundReason.objects.not_deleted().filter(pk=refund_reason_id)
    found = lock_rows(rows) if is_storable(refund_reason_id) else []
    if not found:
        raise RefundReasonNotFound(refund_reason_id)
    reason: RefundReason = found[0]
    _write(reason, changes)
    return reason


def _write(reason: RefundReason, given: RefundReasonDetails) -> None:
    for name in ("label", "code"):
        if name in given:
            setattr(reason, name, checked(given[name], field=name, longest=LONGEST, may_be_blank=False))
    if "description" in given:
        text = given["description"]
        reason.description = None if text is None else checked(text, field="description", longest=LONGEST_DESCRIPTION)
    if "metadata" in given:
        reason.metadata = metadata_rules.merged(reason.metadata, metadata_rules.checked(given["metadata"]))
    soft_deletion.refuse_taken(reason)
    reason.save()
