"""What the open change of a draft makes of it: the preview and the confirmation call `apply`."""

from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from django.db import transaction

from carts.details.faults import Faults
from carts.details.line_replacement import WantedLine
from carts.details.promotion_codes import codes_of
from carts.details.replacement import CartParts, WantedMethod, put_parts
from carts.promotions.codes import code_key
from kit.domain.actor import Actor
from kit.values.metadata import Metadata, merged
from orders.changes.errors import NoOpenChange
from orders.drafts.methods import DraftMethod, wanted_methods
from orders.drafts.open_change import DraftChange, lock_change
from orders.models import OrderChangeAction
from orders.states import ChangeAction

Read = TypeVar("Read")
_ADDS_METHOD = (ChangeAction.SHIPPING_ADD, ChangeAction.SHIPPING_UPDATE)
_METHODS = (*_ADDS_METHOD, ChangeAction.SHIPPING_REMOVE)
_LINES = (ChangeAction.ITEM_ADD, ChangeAction.ITEM_UPDATE)
_CODES = (ChangeAction.PROMOTION_ADD, ChangeAction.PROMOTION_REMOVE)


def apply(change: DraftChange, actor: Actor, faults: Faults) -> None:
    """Apply the actions to the locked draft. What it cannot have is left out, and becomes a fault."""
    parts: CartParts = {}
    if change.of(*_LINES):
        parts["items"] = _lines(change)
    if change.of(*_CODES):
        parts["promo_codes"] = _codes(change)
    put_parts(change.cart, faults, actor=actor, **parts)
    if change.of(*_METHODS):  # their rules compare what the lines cost
        put_parts(change.cart, faults, actor=actor, shipping_methods=_methods(change, faults))


def check(change: DraftChange, actor: Actor) -> None:
    """Raise CartFaults if the change cannot be confirmed as it is. Its actions are read again; nothing else stays."""
    change.reload()
    faults = Faults()
    with transaction.atomic():
        apply(change, actor, faults)
        transaction.set_rollback(True)
    faults.raise_any()


def previewed(actor: Actor, draft_id: str, read: Callable[[], Read]) -> Read:
    """What `read` reads while the draft's open change is applied; nothing of that remains. The draft without one.

    Raises DraftNotFound, DraftConverted, Forbidden.
    """
    with transaction.atomic():
        with suppress(NoOpenChange):
            apply(lock_change(actor, draft_id), actor, Faults())
        shown = read()
        transaction.set_rollback(True)
    return shown


def _lines(change: DraftChange) -> list[WantedLine]:
    updates = {action.line_id: action for action in change.of(ChangeAction.ITEM_UPDATE)}
    kept = []
    for line in change.cart.lines:
        action = updates.get(line.id)
        if action is None:
            kept.append(WantedLine(line.quantity, metadata=line.metadata, line_id=line.id))
        elif action.quantity:
            metadata = line.metadata if action.metadata is None else merged(line.metadata, action.metadata)
            kept.append(_wanted_line(change, action, metadata=metadata))
    return kept + [
        _wanted_line(change, action, metadata=action.metadata) for action in change.of(ChangeAction.ITEM_ADD)
    ]


def _wanted_line(change: DraftChange, action: OrderChangeAction, *, metadata: Metadata | None) -> WantedLine:
    return WantedLine(
        action.quantity or 0,
        variant_id=action.variant_id,
        metadata=metadata,
        line_id=action.line_id,
        title=action.title,
        unit_price=action.unit_price,
        compare_at_unit_price=action.compare_at_unit_price,
        field=change.name(action, "items"),
    )


def _codes(change: DraftChange) -> list[str]:
    gone = {code_key(str(action.code)) for action in change.of(ChangeAction.PROMOTION_REMOVE)}
    added = [str(action.code) for action in change.of(ChangeAction.PROMOTION_ADD)]
    return [code for code in codes_of(change.cart) if code_key(code) not in gone] + added


def _methods(change: DraftChange, faults: Faults) -> list[WantedMethod]:
    changed = {str(action.method_id): action for action in change.of(*_METHODS)}
    kept = [
        WantedMethod(
            method.shipping_option_id,
            method.name,
            method_id=method.id,
            amount=method.amount if method.is_custom_amount else None,
            is_tax_inclusive=bool(method.is_tax_inclusive),
        )
        for method in change.cart.methods
        if method.id not in changed
    ]
    chosen = [
        DraftMethod(
            str(action.shipping_option_id),
            custom_amount=action.amount if action.is_custom else None,
            method_id=action.method_id,
            description=action.description,
            metadata=action.metadata,
            field=change.name(action, "shipping_methods"),
        )
        for action in change.of(*_ADDS_METHOD)
    ]
    return kept + wanted_methods(change.cart, chosen, faults)
