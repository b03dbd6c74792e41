"""The items of a new fulfillment, checked against the order's lines."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from catalog.models import ProductVariant
from kit.reads.sql.keyed_rows import KeyedRows
from orders.fulfillments.errors import (
    DuplicateItem,
    ItemsNotInOrder,
    LineNotNamed,
    MixedShipping,
    MoreThanOrdered,
    NothingToFulfill,
    QuantityTooSmall,
)
from orders.fulfillments.locked_lines import Line, LockedLines


@dataclass(frozen=True, slots=True)
class ItemQuantity:
    """A number of units of a line. sku: of the only line that has it, if line_id is ""."""

    line_id: str
    quantity: int
    sku: str = ""


@dataclass(frozen=True, slots=True)
class RequestedItem:
    """Units of a line. is_managed, profile_id: of its current variant and product, if they still exist."""

    line: Line
    units: int
    is_managed: bool
    profile_id: str | None


def requested_items(order: LockedLines, items: Sequence[ItemQuantity]) -> list[RequestedItem]:
    """The items with their lines, all with shipping or all without. One statement.

    Raises NothingToFulfill, LineNotNamed, DuplicateItem, QuantityTooSmall, ItemsNotInOrder, MoreThanOrdered,
    MixedShipping.
    """
    units = _counted([item if item.line_id else _with_line(order, item) for item in items])
    if unknown := [line_id for line_id in units if line_id not in order.lines]:
        raise ItemsNotInOrder(unknown, order.row.pk)
    lines = [order.lines[line_id] for line_id in units]
    for line in lines:
        if units[line.id] > line.remaining:
            raise MoreThanOrdered(line.id)
    if len({bool(line.requires_shipping) for line in lines}) > 1:
        raise MixedShipping
    variants = {row.id: row for row in _VARIANTS.read(sorted({line.variant_id for line in lines if line.variant_id}))}
    return [_requested_item(line, units[line.id], variants.get(line.variant_id or "")) for line in lines]


def _with_line(order: LockedLines, item: ItemQuantity) -> ItemQuantity:
    ids = [line.id for line in order.lines.values() if item.sku and line.variant_sku == item.sku]
    if len(ids) != 1:
        raise LineNotNamed(item.sku)
    return ItemQuantity(ids[0], item.quantity)


def _counted(items: Sequence[ItemQuantity]) -> dict[str, int]:
    if not items:
        raise NothingToFulfill
    units: dict[str, int] = {}
    for item in items:
        if item.line_id in units:
            raise DuplicateItem(item.line_id)
        if item.quantity < 1:
            raise QuantityTooSmall
        units[item.line_id] = item.quantity
    return units


class _Variant(NamedTuple):
    id: str
    manage_inventory: bool
    product__shipping_profile_id: str | None


def _requested_item(line: Line, units: int, variant: _Variant | None) -> RequestedItem:
    if variant is None:
        return RequestedItem(line, units, False, None)
    return RequestedItem(line, units, bool(variant.manage_inventory), variant.product__shipping_profile_id)


_VARIANTS = KeyedRows(ProductVariant.objects.not_deleted, key="id", row=_Variant)
