"""What the actions of an edit, an exchange or a claim do, as short texts."""

from collections.abc import Iterable, Iterator

from orders.models import OrderChangeAction
from orders.states import ChangeAction

_OF_UNITS: dict[str, str] = {ChangeAction.RETURN_ITEM: "back", ChangeAction.WRITE_OFF_ITEM: "claimed"}


def effects_of_actions(actions: Iterable[OrderChangeAction]) -> Iterator[str]:
    """`+2 scarf`, `-1 mug`, `new price of tee`, `Express shipping`, `1 cup back`, `1 cup claimed`."""
    for action in actions:
        if action.action == ChangeAction.SHIPPING_ADD:
            yield f"{action.described['name']} shipping"
            continue
        if action.action in _OF_UNITS:
            yield f"{action.quantity} {action.described['title']} {_OF_UNITS[action.action]}"
            continue
        title, units = action.described["title"], (action.quantity or 0) - action.quantity_before
        if units:
            yield f"{units:+d} {title}"
        if action.quantity_before and action.unit_price is not None:
            yield f"new price of {title}"
