"""Giving a locked cart other lines at once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from carts.details.faults import Faults
from carts.errors import LinesOutOfStock, LinesWithoutPrice, TooManyLines, VariantsNotSold
from carts.lines import sold_variants
from carts.lines.gift_recipients import recipient_of
from carts.lines.lines import MAX_LINES, check_metadata, checked_quantity, find_line, remove_line
from carts.lines.sold_variants import SoldVariant
from carts.lines.stock import short_lines
from carts.pricing.cart_rows import LineRow
from carts.pricing.line_titles import line_titles
from carts.pricing.locked_cart import LockedCart
from carts.pricing.refreshing import refresh
from kit.values.metadata import Metadata, checked


@dataclass(frozen=True, slots=True)
class WantedLine:
    """A line that a cart shall have. line_id: of a line that it has already; None for a new one.

    variant_id: of a new line; the others keep theirs.
    """

    quantity: int
    variant_id: str | None = None
    metadata: Metadata | None = None
    line_id: str | None = None


def put_lines(cart: LockedCart, wanted: Sequence[WantedLine], faults: Faults) -> dict[str, str]:
    """Give the locked cart these lines and no others; those that it cannot have are left out, and become faults.

    Returns the fields of the others, `items[2]`, by the ids of their lines. At most three statements.
    """
    named = [variant_id for each in wanted if (variant_id := each.variant_id)]
    variants = sold_variants.find_sold(named, cart.row.sales_channel_id) if named else {}
    lines: list[LineRow] = []
    fields: dict[str, str] = {}
    before = {line.id: line.quantity for line in cart.lines}
    for place, each in enumerate(wanted):
        with faults.of(f"items[{place}]"):
            line = _line(cart, each, variants)
            lines.append(line)
            fields[line.id] = f"items[{place}]"
    for line in [line for line in cart.lines if line.id not in fields]:
        remove_line(cart, line)
    cart.lines[:] = lines
    if len(lines) > MAX_LINES:
        faults.add("items", TooManyLines(MAX_LINES))
    with faults.of("items"):
        check_metadata(lines)
    grown = [line for line in lines if line.quantity > before.get(line.id, 0)]
    for line in short_lines(grown, lines, cart.row.sales_channel_id):
        faults.add(fields[line.id], LinesOutOfStock(line_titles([line])))
        _leave_out(cart, line)
    return fields


def refresh_priced(cart: LockedCart, fields: Mapping[str, str], faults: Faults) -> None:
    """Refresh the cart without the lines that have no price, which become faults. fields: as `put_lines` returns.

    Raises what `refresh` raises otherwise.
    """
    try:
        refresh(cart)
    except LinesWithoutPrice as error:  # before it has written anything
        for line in [line for line in cart.lines if line.id in error.line_ids]:
            faults.add(fields.get(line.id, "items"), LinesWithoutPrice(line_titles([line])))
            _leave_out(cart, line)
        refresh(cart)


def _line(cart: LockedCart, wanted: WantedLine, variants: Mapping[str, SoldVariant]) -> LineRow:
    """The line as the cart shall have it. Raises the errors of adding it."""
    quantity, metadata = checked_quantity(wanted.quantity), checked(wanted.metadata)
    if wanted.line_id is not None:
        line = find_line(cart, wanted.line_id)
        line.quantity, line.metadata = quantity, metadata
        return line
    variant = variants.get(str(wanted.variant_id))
    if variant is None:
        raise VariantsNotSold([str(wanted.variant_id)])
    if variant.product__is_giftcard:
        recipient_of(metadata)
    return sold_variants.new_line(variant, cart_id=cart.id, quantity=quantity, metadata=metadata)


def _leave_out(cart: LockedCart, line: LineRow) -> None:
    if line.is_new:
        cart.lines.remove(line)
    else:
        remove_line(cart, line)
