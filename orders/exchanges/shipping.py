"""Shipping of an exchange or a claim, each way: one method brings units back, any number go out."""

from typing import Unpack

from django.db import transaction

from kit.domain.actor import Actor
from orders.changes import shipping
from orders.changes.actions import delete_action
from orders.changes.errors import ActionNotFound
from orders.changes.open_change import OpenChange
from orders.changes.shipping import MethodChanges, NewMethod
from orders.exchanges.open_goods import lock_goods
from orders.models import OrderChangeAction
from orders.states import ChangeAction


@transaction.atomic
def add(*, actor: Actor, change_id: str, method: NewMethod, is_inbound: bool) -> None:
    """Add a shipping method, at the option's present price or at another one; an inbound one replaces the former one.

    is_inbound: whether it brings units back.
    Raises ChangeNotFound, ChangeEnded, OrderCanceled, OptionNotForReturn, OptionNotForOrder, ShippingWithoutPrice,
    TooManyLines, InvalidData (custom_amount, description, internal_note, metadata), Forbidden.
    """
    add_locked(lock_goods(change_id, actor=actor), method, actor=actor, is_inbound=is_inbound)


def add_locked(change: OpenChange, method: NewMethod, *, actor: Actor, is_inbound: bool) -> None:
    """The same for a change that is locked."""
    if is_inbound:
        for action in [each for each in change.actions if each.is_inbound]:
            delete_action(action)
            change.actions.remove(action)
    shipping.add_locked(change, [method], actor=actor, is_inbound=is_inbound)


@transaction.atomic
def change(*, actor: Actor, change_id: str, action_id: str, is_inbound: bool, **changes: Unpack[MethodChanges]) -> None:
    """Change a shipping method; with a custom_amount it is priced again.

    Raises ActionNotFound, and the errors of `add`.
    """
    opened = lock_goods(change_id, actor=actor)
    shipping.change_locked(opened, _action(opened, action_id, is_inbound=is_inbound), changes, actor=actor)


@transaction.atomic
def remove(*, actor: Actor, change_id: str, action_id: str, is_inbound: bool) -> None:
    """Take a shipping method out. Raises ChangeNotFound, ChangeEnded, OrderCanceled, ActionNotFound, Forbidden."""
    opened = lock_goods(change_id, actor=actor)
    delete_action(_action(opened, action_id, is_inbound=is_inbound))


def _action(change: OpenChange, action_id: str, *, is_inbound: bool) -> OrderChangeAction:
    action = change.action(action_id, ChangeAction.SHIPPING_ADD)
    if action.is_inbound != is_inbound:
        raise ActionNotFound(action_id)
    return action
