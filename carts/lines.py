"""Putting variants into a cart that is held open."""

from collections.abc import Sequence
from dataclasses import dataclass

from carts import sold_variants
from carts.cart_rows import LineRow
from carts.errors import LineItemNotFound, QuantityTooLarge, TooManyLines, TooMuchMetadata
from carts.open_cart import OpenCart
from carts.stock import check_stock
from commerce.kit.core.errors import InvalidData
from commerce.kit.core.metadata import Metadata, checked, fingerprint, size

_Likeness = tuple[str, bytes]
"""What pieces of one line have in common: the variant, and the metadata's fingerprint."""

MAX_LINES = 1_000
MAX_QUANTITY = 1_000_000
"""Of one line: with it, no amount of a line is beyond what a database's integer holds."""

MAX_METADATA_SIZE = 1024 * 1024
"""Bytes of all lines together."""


@dataclass(frozen=True, slots=True)
class NewLineItem:
    """quantity: 1 or more."""

    variant_id: str
    quantity: int
    metadata: Metadata | None = None


def add_items(cart: OpenCart, pieces: Sequence[NewLineItem]) -> None:
    """Hold the pieces as lines; those of a variant with the same metadata are one line. Two statements.

    Raises VariantsNotSold, VariantsOutOfStock, TooManyLines, TooMuchMetadata, InvalidData (quantity, metadata).
    """
    if not pieces:
        return
    variants = sold_variants.find([piece.variant_id for piece in pieces], cart.row.sales_channel_id)
    found: dict[_Likeness, LineRow] = {}
    for line in cart.lines:
        if line.variant_id in variants:
            found.setdefault(_likeness(line.variant_id, line.metadata), line)
    grown = []
    for piece in pieces:
        metadata = checked(piece.metadata)
        likeness = _likeness(piece.variant_id, metadata)
        if likeness not in found:
            variant = variants[piece.variant_id]
            found[likeness] = sold_variants.new_line(variant, cart_id=cart.id, quantity=0, metadata=metadata)
            cart.lines.append(found[likeness])
        line = found[likeness]
        line.quantity = checked_quantity(line.quantity + checked_quantity(piece.quantity))
        grown.append(line)
    if len(cart.lines) > MAX_LINES:
        raise TooManyLines(MAX_LINES)
    if any(piece.metadata for piece in pieces):
        check_metadata(cart.lines)
    check_stock(grown, cart.lines, cart.row.sales_channel_id)


def find_line(cart: OpenCart, line_id: str) -> LineRow:
    """The cart's line with that id. Raises LineItemNotFound."""
    for line in cart.lines:
        if line.id == line_id:
            return line
    raise LineItemNotFound(line_id)


def check_metadata(lines: Sequence[LineRow]) -> None:
    """Refuse lines that hold too much of it together. Raises TooMuchMetadata."""
    if sum(size(line.metadata) for line in lines) > MAX_METADATA_SIZE:
        raise TooMuchMetadata(MAX_METADATA_SIZE)


def remove_line(cart: OpenCart, line: LineRow) -> None:
    """Hold the cart without the stored line."""
    cart.lines.remove(line)
    cart.removed_lines.append(line)


def checked_quantity(quantity: int) -> int:
    """The quantity of a line. Raises InvalidData for less than one piece, QuantityTooLarge."""
    if quantity < 1:
        raise InvalidData("Value for field 'quantity' too small, expected at least: '1'")
    if quantity > MAX_QUANTITY:
        raise QuantityTooLarge(MAX_QUANTITY)
    return quantity


def _likeness(variant_id: str, metadata: Metadata | None) -> _Likeness:
    return variant_id, fingerprint(metadata)
