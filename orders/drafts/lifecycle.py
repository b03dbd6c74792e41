"""Beginning, confirming and canceling a change of a draft. Nothing of the draft changes before it is confirmed."""

from typing import Unpack

from django.db import transaction

from carts.details.faults import Faults
from carts.models import Cart
from kit.domain.actor import Actor
from kit.values.money import stored
from kit.values.timestamps import now
from orders.changes.errors import ChangeOpen, NoActions
from orders.changes.lifecycle import ChangeTexts, checked_texts, insert_row
from orders.common.open_edit import acting, open_change_of_draft
from orders.drafts.effects import apply, check
from orders.drafts.locked_draft import MANAGING, lock_draft
from orders.drafts.open_change import DraftChange, lock_change
from orders.states import ChangeKind, OrderChangeStatus


@transaction.atomic
def begin(*, actor: Actor, draft_id: str, **texts: Unpack[ChangeTexts]) -> str:
    """Begin to change a draft; returns the id of the change. A draft has one open change.

    Raises DraftNotFound, DraftConverted, ChangeOpen, InvalidData (description, internal_note, metadata), Forbidden.
    """
    actor.require(MANAGING)
    columns = checked_texts(texts)
    cart = lock_draft(draft_id)
    if (open_already := open_change_of_draft(cart.id)) is not None:
        raise ChangeOpen(cart.id, open_already.pk, open_already.created_by)
    return insert_row(actor, {**columns, "kind": ChangeKind.DRAFT.value, "cart_id": cart.id, "order_version": 1})


@transaction.atomic
def request(*, actor: Actor, draft_id: str) -> None:
    """Mark the open change of the draft as ready to be confirmed. It can still be changed.

    Raises DraftNotFound, DraftConverted, NoOpenChange, NoActions, CartFaults, Forbidden.
    """
    change = lock_change(actor, draft_id)
    if not change.actions:
        raise NoActions
    check(change, actor)
    change.change(status=OrderChangeStatus.REQUESTED.value, requested_by=acting(actor), requested_at=now())


@transaction.atomic
def confirm(*, actor: Actor, draft_id: str) -> None:
    """Apply the open change to the draft: lines, codes, shipping methods and all amounts change at once.

    Raises DraftNotFound, DraftConverted, NoOpenChange, NoActions, CartFaults with all that is wrong, Forbidden.
    """
    change, faults = lock_change(actor, draft_id), Faults()
    confirm_locked(change, actor, faults)
    faults.raise_any()


def confirm_locked(change: DraftChange, actor: Actor, faults: Faults) -> None:
    """The same for a change that is locked. What the draft cannot have is left out, and becomes a fault."""
    if not change.actions:
        raise NoActions
    total_before = stored(Cart.objects.only("total").get(pk=change.cart.id).total)
    apply(change, actor, faults)
    assert change.cart.costs is not None  # noqa: S101 - the cart was refreshed
    change.change(
        status=OrderChangeStatus.CONFIRMED.value,
        confirmed_by=acting(actor),
        confirmed_at=now(),
        total_before=total_before,
        total_after=change.cart.costs.cart.total,
    )


@transaction.atomic
def cancel(*, actor: Actor, draft_id: str) -> None:
    """Cancel the open change: the draft stays as it is.

    Raises DraftNotFound, DraftConverted, NoOpenChange, Forbidden.
    """
    change = lock_change(actor, draft_id)
    change.change(status=OrderChangeStatus.CANCELED.value, canceled_by=acting(actor), canceled_at=now())
