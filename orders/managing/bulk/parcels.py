"""Which parcels rows of tracking numbers are about. It only reads: nothing is written or locked."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from django.db.models import Q

from kit.domain.actor import Actor
from kit.errors import DomainError, InvalidData, NotFound, shown
from kit.values.text import whole_number
from orders.fulfillments.labels import NewLabel, checked_labels
from orders.managing.bulk.tracking_rows import TrackingRow
from orders.models import Fulfillment, Order

_SHORTENED = re.compile(r"[0-9]+([.,][0-9]+)?[eE]\+?[0-9]+")


class Parcel(NamedTuple):
    """A fulfillment that is not canceled. number: counts those of its order, canceled ones too.

    is_only: whether the order has no other.
    """

    row: Fulfillment
    number: int
    is_only: bool

    @property
    def name(self) -> str:
        """`#12`, or `#12, parcel 2`."""
        return str(self.row.order) if self.is_only else f"{self.row.order}, parcel {self.number}"

    @property
    def is_packed(self) -> bool:
        """Whether it waits to be shipped."""
        return self.row.shipped_at is None and self.row.delivered_at is None and self.row.requires_shipping


class Shipment(NamedTuple):
    """A parcel by its ids and name, with its tracking number; "" for none."""

    fulfillment_id: str
    order_id: str
    name: str
    tracking: str


class Problem(NamedTuple):
    """A row that ships nothing, and why. label: `Row 3: 1042`. reason: repeats nothing by which a person is known."""

    label: str
    reason: str

    @property
    def place(self) -> str:
        """`Row 3`, without what was pasted into it."""
        return self.label.partition(":")[0]


def shipment(parcel: Parcel, tracking: str) -> Shipment:
    """The shipment of the parcel."""
    return Shipment(parcel.row.pk, parcel.row.order_id, parcel.name, tracking)


def parcels_of(order_ids: Iterable[str]) -> dict[str, list[Parcel]]:
    """The parcels of these orders, by order. Those packed first come first. One statement."""
    rows = Fulfillment.objects.not_deleted().filter(order__in=list(order_ids)).order_by("created_at", "pk")
    by_order: dict[str, list[Fulfillment]] = defaultdict(list)
    for row in rows.select_related("order__billing_address", "delivery_address", "location"):
        by_order[row.order_id].append(row)
    return {order_id: _numbered(own) for order_id, own in by_order.items()}


def _numbered(own: Sequence[Fulfillment]) -> list[Parcel]:
    living = [(row, number) for number, row in enumerate(own, 1) if row.canceled_at is None]
    return [Parcel(row, number, is_only=len(living) == 1) for row, number in living]


def matched(
    rows: Sequence[TrackingRow], *, actor: Actor, typed: Sequence[Shipment] = ()
) -> tuple[list[Shipment], list[Problem]]:
    """The shipments that the rows are about, after those typed into the table; and the rows that are about none.

    Rows for the same parcel are all refused, unless they repeat the same number: then the first one counts.
    Two statements.
    """
    orders = _orders(rows, actor)
    parcels = parcels_of(order.pk for named in orders.values() for order in named)
    shipments = {each.fulfillment_id: each for each in typed}
    told: dict[str, str] = dict.fromkeys(shipments, "the table")
    contradicted: set[str] = set()
    problems = []
    for row in rows:
        try:
            found = _shipment(row, orders[_key(row.order)], parcels)
            key = found.fulfillment_id
            if key in told:
                if shipments[key].tracking != found.tracking:
                    contradicted.add(key)
                raise InvalidData(f"{found.name} is also in {told[key]}.")
            shipments[key], told[key] = found, f"row {row.place}"
        except DomainError as refusal:
            problems.append(Problem(f"Row {row.place}: {shown(row.order) or 'no order'}", refusal.message))
    for key in contradicted:
        label = f"{told[key].capitalize()}, {shipments.pop(key).name}"
        problems.append(Problem(label, "Other rows have another tracking number for the same parcel."))
    return list(shipments.values()), problems


def _key(order: str) -> str:
    return order.removeprefix("#").strip()


def _orders(rows: Sequence[TrackingRow], actor: Actor) -> Mapping[str, list[Order]]:
    """By the number in the row: `1042` and `#1042` are the same. One statement."""
    keys = {_key(row.order) for row in rows}
    numbers = {number for key in keys if (number := whole_number(key)) is not None}
    condition = Q(display_id__in=numbers) | Q(custom_display_id__in=keys)
    found: dict[str, list[Order]] = {key: [] for key in keys}
    for order in Order.objects.visible_to(actor).filter(condition):
        for key in keys & {order.custom_display_id, str(order.display_id)}:
            found[key].append(order)
    return found


def _shipment(row: TrackingRow, orders: Sequence[Order], parcels: Mapping[str, Sequence[Parcel]]) -> Shipment:
    """Raises DomainError: what is wrong with the row."""
    if not row.order or not row.tracking:
        raise InvalidData("Enter an order number and a tracking number.")
    if row.excess:
        raise InvalidData("Enter an order number, a tracking number and at most the parcel's number.")
    if _SHORTENED.fullmatch(row.tracking):
        raise InvalidData(f"A spreadsheet has shortened {row.tracking}. Format its column as text.")
    if not orders:
        raise NotFound("No order has this number.")
    if len(orders) > 1:
        raise InvalidData("More than one order has this number.")
    checked_labels([NewLabel(row.tracking)])
    return shipment(_parcel(row, parcels.get(orders[0].pk, ())), row.tracking)


def _parcel(row: TrackingRow, own: Sequence[Parcel]) -> Parcel:
    if row.parcel:
        named = [each for each in own if each.number == whole_number(row.parcel)]
        if not named:
            raise NotFound("The order has no parcel of that number.")
        if not named[0].is_packed:
            raise InvalidData(_why_not(named))
        return named[0]
    packed = [each for each in own if each.is_packed]
    if len(packed) > 1:
        numbers = " or ".join(str(each.number) for each in packed)
        raise InvalidData(f"Several parcels are packed: add the parcel's number ({numbers}) as third column.")
    if not packed:
        raise InvalidData(_why_not(own))
    return packed[0]


def _why_not(own: Sequence[Parcel]) -> str:
    if any(each.row.shipped_at for each in own):
        return "Shipped already."
    if any(each.row.delivered_at for each in own):
        return "Delivered already."
    return "Nothing is packed that must be shipped."
