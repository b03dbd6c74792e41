"""The shipping methods of a draft in its open change: added, changed and removed."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TypedDict, Unpack

from django.db import transaction

from carts.details.faults import Faults
from carts.pricing.cart_rows import ShippingMethodRow
from carts.pricing.custom_prices import custom_price
from carts.pricing.locked_cart import LockedCart
from fulfillment.errors import ShippingMethodNotFound
from kit.domain.actor import Actor
from kit.values import text
from kit.values.ids import new_id
from kit.values.metadata import Metadata
from orders.changes.actions import delete_action, insert_actions, text_columns, update_action
from orders.drafts.effects import check
from orders.drafts.errors import NamedTwice
from orders.drafts.locked_draft import SETTING_PRICES
from orders.drafts.open_change import DraftChange, lock_change
from orders.returns.notes import checked_note
from orders.states import ChangeAction

_LONGEST_ID = 64


class MethodChanges(TypedDict, total=False):
    """What can change of a shipping method; omitted fields stay.

    custom_amount: in major units, instead of the option's price; None for that.
    """

    shipping_option_id: str
    custom_amount: Decimal | None
    description: str | None
    internal_note: str | None
    metadata: Metadata | None


@dataclass(frozen=True, slots=True)
class MethodChange:
    """A shipping method of the draft, and what changes of it."""

    method_id: str
    changes: MethodChanges


@transaction.atomic
def add(*, actor: Actor, draft_id: str, **method: Unpack[MethodChanges]) -> None:
    """Add a shipping method, at the option's price or at another one. shipping_option_id is required.

    Raises DraftNotFound, DraftConverted, NoOpenChange, CartFaults, InvalidData, Forbidden.
    """
    change = lock_change(actor, draft_id)
    insert_actions(change, ChangeAction.SHIPPING_ADD, [columns_to_add(change.cart, actor, method)])
    check(change, actor)


def add_locked(
    change: DraftChange, actor: Actor, methods: Sequence[MethodChanges], faults: Faults, *, field: str
) -> None:
    """Add methods in a locked change, which the caller checks. field: what refusals call the list.

    One statement. Raises TooManyLines, Forbidden.
    """
    rows = []
    for place, each in enumerate(methods):
        with faults.of(f"{field}[{place}]"):
            rows.append(columns_to_add(change.cart, actor, each))
    insert_actions(change, ChangeAction.SHIPPING_ADD, rows)


@transaction.atomic
def change_added(*, actor: Actor, draft_id: str, action_id: str, **changes: Unpack[MethodChanges]) -> None:
    """Change a shipping method that the open change adds.

    Raises DraftNotFound, DraftConverted, NoOpenChange, ActionNotFound, CartFaults, InvalidData, Forbidden.
    """
    change = lock_change(actor, draft_id)
    update_action(change.action(action_id, ChangeAction.SHIPPING_ADD), _columns(change.cart, actor, changes))
    check(change, actor)


@transaction.atomic
def remove_added(*, actor: Actor, draft_id: str, action_id: str) -> None:
    """Take a shipping method that the open change adds out of it.

    Raises DraftNotFound, DraftConverted, NoOpenChange, ActionNotFound, Forbidden.
    """
    delete_action(lock_change(actor, draft_id).action(action_id, ChangeAction.SHIPPING_ADD))


@transaction.atomic
def change_method(*, actor: Actor, draft_id: str, method_id: str, **changes: Unpack[MethodChanges]) -> None:
    """Change a shipping method of the draft. It replaces what the open change did to it before.

    An amount that staff have set stays, unless another option or amount is given.
    Raises DraftNotFound, DraftConverted, NoOpenChange, ShippingMethodNotFound, CartFaults, InvalidData, Forbidden.
    """
    change = lock_change(actor, draft_id)
    _forget(change, method_id)
    columns = columns_to_change(change.cart, actor, _method(change, method_id), changes)
    insert_actions(change, ChangeAction.SHIPPING_UPDATE, [columns])
    check(change, actor)


def change_methods_locked(
    change: DraftChange, actor: Actor, given: Sequence[MethodChange], faults: Faults, *, field: str
) -> None:
    """Change methods in a locked change without actions about them. The caller checks it.

    One statement. Raises TooManyLines, Forbidden.
    """
    rows, seen = [], set[str]()
    for place, each in enumerate(given):
        with faults.of(f"{field}[{place}]"):
            if each.method_id in seen:
                raise NamedTwice(each.method_id)
            seen.add(each.method_id)
            rows.append(columns_to_change(change.cart, actor, _method(change, each.method_id), each.changes))
    insert_actions(change, ChangeAction.SHIPPING_UPDATE, rows)


@transaction.atomic
def remove_method(*, actor: Actor, draft_id: str, method_id: str) -> None:
    """Remove a shipping method of the draft.

    Raises DraftNotFound, DraftConverted, NoOpenChange, ShippingMethodNotFound, Forbidden.
    """
    change = lock_change(actor, draft_id)
    _forget(change, method_id)
    insert_actions(change, ChangeAction.SHIPPING_REMOVE, [columns_to_remove(_method(change, method_id))])


def remove_methods_locked(change: DraftChange, method_ids: Sequence[str], faults: Faults, *, field: str) -> None:
    """Remove methods in a locked change, which has no other actions about them. field: what refusals call the list.

    One statement. Raises TooManyLines.
    """
    rows, seen = [], {str(each.method_id) for each in change.of(ChangeAction.SHIPPING_UPDATE)}
    for place, method_id in enumerate(method_ids):
        with faults.of(f"{field}[{place}]"):
            if method_id in seen:
                raise NamedTwice(method_id)
            seen.add(method_id)
            rows.append(columns_to_remove(_method(change, method_id)))
    insert_actions(change, ChangeAction.SHIPPING_REMOVE, rows)


def _method(change: DraftChange, method_id: str) -> ShippingMethodRow:
    """The draft's method. Raises ShippingMethodNotFound."""
    for method in change.cart.methods:
        if method.id == method_id:
            return method
    raise ShippingMethodNotFound(method_id)


