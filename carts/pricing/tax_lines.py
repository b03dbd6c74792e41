"""The taxes of a cart by the shop's own rates, and its tax lines."""

from collections.abc import Sequence

from carts.arithmetic.line_totals import LineTotals
from carts.models import ShippingMethodTaxLine, TaxLine
from carts.pricing.cart_context import CartContext
from carts.pricing.cart_rows import LineRow, ShippingMethodRow
from carts.pricing.costs import Costs
from carts.pricing.locked_cart import LockedCart
from carts.pricing.synced_parts import Key, Parts, TaxPart, stored_rows, sync
from shop.taxes import ApplicableTax, Goods


def taxes_of(cart: LockedCart, context: CartContext) -> Sequence[Sequence[ApplicableTax]]:
    """The shop's own taxes to charge on each line, then on each method: none if the customer is exempt.

    Then each row keeps the rate that would have applied.
    """
    taxes = context.tax_place.taxes_on([*map(_goods, cart.lines), *map(_shipping, cart.methods)])
    is_exempt = context.price_context.is_tax_exempt
    for row, applicable in zip((*cart.lines, *cart.methods), taxes, strict=True):
        row.exempt_rate = sum(tax.rate for tax in applicable) if is_exempt else None
    return [()] * len(taxes) if is_exempt else taxes


def keep_tax_lines(cart: LockedCart, costs: Costs, taxes: Sequence[Sequence[ApplicableTax]]) -> None:
    """Write the tax lines that differ from the stored ones. taxes: on each line, then on each method."""
    of_lines, of_methods = taxes[: len(cart.lines)], taxes[len(cart.lines) :]
    sync(_TAXES, None if cart.is_new else _STORED_TAXES, cart.id, _tax_lines_by_key(cart.lines, costs.lines, of_lines))
    if cart.methods or cart.removed_methods:
        wanted = _tax_lines_by_key(cart.methods, costs.methods, of_methods)
        sync(_METHOD_TAXES, _STORED_METHOD_TAXES, cart.id, wanted)


def _goods(line: LineRow) -> Goods:
    return Goods(line.product_id, line.type_id, is_giftcard=bool(line.is_giftcard))


def _shipping(method: ShippingMethodRow) -> Goods:
    return Goods(shipping_option_id=method.shipping_option_id)


def _tax_lines_by_key(
    rows: Sequence[LineRow | ShippingMethodRow],
    costs: Sequence[LineTotals],
    applicable: Sequence[Sequence[ApplicableTax]],
) -> dict[Key, TaxPart]:
    return {
        (row.id, str(place)): TaxPart(*tax, *totals)
        for row, cost, taxes in zip(rows, costs, applicable, strict=True)
        for place, (tax, totals) in enumerate(zip(taxes, cost.tax_lines, strict=True))
    }


_TAXES = Parts[TaxPart](TaxLine, "calitxl", "item_id", None, "item__cart_id", TaxPart._fields, {})
_METHOD_TAXES = Parts[TaxPart](
    ShippingMethodTaxLine, "casmtxl", "shipping_method_id", None, "shipping_method__cart_id", TaxPart._fields, {}
)
_STORED_TAXES, _STORED_METHOD_TAXES = stored_rows(_TAXES), stored_rows(_METHOD_TAXES)
