"""Keeping a cart true after any change of it: prices, taxes, what promotions take off, totals, and what follows.

Runs in the transaction of the change, under the cart's lock. The number of statements does not depend on that of the
lines, and what did not change is not written.
"""

from collections.abc import Sequence

import structlog

from carts.arithmetic.adjustments import net_amounts
from carts.arithmetic.line_totals import LineTotals
from carts.arithmetic.totals import add_up_cart
from carts.errors import CartTotalTooLarge
from carts.models import Adjustment, Cart, ShippingMethodTaxLine, TaxLine
from carts.pricing.cart_context import cart_context_of
from carts.pricing.cart_rows import CREDIT_LINES, LINES, SHIPPING_METHODS, LineRow, ShippingMethodRow
from carts.pricing.cart_steps import CART_STEPS
from carts.pricing.costs import Costs, add_up
from carts.pricing.line_prices import set_prices
from carts.pricing.locked_cart import LockedCart
from carts.pricing.synced_parts import AdjustmentPart, Key, Parts, TaxPart, stored_rows, sync
from carts.promotions.promotions import Promotions, load_promotions
from kit.values.money import LARGEST, step, stored
from kit.values.timestamps import now
from kit.writes import raw_rows
from shop.taxes import ApplicableTax, Goods

log = structlog.get_logger(__name__)


def refresh(cart: LockedCart) -> None:
    """Write the lines as they are held, and all that follows from them and from the stored cart.

    Raises VariantsWithoutPrice, CartTotalTooLarge, and RerunRequired where a tax provider has to be called first.
    """
    steps = CART_STEPS.get()
    for line in cart.lines:
        line.follow_catalogue()
    cart.context = cart.delivery = None
    _keep(cart)
    if steps.shipping_methods(cart):
        _keep(cart)
    if cart.provided.ask:
        cart.provided.ask()
    if steps.credit_lines(cart):
        _add_credit(cart)
    steps.payment_collection(cart)
    _keep_credit_lines(cart)
    _keep_totals(cart)
    cart.currency_changed, cart.needed_shipping = False, cart.needs_shipping


def _add_credit(cart: LockedCart) -> None:
    """Credit changes the remaining amount, and nothing of what the goods cost."""
    if cart.costs:
        totals = add_up_cart(cart.costs.lines, cart.costs.methods, _credit(cart))
        cart.costs = cart.costs._replace(cart=totals)


def _keep(cart: LockedCart) -> None:
    if cart.context is None:
        cart.context = cart_context_of(cart.id, needs_shipping=cart.needs_shipping is not False)
    context = cart.context.price_context
    set_prices(cart.lines, context, keep_stored=not cart.currency_changed)
    promotions = load_promotions(cart.id, context.currency_code, cart.context.customer_key)
    taxes = _apply_exemption(
        cart, cart.context.tax_place.taxes_on([*map(_goods, cart.lines), *map(_shipping, cart.methods)])
    )
    costs = _costs(cart, taxes, promotions, context.currency_code)
    cart.provided = CART_STEPS.get().provided_taxes(cart, costs)
    if cart.provided.taxes is not None:
        taxes = cart.provided.taxes
        costs = _costs(cart, taxes, promotions, context.currency_code)
    of_lines, of_methods = taxes[: len(cart.lines)], taxes[len(cart.lines) :]
    if max(costs.cart) > _LARGEST:
        raise CartTotalTooLarge
    cart.costs = costs
    _keep_adjustments(cart, costs, promotions, step(context.currency_code))
    _set_totals(cart.lines, costs.lines)
    _set_totals(cart.methods, costs.methods)
    sync(_TAXES, None if cart.is_new else _STORED_TAXES, cart.id, _wanted_taxes(cart.lines, costs.lines, of_lines))
    if cart.methods or cart.removed_methods:
        wanted_taxes = _wanted_taxes(cart.methods, costs.methods, of_methods)
        sync(_METHOD_TAXES, _STORED_METHOD_TAXES, cart.id, wanted_taxes)
    LINES.delete(cart.removed_lines)
    LINES.write(cart.lines)
    SHIPPING_METHODS.delete(cart.removed_methods)
    SHIPPING_METHODS.write(cart.methods)
    _link(cart, promotions, costs)
    cart.removed_lines.clear()
    cart.removed_methods.clear()
    cart.is_new = False


def _apply_exemption(cart: LockedCart, taxes: Sequence[Sequence[ApplicableTax]]) -> Sequence[Sequence[ApplicableTax]]:
    """The taxes to charge: none if the customer is exempt. Then each row keeps the rate that would have applied."""
    is_exempt = cart.context is not None and cart.context.price_context.is_tax_exempt
    for row, applicable in zip((*cart.lines, *cart.methods), taxes, strict=True):
        row.exempt_rate = sum(tax.rate for tax in applicable) if is_exempt else None
    return [()] * len(taxes) if is_exempt else taxes


def _costs(
    cart: LockedCart, taxes: Sequence[Sequence[ApplicableTax]], promotions: Promotions, currency_code: str
) -> Costs:
    return add_up(
        cart.lines,
        cart.methods,
        taxes=taxes,
        promotions=[each.promotion for each in promotions.active],
        credit_lines=_credit(cart),
        currency_code=currency_code,
    )


