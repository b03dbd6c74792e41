"""The locations where the stock of an order's unpacked lines is reserved."""

from collections import defaultdict
from collections.abc import Mapping
from functools import cached_property

from orders.fulfillments.locked_lines import Line
from orders.fulfillments.stock import Reserved, reserved_for
from shop.models import StockLocation


class ReservedStock:
    """The reservations of these lines. Two statements."""

    def __init__(self, lines: Mapping[str, Line]) -> None:
        self._lines = lines
        self._of_line: dict[str, list[Reserved]] = defaultdict(list)
        for row in sorted(reserved_for(list(lines))):
            self._of_line[row.line_item_id].append(row)

    @cached_property
    def names(self) -> Mapping[str, str]:
        """The names of the locations by id, sorted by name."""
        ids = {row.location_id for rows in self._of_line.values() for row in rows}
        places = StockLocation.objects.filter(pk__in=ids).order_by("name", "pk") if ids else ()
        return {place.pk: place.name for place in places}

    def is_reserved(self, line: Line) -> bool:
        """Whether any stock is reserved for the line."""
        return bool(self._of_line[line.id])

    def units_at(self, line: Line, location_id: str | None) -> int:
        """The number of units that can be packed there; all remaining units of a line without reservations."""
        items: dict[str, tuple[int, int]] = defaultdict(lambda: (0, 0))
        for row in self._of_line[line.id]:
            here, total = items[row.inventory_item_id]
            items[row.inventory_item_id] = (
                here + (row.quantity if row.location_id == location_id else 0),
                total + row.quantity,
            )
        return min((here * line.remaining // total for here, total in items.values()), default=line.remaining)

    def fullest(self, lines: list[Line]) -> str | None:
        """The location from which the most units of the lines can be packed."""
        return max(self.names, key=lambda place: sum(self.units_at(line, place) for line in lines), default=None)

    def where(self, line: Line) -> str:
        """`reserved: 3 in Berlin, 2 in Leipzig`, in units."""
        here = {name: self.units_at(line, place) for place, name in self.names.items()}
        if not self.is_reserved(line):
            return "not taken from stock"
        return f"reserved: {', '.join(f'{units} in {name}' for name, units in here.items() if units)}"

    def pieces(self, units: Mapping[str, int], location_id: str | None) -> list[str]:
        """`3 x TEA-1` for each item that packing these units takes from the location."""
        taken: dict[str, int] = defaultdict(int)
        for line_id, number in units.items():
            line, total = self._lines[line_id], defaultdict[str, int](int)
            for row in self._of_line[line_id]:
                total[row.inventory_item__sku or row.inventory_item__title] += row.quantity
            for item, quantity in total.items():
                taken[item] += quantity * number // line.remaining
        return [f"{quantity} x {item}" for item, quantity in taken.items()]
