"""What the actions of an edit do, as short texts."""

from collections.abc import Iterable, Iterator

from orders.models import OrderChangeAction
from orders.states import ChangeAction


def effects_of_actions(actions: Iterable[OrderChangeAction]) -> Iterator[str]:
    """`+2 scarf`, `-1 mug`, `new price of tee`, `Express shipping`."""
    for action in actions:
        if action.action == ChangeAction.SHIPPING_ADD:
            yield f"{action.described['name']} shipping"
            continue
        title, units = action.described["title"], (action.quantity or 0) - action.quantity_before
        if units:
            yield f"{units:+d} {title}"
        if action.quantity_before and action.unit_price is not None:
            yield f"new price of {title}"