def _forget(change: DraftChange, method_id: str) -> None:
    """Delete what the change did to the draft's method."""
    for action in change.of(ChangeAction.SHIPPING_UPDATE, ChangeAction.SHIPPING_REMOVE):
        if action.method_id == method_id:
            delete_action(action)


def columns_to_add(cart: LockedCart, actor: Actor, method: MethodChanges) -> dict[str, object]:
    """Those of the action that adds the method. Raises InvalidData, Forbidden."""
    return {"method_id": new_id("casm"), "amount": 0, **_columns(cart, actor, method)}


def columns_to_change(
    cart: LockedCart, actor: Actor, method: ShippingMethodRow, changes: MethodChanges
) -> dict[str, object]:
    """Those of the action that changes the method. Raises InvalidData, Forbidden."""
    columns: dict[str, object] = {"method_id": method.id, "shipping_option_id": method.shipping_option_id, "amount": 0}
    if method.is_custom_amount and not {"custom_amount", "shipping_option_id"} & changes.keys():
        columns |= {"is_custom": True, "amount": method.amount}
    return {**columns, **_columns(cart, actor, changes)}


def columns_to_remove(method: ShippingMethodRow) -> dict[str, object]:
    """Those of the action that removes the method."""
    return {"method_id": method.id, "shipping_option_id": method.shipping_option_id}


def _columns(cart: LockedCart, actor: Actor, changes: MethodChanges) -> dict[str, object]:
    """The columns that are given. Raises InvalidData, Forbidden."""
    columns = text_columns(changes)
    if "shipping_option_id" in changes:
        option_id = changes["shipping_option_id"]
        columns["shipping_option_id"] = text.checked(option_id, field="shipping_option_id", longest=_LONGEST_ID)
    if "description" in changes:
        columns["description"] = checked_note(changes["description"], field="description")
    if "custom_amount" in changes:
        amount = changes["custom_amount"]
        columns |= {"is_custom": amount is not None, "amount": 0}
        if amount is not None:
            actor.require(SETTING_PRICES)
            columns["amount"] = custom_price(amount, cart.row.currency_id, field="custom_amount")
    return columns
