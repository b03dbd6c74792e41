"""The promotions that a cart is offered, and what it keeps of those that apply, and of codes that do not yet."""

from typing import NamedTuple

from carts import rule_attributes as attributes
from carts.models import CartPromotion, ShippingMethodAdjustment
from carts.pricing.cart_context import CartContext
from carts.pricing.costs import Costs, RuledFacts, facts_of_line
from carts.pricing.locked_cart import LockedCart
from carts.pricing.synced_parts import MethodAdjustmentPart, Parts, stored_rows, sync
from carts.promotions.facts import HAS_ORDERED, SHIPPING_TYPES, asks, catalogue_facts, gate_keys
from carts.promotions.offered import OfferedPromotion
from carts.promotions.promotions import NO_PROMOTIONS, CartLink, Promotions, any_opened, load_promotions
from kit.values.money import major


class Offers(NamedTuple):
    """Promotions, with what their rules compare."""

    promotions: Promotions
    facts: RuledFacts


def load_offers(cart: LockedCart, context: CartContext) -> Offers:
    """The promotions that the cart may get, in force or not, with what their rules compare. One statement.

    None where no promotion is open to the cart, but for one where any has gates, and the catalogue's. Otherwise
    another for each of these that rules of promotions are about: catalogue, first orders, types of shipping options.
    """
    facts = RuledFacts(context.facts)
    if not (context.has_promotions or context.has_gates):
        return Offers(NO_PROMOTIONS, facts)
    if context.has_catalogue_rules:
        facts = facts._replace(products=catalogue_facts(line.product_id for line in cart.lines))
    gates: set[str] = set()
    if context.has_gates:
        gates = gate_keys([facts.cart, *(facts_of_line(line, facts.products) for line in cart.lines)])
    if not (context.has_promotions or cart.promotions or any_opened(gates)):  # the pass before may have linked one
        return Offers(NO_PROMOTIONS, facts)
    currency_code = context.price_context.currency_code
    promotions = load_promotions(cart.id, currency_code, context.customer_key, gates=gates)
    offered = [each.promotion for each in promotions.active]
    if asks(offered, attributes.IS_FIRST_ORDER):
        is_first = context.customer_key is None or not HAS_ORDERED.get()(context.customer_key)
        facts = facts._replace(cart={**facts.cart, attributes.IS_FIRST_ORDER: frozenset((str(is_first).lower(),))})
    if cart.methods and asks(offered, attributes.SHIPPING_TYPE):
        ids = sorted({method.shipping_option_id for method in cart.methods})
        facts = facts._replace(option_types=SHIPPING_TYPES.get()(ids))
    return Offers(promotions, facts)


def keep_method_adjustments(cart: LockedCart, costs: Costs, promotions: Promotions) -> None:
    """Make the stored discounts of shipping methods those of the costs."""
    discounts = costs.discounts[len(cart.lines) :]
    has_stored = any(method.has_adjustments for method in (*cart.methods, *cart.removed_methods))
    if not has_stored and not any(discounts):
        return
    codes = {each.id: each.code for each in promotions.active}
    wanted = {
        (method.id, part.promotion_id): MethodAdjustmentPart(
            part.amount, codes[part.promotion_id], bool(method.is_tax_inclusive)
        )
        for method, parts in zip(cart.methods, discounts, strict=True)
        for part in parts
    }
    sync(_ADJUSTMENTS, _STORED_ADJUSTMENTS if has_stored else None, cart.id, wanted)
    for method, parts in zip(cart.methods, discounts, strict=True):
        method.has_adjustments = bool(parts)


def keep_links(cart: LockedCart, promotions: Promotions, costs: Costs) -> None:
    """The cart keeps the codes that are in force, and automatic promotions that take something off."""
    taking = {part.promotion_id: 0 for parts in costs.discounts for part in parts}
    for parts in costs.discounts:
        for part in parts:
            taking[part.promotion_id] += part.amount
    kept = [each for each in promotions.active if each.id in taking or each.promotion.is_entered]
    cart.promotions = [each for each in kept if each.id in taking]
    cart.promotion_amounts = taking
    wanted = {each.id: _link(each, costs, is_applied=each.id in taking) for each in kept}
    gone = promotions.given.keys() - wanted
    if gone:
        cart.dropped_promotions |= gone
        CartPromotion.objects.filter(cart_id=cart.id, promotion__in=gone).delete()
    new = [key for key in wanted if key not in promotions.given]
    if new:
        CartPromotion.objects.bulk_create(CartPromotion(cart_id=cart.id, promotion_id=key) for key in new)
    for key, link in wanted.items():
        if link != promotions.given.get(key, _APPLIED):
            values = {**link._asdict(), "missing": None if link.missing is None else major(link.missing)}
            CartPromotion.objects.filter(cart_id=cart.id, promotion=key).update(**values)
    cart.skipped_codes = sum(not link.is_applied for link in wanted.values())


def _link(offered: OfferedPromotion, costs: Costs, *, is_applied: bool) -> CartLink:
    skip = costs.skipped.get(offered.id)
    if is_applied or skip is None:
        return CartLink(is_applied, None, None)
    return CartLink(is_applied, skip.reason.value, skip.missing)


_APPLIED = CartLink(is_applied=True, reason=None, missing=None)
_ADJUSTMENTS = Parts[MethodAdjustmentPart](
    ShippingMethodAdjustment,
    "casmadj",
    "shipping_method_id",
    "promotion_id",
    "shipping_method__cart_id",
    MethodAdjustmentPart._fields,
    {"description": None},
)
_STORED_ADJUSTMENTS = stored_rows(_ADJUSTMENTS)
