"""Keeping a cart true after any change of it: prices, taxes, what promotions take off, totals, and what follows.

Runs in the transaction of the change, under the cart's lock. The number of statements does not depend on that of the
lines, and what did not change is not written.
"""

from collections.abc import Sequence
from datetime import datetime

import structlog

from carts.arithmetic.adjustments import net_amounts
from carts.arithmetic.line_totals import LineTotals
from carts.arithmetic.totals import add_up_cart
from carts.errors import CartTotalTooLarge
from carts.models import Adjustment, Cart
from carts.pricing.cart_context import cart_context_of
from carts.pricing.cart_rows import CREDIT_LINES, LINES, SHIPPING_METHODS, LineRow, ShippingMethodRow
from carts.pricing.cart_steps import CART_STEPS
from carts.pricing.costs import Costs, add_up
from carts.pricing.line_prices import set_prices
from carts.pricing.locked_cart import LockedCart
from carts.pricing.offers import Offers, keep_links, keep_method_adjustments, load_offers
from carts.pricing.synced_parts import AdjustmentPart, Key, Parts, stored_rows, sync
from carts.pricing.tax_lines import keep_tax_lines, taxes_of
from carts.promotions.promotions import Promotions
from carts.states import TaxFallback
from kit.values.money import LARGEST, step, stored
from kit.values.timestamps import now
from kit.writes import raw_rows
from shop.taxes import ApplicableTax

log = structlog.get_logger(__name__)


def refresh(cart: LockedCart) -> None:
    """Write the lines as they are held, and all that follows from them and from the stored cart.

    Raises LinesWithoutPrice, CartTotalTooLarge, and RerunRequired where a tax provider has to be called first.
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
    offers = load_offers(cart, cart.context)
    promotions = offers.promotions
    taxes = taxes_of(cart, cart.context)
    costs = _costs(cart, taxes, offers, context.currency_code)
    cart.provided = CART_STEPS.get().provided_taxes(cart, costs)
    if cart.provided.taxes is not None:
        taxes = cart.provided.taxes
        costs = _costs(cart, taxes, offers, context.currency_code)
    if max(costs.cart) > _LARGEST:
        raise CartTotalTooLarge
    cart.costs = costs
    _keep_adjustments(cart, costs, promotions, step(context.currency_code))
    keep_method_adjustments(cart, costs, promotions)
    _set_totals(cart.lines, costs.lines)
    _set_totals(cart.methods, costs.methods)
    keep_tax_lines(cart, costs, taxes)
    LINES.delete(cart.removed_lines)
    LINES.write(cart.lines)
    SHIPPING_METHODS.delete(cart.removed_methods)
    SHIPPING_METHODS.write(cart.methods)
    keep_links(cart, promotions, costs)
    cart.removed_lines.clear()
    cart.removed_methods.clear()
    cart.is_new = False


def _costs(cart: LockedCart, taxes: Sequence[Sequence[ApplicableTax]], offers: Offers, currency_code: str) -> Costs:
    return add_up(
        cart.lines,
        cart.methods,
        taxes=taxes,
        promotions=[each.promotion for each in offers.promotions.active],
        facts=offers.facts,
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
        if tax_fallback not in (None, TaxFallback.NO_POSTAL_CODE, cart.row.tax_fallback):
            log.warning("tax_fallback", cart=cart.id[:12], reason=tax_fallback)
        emptied = _emptied(cart)
        kept = {"tax_fallback": tax_fallback, "skipped_codes": cart.skipped_codes}
        if emptied or totals != cart.context.totals or any(getattr(cart.row, name) != kept[name] for name in kept):
            values = {**totals._asdict(), **emptied, **kept, "updated_at": now()}
            raw_rows.update(Cart, [{"id": cart.id, **values}])


def _emptied(cart: LockedCart) -> dict[str, datetime | None]:
    """The column that says since when the cart is empty, if that has changed."""
    is_empty = not cart.lines
    if is_empty == (cart.row.empty_since is not None):
        return {}
    moment = now() if is_empty else None
    cart.row.empty_since = moment.isoformat() if moment else None
    return {"empty_since": moment}


def _set_totals(rows: Sequence[LineRow | ShippingMethodRow], costs: Sequence[LineTotals]) -> None:
    for row, cost in zip(rows, costs, strict=True):
        row.set_totals(cost)


def _has_adjustments(cart: LockedCart) -> bool:
    """Whether any are stored, also where no line has a discount.

    Why: docs/decisions/carts.md#adjustments-stand-beside-those-of-an-older-version.
    """
    return any(line.has_adjustments for line in (*cart.lines, *cart.removed_lines))


def _keep_adjustments(cart: LockedCart, costs: Costs, promotions: Promotions, step: int) -> None:
    has_stored = _has_adjustments(cart)
    if not has_stored and not any(costs.discounts[: len(cart.lines)]):
        return
    wanted = _wanted_adjustments(cart.lines, costs, promotions, step)
    sync(_ADJUSTMENTS, _STORED_ADJUSTMENTS if has_stored else None, cart.id, wanted)
    for line, discounts in zip(cart.lines, costs.discounts, strict=False):
        line.has_adjustments = bool(discounts)


def _wanted_adjustments(
    lines: Sequence[LineRow], costs: Costs, promotions: Promotions, step: int
) -> dict[Key, AdjustmentPart]:
    codes = {each.promotion.promotion_id: each.code for each in promotions.active}
    wanted: dict[Key, AdjustmentPart] = {}
    for line, cost, discounts in zip(lines, costs.lines, costs.discounts, strict=False):
        net = net_amounts(cost, [each.amount for each in discounts], step)
        for (promotion_id, amount), before_tax in zip(discounts, net, strict=True):
            wanted[line.id, promotion_id] = AdjustmentPart(
                before_tax, codes[promotion_id], amount, bool(line.is_tax_inclusive), before_tax, cost.total
            )
    return wanted


_LARGEST = stored(LARGEST)
_ADJUSTMENTS = Parts[AdjustmentPart](
    Adjustment,
    "caliadj",
    "item_id",
    "promotion_id",
    "item__cart_id",
    AdjustmentPart._fields,
    {"description": None, "provider_id": None, "order_id": None},
)
_STORED_ADJUSTMENTS = stored_rows(_ADJUSTMENTS)
