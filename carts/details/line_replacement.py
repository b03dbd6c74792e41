"""Giving a locked cart other lines at once."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal

from carts.details.faults import Faults
from carts.errors import (
    GiftCardInDraft,
    LineItemNotFound,
    LinesOutOfStock,
    LinesWithoutPrice,
    TooManyLines,
    VariantsNotSold,
)
from carts.lines import sold_variants
from carts.lines.gift_recipients import recipient_of
from carts.lines.lines import MAX_LINES, check_metadata, checked_quantity, remove_line
from carts.lines.sold_variants import SoldVariant
from carts.lines.stock import lines_beyond_stock
from carts.pricing.cart_context import cart_context_of
from carts.pricing.cart_rows import LineRow
from carts.pricing.custom_prices import custom_price
from carts.pricing.line_prices import set_prices
from carts.pricing.line_titles import line_titles
from carts.pricing.locked_cart import LockedCart
from carts.pricing.refreshing import refresh
from kit.errors import InvalidData
from kit.values.metadata import Metadata, checked

_Price = tuple[int, int | None]
"""A unit price and the one before, in 1/10,000."""


@dataclass(frozen=True, slots=True)
class WantedLine:
    """A line that a cart shall have. line_id: of a line that it has already, or the id that a new one gets.

    variant_id: of a new line; the others keep theirs. metadata: replaces the line's.
    The rest is for drafts. unit_price, compare_at_unit_price: in major units, instead of the catalogue's; None keeps
    the price that a line has. title: of a new line without a variant, which needs a unit_price.
    field: what refusals call it; its place in the list by default.
    """

    quantity: int
    variant_id: str | None = None
    metadata: Metadata | None = None
    line_id: str | None = None
    title: str | None = None
    unit_price: Decimal | None = None
    compare_at_unit_price: Decimal | None = None
    requires_shipping: bool = True
    field: str = ""


def put_lines(cart: LockedCart, wanted: Sequence[WantedLine], faults: Faults) -> dict[str, str]:
    """Give the locked cart these lines and no others; those that it cannot have are left out, and become faults.

    Of lines that share stock, the first get it; drafts take no account of it. Returns the fields of the others,
    `items[2]`, by the ids of their lines. At most six statements.
    """
    named = [variant_id for each in wanted if (variant_id := each.variant_id)]
    variants = sold_variants.find_sold(named, cart.row.sales_channel_id) if named else {}
    stored = {line.id: line for line in cart.lines}
    before = {line.id: line.quantity for line in cart.lines}
    lines, fields = list[LineRow](), dict[str, str]()
    priced = list[tuple[LineRow, _Price]]()
    for place, each in enumerate(wanted):
        name = each.field or f"items[{place}]"
        with faults.of(name):
            line = _line(cart, each, stored.pop(each.line_id or "", None), variants)
            if (price := _custom_price(cart, each)) is not None:
                priced.append((line, price))
            lines.append(line)
            fields[line.id] = name
    for line in [line for line in cart.lines if line.id not in fields]:
        remove_line(cart, line)
    cart.lines[:] = lines
    if len(lines) > MAX_LINES:
        faults.add("items", TooManyLines(MAX_LINES))
    with faults.of("items"):
        check_metadata(lines)
    _set_custom_prices(cart, priced)
    grown = [line for line in lines if line.quantity > before.get(line.id, 0)]
    steady = [line for line in lines if line.quantity <= before.get(line.id, 0)]
    beyond = [] if cart.row.is_draft else lines_beyond_stock([*steady, *grown], cart.row.sales_channel_id)
    for line in [line for line in grown if line in beyond]:
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


def _line(cart: LockedCart, wanted: WantedLine, stored: LineRow | None, variants: Mapping[str, SoldVariant]) -> LineRow:
    """The line as the cart shall have it. Raises the errors of adding it."""
    quantity, metadata = checked_quantity(wanted.quantity), checked(wanted.metadata)
    if stored is not None:
        stored.quantity, stored.metadata = quantity, metadata
        return stored
    if wanted.variant_id is None and wanted.title is not None and cart.row.is_draft:
        if wanted.unit_price is None:
            raise InvalidData("Field 'unit_price' is required without a variant_id")
        line = sold_variants.one_off_line(wanted.title, cart_id=cart.id, quantity=quantity, metadata=metadata)
        line.requires_shipping = wanted.requires_shipping
    elif wanted.variant_id is None and wanted.line_id is not None:
        raise LineItemNotFound(wanted.line_id)
    else:
        variant = variants.get(str(wanted.variant_id))
        if variant is None:
            raise VariantsNotSold([str(wanted.variant_id)])
        if variant.product__is_giftcard:
            if cart.row.is_draft:
                raise GiftCardInDraft(variant.product__title)
            recipient_of(metadata)
        line = sold_variants.new_line(variant, cart_id=cart.id, quantity=quantity, metadata=metadata)
    line.id = wanted.line_id or line.id
    return line


def _custom_price(cart: LockedCart, wanted: WantedLine) -> _Price | None:
    """The prices that are to replace the catalogue's, if any. Raises InvalidData naming the field."""
    if wanted.unit_price is None:
        if wanted.compare_at_unit_price is not None:
            raise InvalidData("Field 'compare_at_unit_price' needs a 'unit_price'")
        return None
    if not cart.row.is_draft:
        raise InvalidData("Field 'unit_price' is for draft orders alone")
    code, before = cart.row.currency_id, wanted.compare_at_unit_price
    return (
        custom_price(wanted.unit_price, code, field="unit_price"),
        None if before is None else custom_price(before, code, field="compare_at_unit_price"),
    )


def _set_custom_prices(cart: LockedCart, priced: Sequence[tuple[LineRow, _Price]]) -> None:
    """Set the prices of staff. A new one is stated with tax as the catalogue's is, or else the currency's prices."""
    new = [line for line, _ in priced if line.is_new]
    if new:
        context = cart_context_of(cart.id, needs_shipping=cart.needs_shipping is not False).price_context
        for line in new:
            line.is_tax_inclusive = context.currency_is_tax_inclusive
        with suppress(LinesWithoutPrice):
            set_prices(new, context, keep_stored=False)
    for line, (unit_price, before) in priced:
        line.is_custom_price, line.unit_price, line.compare_at_unit_price = True, unit_price, before


def _leave_out(cart: LockedCart, line: LineRow) -> None:
    if line.is_new:
        cart.lines.remove(line)
    else:
        remove_line(cart, line)
