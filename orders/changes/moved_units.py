"""Units of lines that come back or are written off by an exchange or a claim. No database.

Why: docs/decisions/order-changes.md#units-of-an-exchange-count-as-returned-at-once.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from orders.changes.discounts.discounted_lines import as_placed
from orders.changes.order_rows import Action, ClaimUnits, OrderLine, ReturnUnits, UndoUnits


@dataclass(frozen=True, slots=True)
class MovedUnits:
    """Units by line; negative where a canceled change takes them back.

    returned: expected. written_off: claimed ones that stay with the customer, or never came.
    """

    returned: Mapping[str, int] = field(default_factory=dict)
    written_off: Mapping[str, int] = field(default_factory=dict)

    def of(self, line_id: str) -> int:
        """All units of the line."""
        return self.returned.get(line_id, 0) + self.written_off.get(line_id, 0)


def moved_units(actions: Sequence[Action]) -> MovedUnits:
    """What the actions move. Claimed units that come back are not written off."""
    returned: dict[str, int] = {}
    written_off: dict[str, int] = {}
    for action in actions:
        match action:
            case ReturnUnits(line_id, quantity):
                returned[line_id] = quantity
            case ClaimUnits(line_id, quantity):
                written_off[line_id] = quantity
            case UndoUnits(line_id, back, off):
                returned[line_id], written_off[line_id] = -back, -off
    kept = {
        line_id: units if units < 0 else max(units - max(returned.get(line_id, 0), 0), 0)
        for line_id, units in written_off.items()
    }
    return MovedUnits(_some(returned), _some(kept))


def moved(line: OrderLine, units: MovedUnits) -> OrderLine:
    """The line with its units counted."""
    back, off = units.returned.get(line.id, 0), units.written_off.get(line.id, 0)
    return replace(
        line,
        return_requested_quantity=line.return_requested_quantity + back,
        return_agreed_quantity=line.return_agreed_quantity + back,
        returned_quantity=line.returned_quantity + off,
    )


def agreed_total(line: OrderLine, currency_code: str) -> int:
    """What the agreed units of the line hold, of what its units cost that were not returned."""
    if not line.return_agreed_quantity:
        return 0
    placed = as_placed(line, currency_code)
    kept = line.kept_quantity
    return placed.kept(kept).total - placed.kept(kept - line.return_agreed_quantity).total


def _some(units: Mapping[str, int]) -> dict[str, int]:
    return {line_id: number for line_id, number in units.items() if number}
