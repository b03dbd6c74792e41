"""Creating and changing refund reasons."""

from typing import TypedDict, Unpack

from django.db import transaction

from kit.database.locking import lock_row
from kit.domain.actor import Actor
from kit.values.metadata import Metadata
from payments.errors import RefundReasonNotFound
from payments.models import RefundReason
from shop.reasons import write_reason


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
    write_reason(reason, {"label": label, "code": code, "description": description, "metadata": metadata})
    return reason


@transaction.atomic
def update(*, actor: Actor, refund_reason_id: str, **changes: Unpack[RefundReasonDetails]) -> RefundReason:
    """Change the given fields; metadata is merged. Raises RefundReasonNotFound, and the errors of `create`."""
    actor.require("payments.change_refundreason")
    reason: RefundReason | None = lock_row(RefundReason.objects.not_deleted(), refund_reason_id)
    if reason is None:
        raise RefundReasonNotFound(refund_reason_id)
    write_reason(reason, changes)
    return reason
