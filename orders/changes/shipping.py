"""Shipping methods that the open change of an order adds. Those of the order stay: their price can be refunded."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TypedDict, Unpack

from django.db import transaction

from kit.domain.actor import Actor
from kit.values.metadata import Metadata
from kit.values.text import is_storable
from orders.changes.actions import delete_action, insert_actions, text_columns, update_action
from orders.changes.added_lines import tax_columns
from orders.changes.errors import OptionNotForOrder, ShippingWithoutPrice
from orders.changes.open_change import EDITING, SETTING_PRICES, OpenChange, lock_change
from orders.common.order_context import order_context
from orders.common.order_options import options_of_order, price_of
from orders.models import Order, OrderChangeAction
from orders.returns.errors import OptionNotForReturn
from orders.returns.notes import checked_note
from orders.states import ChangeAction


class MethodTexts(TypedDict, total=False):
    """What staff say about an added shipping method; omitted fields stay. Metadata is merged."""

    internal_note: str | None
    metadata: Metadata | None


class MethodChanges(MethodTexts, total=False):
    """What can change of an added shipping method. custom_amount: in major units; None for the option's price."""

    custom_amount: Decimal | None


@dataclass(frozen=True, slots=True)
class NewMethod:
    """A shipping option to add. custom_amount: in major units, instead of the option's price."""

    shipping_option_id: str
    custom_amount: Decimal | None = None
    description: str | None = None
    texts: MethodTexts = field(default_factory=MethodTexts)


@transaction.atomic
def add(*, actor: Actor, order_id: str, method: NewMethod) -> None:
    """Add a shipping method, at the option's present price or at another one.

    Raises OrderNotFound, OrderCanceled, OrderClosed, NoOpenChange, OptionNotForOrder, ShippingWithoutPrice,
    TooManyLines, InvalidData (custom_amount, description, internal_note, metadata), Forbidden.
    """
    actor.require(EDITING)
    add_locked(lock_change(order_id), [method], actor=actor)


def add_locked(change: OpenChange, methods: Sequence[NewMethod], *, actor: Actor, is_inbound: bool = False) -> None:
    """The same for several, of a change that is locked. At most ten statements.

    is_inbound: whether they bring units back. Raises OptionNotForReturn instead of OptionNotForOrder then.
    """
    if any(method.custom_amount is not None for method in methods):
        actor.require(SETTING_PRICES)
    told = [
        {"description": checked_note(method.description, field="description"), **text_columns(method.texts)}
        for method in methods
    ]
    wanted = [(method.shipping_option_id, method.custom_amount) for method in methods]
    priced = _columns(change.order, wanted, is_inbound=is_inbound)
    rows = [{**columns, **texts} for columns, texts in zip(priced, told, strict=True)]
    insert_actions(change, ChangeAction.SHIPPING_ADD, rows)


@transaction.atomic
def change_added(*, actor: Actor, order_id: str, action_id: str, **changes: Unpack[MethodChanges]) -> None:
    """Change a shipping method that the open change adds; with a custom_amount it is priced again.

    Raises OrderNotFound, OrderCanceled, OrderClosed, NoOpenChange, ActionNotFound, OptionNotForOrder,
    ShippingWithoutPrice, InvalidData (custom_amount, internal_note, metadata), Forbidden.
    """
    actor.require(EDITING)
    change = lock_change(order_id)
    change_locked(change, change.action(action_id, ChangeAction.SHIPPING_ADD), changes, actor=actor)


def change_locked(change: OpenChange, action: OrderChangeAction, changes: MethodChanges, *, actor: Actor) -> None:
    """The same for an action of a change that is locked."""
    if changes.get("custom_amount") is not None:
        actor.require(SETTING_PRICES)
    columns = text_columns(changes, added=action)
    if "custom_amount" in changes:
        wanted = [(str(action.shipping_option_id), changes["custom_amount"])]
        columns |= _columns(change.order, wanted, is_inbound=action.is_inbound)[0]
    update_action(action, columns)


@transaction.atomic
def remove_added(*, actor: Actor, order_id: str, action_id: str) -> None:
    """Take a shipping method that the open change adds out of it.

    Raises OrderNotFound, OrderCanceled, OrderClosed, NoOpenChange, ActionNotFound, Forbidden.
    """
    actor.require(EDITING)
    delete_action(lock_change(order_id).action(action_id, ChangeAction.SHIPPING_ADD))


def _columns(
    order: Order, wanted: Sequence[tuple[str, Decimal | None]], *, is_inbound: bool
) -> list[dict[str, object]]:
    """The columns of an action for each option and custom amount."""
    context = order_context(order.pk)
    ids = sorted({option_id for option_id, _ in wanted if is_storable(option_id)})
    options = options_of_order(context, among=ids) if ids else ()
    found = {each.id: each for each in options if (each.for_returns if is_inbound else each.for_delivery)}
    if unknown := next((option_id for option_id, _ in wanted if option_id not in found), None):
        if is_inbound:
            raise OptionNotForReturn(unknown, field="shipping_option_id")
        raise OptionNotForOrder(unknown)
    taxes = context.tax_place.taxes_on([found[option_id].goods for option_id, _ in wanted])
    rows = []
    for (option_id, custom_amount), applicable in zip(wanted, taxes, strict=True):
        option = found[option_id]
        price = price_of(option, custom_amount, context.price_context, order.currency_id)
        if price is None:
            raise ShippingWithoutPrice(option.row.name)
        rows.append(
            {
                "shipping_option_id": option_id,
                "described": {"name": option.row.name},
                "is_custom": custom_amount is not None,
                "is_inbound": is_inbound,
                **price._asdict(),
                **tax_columns(order, applicable),
            }
        )
    return rows
