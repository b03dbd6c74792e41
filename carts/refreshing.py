"""Keeping a cart true after any change of it: prices, taxes, what promotions take off, totals, and what follows.

Runs in the transaction of the change, under the cart's lock. The number of statements does not depend on that of the
lines, and what did not change is not written.
"""

from collections.abc import Sequence
from operator import attrgetter

from carts.cart_context import Tax, cart_context_of
from carts.cart_steps import CART_STEPS
from carts.costs import Costs, add_up
from carts.errors import TooDear
from carts.held_rows import Held, write
from carts.kept_parts import Parts, Wanted, by_source, keep, stored_rows
from carts.line_prices import set_prices
from carts.line_totals import LineTotals
from carts.models import (
    Adjustment,
    Cart,
    CreditLine,
    LineItem,
    ShippingMethod,
    ShippingMethodTaxLine,
    TaxLine,
)
from carts.models.kept_totals import CART_TOTALS, LINE_TOTALS
from carts.open_cart import LINE, METHOD, OpenCart
from carts.promotions import Promotions, load_promotions
from carts.totals import add_up_cart
from commerce.kit.core import raw_rows
from commerce.kit.core.money import LARGEST, stored


def refresh(cart: OpenCart) -> None:
    """Write the lines as they are held, and all that follows from them and from the stored cart.

    Raises VariantsWithoutPrice, TooDear.
    """
    steps = CART_STEPS.get()
    cart.context = None
    _keep(cart)
    if steps.shipping_methods(cart):
        _keep(cart)
    if steps.credit_lines(cart):
        _add_credit(cart)
    steps.payment_collection(cart)
    _keep_credit_lines(cart)
    _keep_totals(cart)
    cart.currency_changed = False


def _add_credit(cart: OpenCart) -> None:
    """Credit changes the remaining amount, and nothing of what the goods cost."""
    if cart.costs:
        totals = add_up_cart(cart.costs.lines, cart.costs.methods, _credit(cart))
        cart.costs = cart.costs._replace(cart=totals)


def _keep(cart: OpenCart) -> None:
    if cart.context is None:
        cart.context = cart_context_of(cart.id)
    context, tax = cart.context.context, cart.context.tax
    set_prices(cart.lines, context, remembered_count=not cart.currency_changed)
    promotions = load_promotions(cart.id, context.currency_code)
    costs = add_up(
        cart.lines,
        cart.methods,
        rates=[tax.rate] if tax else [],
        offers=[each.offer for each in promotions.holding],
        credit_lines=_credit(cart),
        currency_code=context.currency_code,
    )
    if max(costs.cart) > _LARGEST:
        raise TooDear
    cart.costs = costs
    had_adjustments = any(line.stored and line.stored["discount_subtotal"] for line in (*cart.lines, *cart.removed))
    _set_totals(cart.lines, costs.lines)
    _set_totals(cart.methods, costs.methods)
    keep(_TAXES, None if cart.is_new else _STORED_TAXES, cart.id, _wanted_taxes(cart.lines, costs.lines, tax))
    if cart.methods or cart.removed_methods:
        keep(_METHOD_TAXES, _STORED_METHOD_TAXES, cart.id, _wanted_taxes(cart.methods, costs.methods, tax))
    if had_adjustments or any(costs.taken):
        codes = {each.offer.promotion_id: each.code for each in promotions.holding}
        wanted = by_source(
            cart.lines,
            [
                {part.promotion_id: {"amount": part.amount, "code": codes[part.promotion_id]} for part in parts}
                for parts in costs.taken
            ],
        )
        keep(_ADJUSTMENTS, _STORED_ADJUSTMENTS if had_adjustments else None, cart.id, wanted)
    raw_rows.delete(LineItem, [line.values["id"] for line in cart.removed])
    write(LineItem, cart.lines)
    raw_rows.delete(ShippingMethod, [method.values["id"] for method in cart.removed_methods])
    _write_methods(cart.methods)
    _link(cart.id, promotions, costs)
    for line in cart.lines:
        line.values = {name: line.values[name] for name in LINE}
        line.stored = dict(line.values)
    cart.removed.clear()
    cart.removed_methods.clear()
    cart.is_new = False


def _credit(cart: OpenCart) -> list[int]:
    return [line.values["amount"] for line in cart.credit_lines]


def _keep_credit_lines(cart: OpenCart) -> None:
    raw_rows.delete(CreditLine, [line.values["id"] for line in cart.removed_credit_lines])
    write(CreditLine, cart.credit_lines)


def _keep_totals(cart: OpenCart) -> None:
    """Last, so that they are written once for all steps."""
    if cart.costs and cart.context:
        totals = zip(CART_TOTALS, _cart_totals(cart.costs.cart), strict=True)
        write(Cart, [Held({"id": cart.id, **dict(totals)}, {"id": cart.id, **cart.context.totals})])


def _write_methods(methods: Sequence[Held]) -> None:
    write(ShippingMethod, methods)
    for method in methods:
        method.values = {name: method.values[name] for name in METHOD}
        method.stored = dict(method.values)


def _set_totals(rows: Sequence[Held], costs: Sequence[LineTotals]) -> None:
    for row, cost in zip(rows, costs, strict=True):
        row.values.update(zip(LINE_TOTALS, _line_totals(cost), strict=True))


def _wanted_taxes(rows: Sequence[Held], costs: Sequence[LineTotals], tax: Tax | None) -> Wanted:
    if tax is None:
        return {}
    return {
        (row.values["id"], tax.code): {
            "rate": tax.rate,
            "tax_rate_id": tax.tax_rate_id,
            "total": cost.tax_lines[0].total,
            "subtotal": cost.tax_lines[0].subtotal,
        }
        for row, cost in zip(rows, costs, strict=True)
    }


def _link(cart_id: str, promotions: Promotions, costs: Costs) -> None:
    """The cart shows the promotions that hold of those it was given, and automatic ones that take something off."""
    taking = {part.promotion_id for parts in costs.taken for part in parts}
    wanted = {
        each.offer.promotion_id
        for each in promotions.holding
        if each.offer.promotion_id in (taking if each.is_automatic else promotions.given)
    }
    links = Cart.promotions.through._default_manager
    gone, new = promotions.given - wanted, wanted - promotions.given
    if gone:
        links.filter(cart_id=cart_id, promotion_id__in=gone).delete()
    if new:
        links.bulk_create(Cart.promotions.through(cart_id=cart_id, promotion_id=each) for each in sorted(new))


_LARGEST = stored(LARGEST)
_cart_totals, _line_totals = attrgetter(*CART_TOTALS), attrgetter(*LINE_TOTALS)
_TAX = ("rate", "tax_rate_id", "total", "subtotal")
_TAX_FIXED = {"description": None, "provider_id": "system"}
_TAXES = Parts(TaxLine, "calitxl", "item_id", "code", "item__cart_id", _TAX, _TAX_FIXED)
_METHOD_TAXES = Parts(
    ShippingMethodTaxLine, "casmtxl", "shipping_method_id", "code", "shipping_method__cart_id", _TAX, _TAX_FIXED
)
_ADJUSTMENTS = Parts(
    Adjustment,
    "caliadj",
    "item_id",
    "promotion_id",
    "item__cart_id",
    ("amount", "code"),
    {"description": None, "provider_id": None, "order_id": None},
)
_STORED_TAXES, _STORED_METHOD_TAXES, _STORED_ADJUSTMENTS = map(stored_rows, (_TAXES, _METHOD_TAXES, _ADJUSTMENTS))
