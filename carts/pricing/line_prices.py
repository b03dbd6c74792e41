"""The unit price of each line, from the catalogue's prices for its quantity in the cart's context."""

from collections.abc import Sequence

from carts.errors import LinesWithoutPrice
from carts.pricing.cart_rows import LineRow
from carts.pricing.line_titles import line_titles
from catalog.prices.calculated_prices import includes_tax
from catalog.prices.price_candidates import load_candidates
from catalog.prices.price_context import PriceContext
from catalog.prices.price_selection import Selected, select
from catalog.states import PriceListType
from kit.values.timestamps import now


def set_prices(lines: Sequence[LineRow], context: PriceContext, *, keep_stored: bool) -> None:
    """Set unit_price, compare_at_unit_price and is_tax_inclusive of all lines. Two statements at most.

    A price that staff have set stays.

    keep_stored: whether a stored line without a matching price keeps its stored one, which must be in the cart's
    currency. Raises LinesWithoutPrice with all other lines without a price.
    """
    lines = [line for line in lines if not line.is_custom_price]
    price_sets = {price_set_id for line in lines if (price_set_id := line.price_set_id)}
    candidates = load_candidates(sorted(price_sets), context.currency_code)
    moment = now()
    without = []
    for line in lines:
        selected = select(
            candidates.get(line.price_set_id or "", ()),
            currency_code=context.currency_code,
            attributes=context.attributes,
            quantity=line.quantity,
            now=moment,
        )
        if selected is not None:
            line.unit_price = selected.calculated.amount
            line.compare_at_unit_price = _before(selected)
            line.is_tax_inclusive = includes_tax(selected.calculated, context)
        elif line.is_new or not keep_stored:
            without.append(line)
    if without:
        raise LinesWithoutPrice(line_titles(without), {line.id for line in without})


def _before(selected: Selected) -> int | None:
    """The price before a sale."""
    calculated, original = selected
    is_sale = calculated.price_list is not None and calculated.price_list.type == PriceListType.SALE
    return original.amount if is_sale and original is not None and original.amount > calculated.amount else None
