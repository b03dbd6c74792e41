"""The open change of a draft, with its actions. The lock of the draft also locks them."""

from dataclasses import dataclass, field

from carts.pricing.locked_cart import LockedCart
from kit.domain.actor import Actor
from orders.changes.errors import NoOpenChange
from orders.changes.open_change import StoredChange, stored_actions
from orders.common.open_edit import open_change_of_draft
from orders.drafts.locked_draft import MANAGING, lock_draft
from orders.models import OrderChangeAction
from orders.states import ChangeAction


@dataclass(slots=True)
class DraftChange(StoredChange):
    """That of a draft. cart: locked. names: what refusals call actions, by their ids, if callers do not know these."""

    cart: LockedCart
    names: dict[str, str] = field(default_factory=dict)

    def of(self, *kinds: ChangeAction) -> list[OrderChangeAction]:
        """The actions of these kinds."""
        return [action for action in self.actions if action.action in kinds]

    def name(self, action: OrderChangeAction, kind: str) -> str:
        """What refusals call the action. kind: that of the list where callers find its id."""
        return self.names.get(action.pk, f"{kind}[{action.pk}]")

    def reload(self) -> None:
        """Read the actions again. One statement."""
        self.actions = stored_actions(self.row.pk)


def lock_change(actor: Actor, draft_id: str) -> DraftChange:
    """The open change of the draft, locked until the transaction ends.

    Raises DraftNotFound, DraftConverted, NoOpenChange, Forbidden.
    """
    actor.require(MANAGING)
    cart = lock_draft(draft_id)
    row = open_change_of_draft(draft_id)
    if row is None:
        raise NoOpenChange
    return DraftChange(row, stored_actions(row.pk), cart)
