"""Updating the shipping methods of a changed cart."""

from carts.checkout import shipping_methods
from carts.pricing.cart_rows import ShippingMethodRow
from carts.pricing.locked_cart import LockedCart
from carts.pricing.shippable_lines import Delivery
from fulfillment.methods.method_choice import QUOTE_DIGEST
from fulfillment.options.available_options import AvailableOption, available_options
from fulfillment.options.quotes import quote_digest


def reprice(cart: LockedCart) -> bool:
    """Remove methods whose option is unavailable or has no price, and update flat prices; whether any changed.

    Those whose price staff have set stay as they are.

    A method with a provider's price is removed when the destination, currency or goods change: its price is outdated.
    All are removed when the cart begins or ceases to need shipping, and when its last line leaves.
    Sets the cart's delivery. No statement if the cart has no method. A step of carts/pricing/cart_steps.py.
    Why: docs/decisions/shipping.md#methods-that-no-longer-fit-leave-the-cart.
    """
    if not cart.methods or cart.context is None or cart.costs is None:
        return False
    if cart.needed_shipping not in (None, cart.needs_shipping):
        unfit = [method for method in cart.methods if not method.is_custom_amount]
        for method in unfit:
            shipping_methods.remove(cart, method)
        if unfit:
            return True
    chosen = {method.shipping_option_id for method in cart.methods}
    options = available_options(
        cart.context, cart.costs.cart, among=chosen, with_stock=False, for_staff=cart.row.is_draft
    )
    digest = quote_digest(cart.context, options)
    changes = [
        _repriced(cart, method, options.find(method.shipping_option_id), digest) for method in list(cart.methods)
    ]
    kept = {method.shipping_option_id for method in cart.methods}
    profiles = [option.row.shipping_profile_id for option in options.options if option.id in kept]
    cart.delivery = Delivery(options.contents.lines, profiles)
    return any(changes)


def _repriced(cart: LockedCart, method: ShippingMethodRow, option: AvailableOption | None, digest: str) -> bool:
    if method.is_custom_amount:
        return False
    if option is None or not option.for_delivery or not option.is_priced:
        shipping_methods.remove(cart, method)
        return True
    if option.price is None:
        is_stale = (method.data or {}).get(QUOTE_DIGEST) != digest
        if is_stale:
            shipping_methods.remove(cart, method)
        return is_stale
    before = (method.amount, method.is_tax_inclusive)
    method.amount, method.is_tax_inclusive = option.price.amount, option.price.is_tax_inclusive
    return (method.amount, method.is_tax_inclusive) != before
