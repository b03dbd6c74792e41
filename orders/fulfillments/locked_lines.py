"""An order whose fulfillments or returns are being changed: its row is locked, its lines are loaded.

The order's lock comes before those of stock levels, and serves its lines and fulfillments too.
Why: docs/decisions/orders.md#locks-are-taken-in-one-order.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from kit.domain.actor import SYSTEM, Actor
from kit.reads.sql.keyed_rows import KeyedRows
from kit.values.timestamps import now
from kit.writes import raw_rows
from orders.common.locked_order import lock_order
from orders.fulfillments.errors import FulfillmentNotFound, OrderCanceled
from orders.fulfillments.status import LineProgress, fulfillment_status
from orders.models import Fulfillment, FulfillmentItem, Order, OrderLineItem


@dataclass(slots=True)
class Line:
    """A line with its counters."""

    id: str
    title: str
    variant_title: str | None
    variant_sku: str | None
    variant_barcode: str | None
    variant_id: str | None
    requires_shipping: bool
    is_giftcard: bool
    quantity: int
    fulfilled_quantity: int
    shipped_quantity: int
    delivered_quantity: int
    return_requested_quantity: int
    return_agreed_quantity: int
    return_received_quantity: int
    return_dismissed_quantity: int
    written_off_quantity: int

    @property
    def remaining(self) -> int:
        """Units that are not fulfilled yet."""
        return self.quantity - self.fulfilled_quantity

    @property
    def returned(self) -> int:
        """Received units, including damaged ones."""
        return self.return_received_quantity + self.return_dismissed_quantity

    @property
    def name(self) -> str:
        return f"{self.title} ({self.variant_title})" if self.variant_title else self.title

    @property
    def progress(self) -> LineProgress:
        counters = (self.quantity, self.fulfilled_quantity, self.shipped_quantity, self.delivered_quantity)
        return LineProgress(*counters, self.returned, bool(self.requires_shipping), self.written_off_quantity)


@dataclass(slots=True)
class LockedLines:
    """row: locked. lines: by id."""

    row: Order
    lines: dict[str, Line]
    _changed: set[str] = field(default_factory=set)

    def require_not_canceled(self) -> None:
        """Raise OrderCanceled for a canceled order."""
        if self.row.is_canceled:
            raise OrderCanceled(self.row.pk)

    def adjust_counter(self, counter: str, units: Mapping[str, int], *, sign: int = 1) -> None:
        """Add units to a counter of their lines; subtract them with sign=-1. units: by line id."""
        for line_id, number in units.items():
            line = self.lines[line_id]
            setattr(line, counter, getattr(line, counter) + sign * number)
            self._changed.add(line_id)

    def write(self, **columns: object) -> None:
        """Write the counters that have changed, and the order's next version with the status that follows from them.

        columns: of the order, to write with them. Two statements, one if no counter has changed.
        """
        moment, version = now(), self.row.version + 1
        raw_rows.update(OrderLineItem, [self._row(line_id, version, moment) for line_id in sorted(self._changed)])
        lines = [line.progress for line in self.lines.values()]
        status = fulfillment_status(lines, is_canceled=self.row.is_canceled)
        row = {"version": version, "fulfillment_status": status.value, "fulfillment_count": self.row.fulfillment_count}
        raw_rows.update(Order, [{"id": self.row.pk, **row, **columns, "updated_at": moment}])

    def _row(self, line_id: str, version: int, moment: object) -> dict[str, object]:
        counters = {name: getattr(self.lines[line_id], name) for name in _COUNTERS}
        return {"id": line_id, **counters, "version": version, "updated_at": moment}


@dataclass(slots=True)
class LockedFulfillment:
    """A fulfillment with its items, and its order."""

    row: Fulfillment
    order: LockedLines
    items: list[FulfillmentItem]

    @property
    def units(self) -> dict[str, int]:
        """Units by line id."""
        return {item.line_item_id: item.units for item in self.items}

    @property
    def is_packed(self) -> bool:
        """Whether the fulfillment is neither shipped, nor delivered, nor canceled."""
        return self.row.shipped_at is None and self.row.delivered_at is None and self.row.canceled_at is None

    def change(self, **values: object) -> None:
        """Write columns of the fulfillment. One statement."""
        raw_rows.update(Fulfillment, [{"id": self.row.pk, **values, "updated_at": now()}])


def lock_lines(order_id: str, *, actor: Actor = SYSTEM) -> LockedLines:
    """The order, locked until the transaction ends. Raises OrderNotFound. Two statements.

    actor: who must be able to see it.
    """
    return LockedLines(lock_order(order_id, actor=actor), lines_of(order_id))


def lines_of(order_id: str) -> dict[str, Line]:
    """The lines of the order by id, in the order of their ids. One statement."""
    lines: Iterable[Line] = _LINES.read([order_id])
    return {line.id: line for line in sorted(lines, key=lambda line: line.id)}


def lock_fulfillment(fulfillment_id: str, *, order_id: str | None = None) -> LockedFulfillment:
    """The fulfillment; its order is locked until the transaction ends. Five statements.

    order_id: of the order that it must belong to. Raises FulfillmentNotFound.
    """
    known: Fulfillment | None = Fulfillment.objects.not_deleted().with_id(fulfillment_id)
    if known is None or order_id not in (None, known.order_id):
        raise FulfillmentNotFound(fulfillment_id)
    order = lock_lines(known.order_id)
    row = Fulfillment.objects.get(pk=known.pk)  # as it is under the lock
    return LockedFulfillment(row, order, list(FulfillmentItem.objects.filter(fulfillment=row).order_by("pk")))


_COUNTERS = (
    *("fulfilled_quantity", "shipped_quantity", "delivered_quantity"),
    *("return_requested_quantity", "return_received_quantity", "return_dismissed_quantity"),
    *("return_agreed_quantity", "written_off_quantity"),
)
_LINES = KeyedRows(OrderLineItem.objects.not_deleted, key="order_id", row=Line)
