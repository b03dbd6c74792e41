"""The shipping methods of a draft in its open change: added, changed and removed."""

from decimal import Decimal
from typing import TypedDict, Unpack

from django.db import transaction

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


@transaction.atomic
def add(*, actor: Actor, draft_id: str, **method: Unpack[MethodChanges]) -> None:
    """Add a shipping method, at the option's price or at another one. shipping_option_id is required.

    Raises DraftNotFound, DraftConverted, NoOpenChange, CartFaults, InvalidData, Forbidden.
    """
    change = lock_change(actor, draft_id)
    columns = {"method_id": new_id("casm"), "amount": 0, **columns_of(change.cart, actor, method)}
    insert_actions(change, ChangeAction.SHIPPING_ADD, [columns])
    check(change, actor)


@transaction.atomic
def change_added(*, actor: Actor, draft_id: str, action_id: str, **changes: Unpack[MethodChanges]) -> None:
    """Change a shipping method that the open change adds.

    Raises DraftNotFound, DraftConverted, NoOpenChange, ActionNotFound, CartFaults, InvalidData, Forbidden.
    """
    change = lock_change(actor, draft_id)
    update_action(change.action(action_id, ChangeAction.SHIPPING_ADD), columns_of(change.cart, actor, changes))
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
    method = _forget(change, method_id)
    columns: dict[str, object] = {"method_id": method_id, "shipping_option_id": method.shipping_option_id, "amount": 0}
    if method.is_custom_amount and not {"custom_amount", "shipping_option_id"} & changes.keys():
        columns |= {"is_custom": True, "amount": method.amount}
    columns |= columns_of(change.cart, actor, changes)
    insert_actions(change, ChangeAction.SHIPPING_UPDATE, [columns])
    check(change, actor)


@transaction.atomic
def remove_method(*, actor: Actor, draft_id: str, method_id: str) -> None:
    """Remove a shipping method of the draft.

    Raises DraftNotFound, DraftConverted, NoOpenChange, ShippingMethodNotFound, Forbidden.
    """
    change = lock_change(actor, draft_id)
    option_id = _forget(change, method_id).shipping_option_id
    insert_actions(change, ChangeAction.SHIPPING_REMOVE, [{"method_id": method_id, "shipping_option_id": option_id}])


def _forget(change: DraftChange, method_id: str) -> ShippingMethodRow:
    """Delete what the change did to the draft's method, and return this. Raises ShippingMethodNotFound."""
    for method in change.cart.methods:
        if method.id == method_id:
            for action in change.of(ChangeAction.SHIPPING_UPDATE, ChangeAction.SHIPPING_REMOVE):
                if action.method_id == method_id:
                    delete_action(action)
            return method
    raise ShippingMethodNotFound(method_id)


def columns_of(cart: LockedCart, actor: Actor, changes: MethodChanges) -> dict[str, object]:
    """The columns of an action, as far as they are given. Raises InvalidData, Forbidden."""
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
