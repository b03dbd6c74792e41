"""The lines of a locked cart."""

from collections.abc import Sequence
from dataclasses import dataclass

from carts.errors import LineItemNotFound, QuantityTooLarge, TooManyLines, TooMuchMetadata
from carts.lines import sold_variants
from carts.lines.gift_recipients import recipient_of
from carts.lines.stock import check_stock
from carts.pricing.cart_rows import LineRow
from carts.pricing.locked_cart import LockedCart
from kit.errors import InvalidData
from kit.values.metadata import Metadata, checked, fingerprint, size

_MergeKey = tuple[str, bytes]
"""Items with the same variant and the same fingerprint of metadata share a line."""

MAX_LINES = 1_000
MAX_QUANTITY = 1_000_000
"""The largest quantity of one line, whose amounts then stay within the databases' integers."""

MAX_METADATA_SIZE = 1024 * 1024
"""Bytes of all lines together."""


@dataclass(frozen=True, slots=True)
class NewLineItem:
    """A variant to add. quantity: 1 or more."""

    variant_id: str
    quantity: int
    metadata: Metadata | None = None


def add_items(cart: LockedCart, items: Sequence[NewLineItem]) -> None:
    """Add the items to the lines; items of a variant with the same metadata share a line. Two statements.

    Raises VariantsNotSold, LinesNotSold, LinesOutOfStock, TooManyLines, TooMuchMetadata, InvalidData (quantity,
    metadata, the recipient of a gift card).
    """
    if not items:
        return
    variants = sold_variants.find([item.variant_id for item in items], cart.row.sales_channel_id, cart.lines)
    found: dict[_MergeKey, LineRow] = {}
    for line in cart.lines:
        if line.variant_id in variants:
            found.setdefault(_merge_key(line.variant_id, line.metadata), line)
    grown = []
    for item in items:
        variant, metadata = variants[item.variant_id], checked(item.metadata)
        if variant.product__is_giftcard:
            recipient_of(metadata)
        key = _merge_key(item.variant_id, metadata)
        if key not in found:
            found[key] = sold_variants.new_line(variant, cart_id=cart.id, quantity=0, metadata=metadata)
            cart.lines.append(found[key])
        line = found[key]
        line.quantity = checked_quantity(line.quantity + checked_quantity(item.quantity))
        grown.append(line)
    if len(cart.lines) > MAX_LINES:
        raise TooManyLines(MAX_LINES)
    if any(item.metadata for item in items):
        check_metadata(cart.lines)
    check_stock(grown, cart.lines, cart.row.sales_channel_id)


def find_line(cart: LockedCart, line_id: str) -> LineRow:
    """The cart's line with that id. Raises LineItemNotFound."""
    for line in cart.lines:
        if line.id == line_id:
            return line
    raise LineItemNotFound(line_id)


def check_metadata(lines: Sequence[LineRow]) -> None:
    """Raise TooMuchMetadata if the lines have too much metadata together."""
    if sum(size(line.metadata) for line in lines) > MAX_METADATA_SIZE:
        raise TooMuchMetadata(MAX_METADATA_SIZE)


def remove_line(cart: LockedCart, line: LineRow) -> None:
    """Remove the stored line from the locked cart."""
    cart.lines.remove(line)
    cart.removed_lines.append(line)


def checked_quantity(quantity: int) -> int:
    """The quantity of a line as it is. Raises InvalidData for less than 1, QuantityTooLarge."""
    if quantity < 1:
        raise InvalidData("Value for field 'quantity' too small, expected at least: '1'")
    if quantity > MAX_QUANTITY:
        raise QuantityTooLarge(MAX_QUANTITY)
    return quantity


def _merge_key(variant_id: str, metadata: Metadata | None) -> _MergeKey:
    return variant_id, fingerprint(metadata)