def _credit(cart: LockedCart) -> list[int]:
    return [line.amount for line in cart.credit_lines]


def _keep_credit_lines(cart: LockedCart) -> None:
    CREDIT_LINES.delete(cart.removed_credit_lines)
    CREDIT_LINES.write(cart.credit_lines)


def _keep_totals(cart: LockedCart) -> None:
    """Last, so that they are written once for all steps."""
    if cart.costs and cart.context:
        totals, fallback = cart.costs.cart, cart.provided.fallback
        tax_fallback = fallback.value if fallback else None
        if tax_fallback and tax_fallback != cart.row.tax_fallback:
            log.warning("tax_fallback", cart=cart.id[:12], reason=tax_fallback)
        if totals != cart.context.totals or tax_fallback != cart.row.tax_fallback:
            values = {**totals._asdict(), "tax_fallback": tax_fallback, "updated_at": now()}
            raw_rows.update(Cart, [{"id": cart.id, **values}])


def _set_totals(rows: Sequence[LineRow | ShippingMethodRow], costs: Sequence[LineTotals]) -> None:
    for row, cost in zip(rows, costs, strict=True):
        row.set_totals(cost)


def _goods(line: LineRow) -> Goods:
    return Goods(line.product_id, line.type_id, is_giftcard=bool(line.is_giftcard))


def _shipping(method: ShippingMethodRow) -> Goods:
    return Goods(shipping_option_id=method.shipping_option_id)


def _wanted_taxes(
    rows: Sequence[LineRow | ShippingMethodRow],
    costs: Sequence[LineTotals],
    applicable: Sequence[Sequence[ApplicableTax]],
) -> dict[Key, TaxPart]:
    return {
        (row.id, str(place)): TaxPart(*tax, *totals)
        for row, cost, taxes in zip(rows, costs, applicable, strict=True)
        for place, (tax, totals) in enumerate(zip(taxes, cost.tax_lines, strict=True))
    }


def _has_adjustments(cart: LockedCart) -> bool:
    """Whether any are stored, also where no line has a discount.

    Why: docs/decisions/carts.md#adjustments-stand-beside-those-of-an-older-version.
    """
    return any(line.has_adjustments for line in (*cart.lines, *cart.removed_lines))


def _keep_adjustments(cart: LockedCart, costs: Costs, promotions: Promotions, step: int) -> None:
    has_stored = _has_adjustments(cart)
    if not has_stored and not any(costs.discounts):
        return
    wanted = _wanted_adjustments(cart.lines, costs, promotions, step)
    sync(_ADJUSTMENTS, _STORED_ADJUSTMENTS if has_stored else None, cart.id, wanted)
    for line, discounts in zip(cart.lines, costs.discounts, strict=True):
        line.has_adjustments = bool(discounts)


def _wanted_adjustments(
    lines: Sequence[LineRow], costs: Costs, promotions: Promotions, step: int
) -> dict[Key, AdjustmentPart]:
    codes = {each.promotion.promotion_id: each.code for each in promotions.active}
    wanted: dict[Key, AdjustmentPart] = {}
    for line, cost, discounts in zip(lines, costs.lines, costs.discounts, strict=True):
        net = net_amounts(cost, [each.amount for each in discounts], step)
        for (promotion_id, amount), before_tax in zip(discounts, net, strict=True):
            wanted[line.id, promotion_id] = AdjustmentPart(
                before_tax, codes[promotion_id], amount, bool(line.is_tax_inclusive), before_tax, cost.total
            )
    return wanted


def _link(cart: LockedCart, promotions: Promotions, costs: Costs) -> None:
    """The cart shows the promotions that hold of those it was given, and automatic ones that take something off."""
    taking = {part.promotion_id for parts in costs.discounts for part in parts}
    cart.promotions = [
        each
        for each in promotions.active
        if each.promotion.promotion_id in (taking if each.is_automatic else promotions.given)
    ]
    wanted = {each.promotion.promotion_id for each in cart.promotions}
    links = Cart.promotions.through._default_manager
    gone, new = promotions.given - wanted, wanted - promotions.given
    if gone:
        links.filter(cart_id=cart.id, promotion_id__in=gone).delete()
    if new:
        links.bulk_create(Cart.promotions.through(cart_id=cart.id, promotion_id=each) for each in sorted(new))


_LARGEST = stored(LARGEST)
_TAXES = Parts[TaxPart](TaxLine, "calitxl", "item_id", None, "item__cart_id", TaxPart._fields, {})
_METHOD_TAXES = Parts[TaxPart](
    ShippingMethodTaxLine, "casmtxl", "shipping_method_id", None, "shipping_method__cart_id", TaxPart._fields, {}
)
_ADJUSTMENTS = Parts[AdjustmentPart](
    Adjustment,
    "caliadj",
    "item_id",
    "promotion_id",
    "item__cart_id",
    AdjustmentPart._fields,
    {"description": None, "provider_id": None, "order_id": None},
)
_STORED_TAXES, _STORED_METHOD_TAXES = stored_rows(_TAXES), stored_rows(_METHOD_TAXES)
_STORED_ADJUSTMENTS = stored_rows(_ADJUSTMENTS)
