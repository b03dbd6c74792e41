"""The open change of a draft, with its actions. The lock of the draft also locks them."""

from dataclasses import dataclass

from carts.pricing.locked_cart import LockedCart
from kit.domain.actor import Actor
from kit.reads.sql.locked_instances import instances
from kit.values.timestamps import now
from kit.writes import raw_rows
from orders.changes.errors import ActionNotFound, NoOpenChange
from orders.changes.open_change import stored_actions
from orders.drafts.locked_draft import MANAGING, lock_draft
from orders.models import OrderChange, OrderChangeAction
from orders.models.order_changes import OPEN_CHANGE
from orders.states import ChangeAction


@dataclass(slots=True)
class DraftChange:
    """cart: locked. actions: in their order."""

    cart: LockedCart
    row: OrderChange
    actions: list[OrderChangeAction]

    def action(self, action_id: str, *kinds: ChangeAction) -> OrderChangeAction:
        """The action with that id, of one of these kinds. Raises ActionNotFound."""
        for action in self.actions:
            if action.pk == action_id and action.action in kinds:
                return action
        raise ActionNotFound(action_id)

    def of(self, *kinds: ChangeAction) -> list[OrderChangeAction]:
        """The actions of these kinds."""
        return [action for action in self.actions if action.action in kinds]

    def change(self, **values: object) -> None:
        """Write columns of the change. One statement."""
        raw_rows.update(OrderChange, [{"id": self.row.pk, **values, "updated_at": now()}])

    def reload(self) -> None:
        """Read the actions again. One statement."""
        self.actions = stored_actions(self.row.pk)


def open_change_of(draft_id: str) -> OrderChange | None:
    """The open change of the draft, if there is one. One statement."""
    return next(iter(_OPEN.read([draft_id])), None)


def lock_change(actor: Actor, draft_id: str) -> DraftChange:
    """The open change of the draft, locked until the transaction ends.

    Raises DraftNotFound, DraftConverted, NoOpenChange, Forbidden.
    """
    actor.require(MANAGING)
    cart = lock_draft(draft_id)
    row = open_change_of(draft_id)
    if row is None:
        raise NoOpenChange
    return DraftChange(cart, row, stored_actions(row.pk))


_OPEN = instances(OrderChange, lambda: OrderChange.objects.filter(OPEN_CHANGE), key="cart_id")
