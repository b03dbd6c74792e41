"""What a piece of each line costs now, by the catalogue's prices for as many pieces in the cart's context."""

from collections.abc import Sequence

from carts.errors import VariantsWithoutPrice
from carts.held_rows import Held
from catalog.calculated_prices import includes_tax
from catalog.price_candidates import load_candidates
from catalog.price_context import PriceContext
from catalog.price_selection import Selected, select
from catalog.states import PriceListType
from commerce.kit.core.timestamps import now


def set_prices(lines: Sequence[Held], context: PriceContext, *, remembered_count: bool) -> None:
    """Set unit_price, compare_at_unit_price and is_tax_inclusive of all lines. Two statements at most.

    A stored line whose price is gone keeps the one that it remembers, where those count: they are in the cart's
    currency. Raises VariantsWithoutPrice, naming the variants of all others that have none.
    """
    price_sets = {line.facts["price_set_id"] for line in lines} - {None}
    candidates = load_candidates(sorted(price_sets), context.currency_code)
    moment = now()
    without = set()
    for line in lines:
        selected = select(
            candidates.get(line.facts["price_set_id"], ()),
            currency_code=context.currency_code,
            attributes=context.attributes,
            quantity=line.values["quantity"],
            now=moment,
        )
        if selected is not None:
            line.values["unit_price"] = selected.calculated.amount
            line.values["compare_at_unit_price"] = _before(selected)
            line.values["is_tax_inclusive"] = includes_tax(selected.calculated, context)
        elif line.is_new or not remembered_count:
            without.add(line.values["variant_id"] or line.values["id"])
    if without:
        raise VariantsWithoutPrice(without)


def _before(selected: Selected) -> int | None:
    """The price that a sale has undercut."""
    calculated, original = selected
    is_sale = calculated.price_list is not None and calculated.price_list.type == PriceListType.SALE
    return original.amount if is_sale and original is not None and original.amount > calculated.amount else None
