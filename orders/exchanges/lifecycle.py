"""Beginning an exchange or a claim, confirming it by its request, and discarding it."""

from collections.abc import Mapping
from typing import Unpack

from django.db import transaction

from kit.domain.actor import Actor
from orders.changes.computation import ComputedOrder
from orders.changes.errors import NoOpenChange
from orders.changes.lifecycle import ChangeTexts, checked_texts, insert_change, lock_named_order
from orders.common.locked_order import require_version
from orders.common.open_edit import cancel_open_change
from orders.exchanges.confirmation import confirm_locked
from orders.exchanges.errors import ClaimTypeRequired
from orders.exchanges.open_goods import lock_goods, require_goods
from orders.fulfillments.errors import OrderCanceled
from orders.models import Order, OrderChange
from orders.returns.reasons import check_reasons
from orders.states import ChangeKind, ClaimType


@transaction.atomic
def begin(
    *,
    actor: Actor,
    order_id: str,
    kind: ChangeKind,
    claim_type: ClaimType | None = None,
    reason_id: str | None = None,
    **texts: Unpack[ChangeTexts],
) -> str:
    """Begin an exchange or a claim, also of a completed or archived order; returns the id of the change.

    Nothing of the order changes until it is requested. claim_type, reason_id: of a claim.
    Raises UnknownOrder, OrderCanceled, ChangeOpen, ClaimTypeRequired, UnknownReturnReason, ReasonHasNested, InvalidData
    (description, internal_note, metadata), Forbidden.
    """
    require_goods(actor)
    columns = goods_columns(kind, claim_type, reason_id, texts)
    return insert_goods(lock_named_order(order_id), actor, columns)


def goods_columns(
    kind: ChangeKind, claim_type: ClaimType | None, reason_id: str | None, texts: ChangeTexts
) -> dict[str, object]:
    """The columns of a new exchange or claim. Raises what `begin` raises of its fields."""
    is_claim = kind == ChangeKind.CLAIM
    if (claim_type is not None) != is_claim:
        raise ClaimTypeRequired(is_claim=is_claim)
    check_reasons([reason_id])
    own = {"kind": kind.value, "claim_type": claim_type and claim_type.value, "reason_id": reason_id}
    return {**own, **checked_texts(texts)}


def insert_goods(order: Order, actor: Actor, columns: Mapping[str, object]) -> str:
    """Insert an exchange or a claim of the locked order; returns its id. Three statements."""
    if order.is_canceled:
        raise OrderCanceled(order.pk)
    number = OrderChange.objects.filter(order=order, kind=columns["kind"]).count() + 1
    return insert_change(order, actor, {**columns, "display_id": number})


@transaction.atomic
def request(
    *, actor: Actor, change_id: str, version: int | None = None, no_notification: bool | None = None
) -> ComputedOrder:
    """Confirm the exchange or claim; returns what it has made of the order.

    Its lines, returns, shipping, totals, stock and statuses change at once, and its units count as returned.
    version: of the order, if the caller knows it. no_notification: whether the customer gets no email.
    Raises ChangeNotFound, ChangeEnded, OrderCanceled, VersionOutdated, the errors of `confirmation.confirm_locked`,
    Forbidden.
    """
    change = lock_goods(change_id, actor=actor)
    require_version(change.order, version)
    return confirm_locked(change, actor=actor, no_notification=no_notification)


@transaction.atomic
def cancel_request(*, actor: Actor, change_id: str) -> None:
    """Discard the open exchange or claim. It stays listed as canceled, with its actions.

    Raises ChangeNotFound, ChangeEnded, OrderCanceled, NoOpenChange, Forbidden.
    """
    change = lock_goods(change_id, actor=actor)
    if not cancel_open_change(change.order, actor):
        raise NoOpenChange
