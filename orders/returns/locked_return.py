"""A return that is being changed, with its items. The lock of its order also locks the return."""

from dataclasses import dataclass

from kit.values.timestamps import now
from kit.writes import raw_rows
from orders.common.open_changes import part_id
from orders.fulfillments.locked_lines import LockedLines, lock_lines
from orders.models import Return, ReturnItem
from orders.returns.errors import NotOpen, NotReceivable, ReturnItemNotFound, ReturnNotFound
from orders.states import ReturnStatus

_RECEIVABLE = frozenset({ReturnStatus.REQUESTED, ReturnStatus.PARTIALLY_RECEIVED})


@dataclass(slots=True)
class LockedReturn:
    """items: by line."""

    row: Return
    order: LockedLines
    items: dict[str, ReturnItem]

    @property
    def units(self) -> dict[str, int]:
        """Units by line."""
        return {line_id: item.quantity for line_id, item in self.items.items()}

    @property
    def is_agreed(self) -> bool:
        """Whether it belongs to an exchange or a claim: it counts from their confirmation on."""
        return self.row.change_id is not None

    @property
    def counters(self) -> tuple[str, ...]:
        """Those of lines that count its expected units."""
        return ("return_requested_quantity", *(["return_agreed_quantity"] if self.is_agreed else []))

    def item(self, item_id: str) -> ReturnItem:
        """The return item with that id, or of the change's action with it. Raises ReturnItemNotFound."""
        own_id = part_id(item_id, "retitem")
        found = next((item for item in self.items.values() if item.pk == own_id), None)
        if found is None:
            raise ReturnItemNotFound(item_id)
        return found

    def require_open(self) -> None:
        """Raise NotOpen for a return that is already requested."""
        if self.row.status != ReturnStatus.OPEN:
            raise NotOpen(self.row.status)

    def require_receivable(self) -> None:
        """Raise NotReceivable unless units of the return are still to be received."""
        if self.row.status not in _RECEIVABLE:
            raise NotReceivable(self.row.status)

    def change(self, **values: object) -> None:
        """Write columns of the return. One statement."""
        raw_rows.update(Return, [{"id": self.row.pk, **values, "updated_at": now()}])


def lock_return(return_id: str) -> LockedReturn:
    """The return, with its order locked until the transaction ends. Raises ReturnNotFound. Five statements."""
    known: Return | None = Return.objects.not_deleted().with_id(return_id)
    if known is None:
        raise ReturnNotFound(return_id)
    order = lock_lines(known.order_id)
    row = Return.objects.not_deleted().with_id(return_id)  # as it is under the lock
    if row is None:
        raise ReturnNotFound(return_id)
    items = ReturnItem.objects.not_deleted().filter(of_return=row).order_by("pk")
    return LockedReturn(row, order, {item.item_id: item for item in items})
