"""Changes of an order and what their actions do, as short texts."""

from collections.abc import Iterable, Iterator

from orders.admin.columns import status_name
from orders.models import OrderChange, OrderChangeAction
from orders.states import ChangeAction


def change_name(row: OrderChange) -> str:
    """`Edit`, `Exchange 1`, `Claim 2`."""
    name = status_name(row.kind)
    return f"{name} {row.display_id}" if row.display_id else name


def effects_of_actions(actions: Iterable[OrderChangeAction]) -> Iterator[str]:
    """`+2 scarf`, `-1 mug`, `new price of tee`, `1 mug to come back`, `1 mug claimed (missing item)`."""
    for action in actions:
        if action.action == ChangeAction.SHIPPING_ADD:
            yield f"{action.described['name']} {'return ' if action.is_inbound else ''}shipping"
            continue
        title, units = action.described["title"], (action.quantity or 0) - action.quantity_before
        if action.action == ChangeAction.RETURN_ITEM:
            yield f"{action.quantity} {title} to come back"
        elif action.action == ChangeAction.WRITE_OFF_ITEM:
            why = (action.claim_reason or "").replace("_", " ")
            yield f"{action.quantity} {title} claimed{f' ({why})' if why else ''}"
        elif units:
            yield f"{units:+d} {title}"
        if action.quantity_before and action.unit_price is not None:
            yield f"new price of {title}"
