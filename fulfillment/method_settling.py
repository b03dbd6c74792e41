"""Letting the shipping methods of a cart follow each change of it."""

from carts import shipping_methods
from carts.held_rows import Held
from carts.open_cart import OpenCart
from fulfillment.method_choice import OCCASION
from fulfillment.offers import Offer, offers_for
from fulfillment.quotes import occasion_of


def settle(cart: OpenCart) -> bool:
    """Drop what is no longer offered or has no price, and let flat amounts follow theirs; whether that changed any.

    What a provider has priced goes as soon as the cart's place, currency or goods are others: its shopper asks anew.
    No statement where the cart has no method. Source: behaviour.md 6.4, carts/cart_steps.py.
    """
    if not cart.methods or cart.context is None or cart.costs is None:
        return False
    goods = {"item_total": cart.costs.cart.item_total, "item_subtotal": cart.costs.cart.item_subtotal}
    offers = offers_for(cart.context, goods, with_stock=False)
    occasion = occasion_of(cart.context, offers)
    changes = [
        _settled(cart, method, offers.find(method.values["shipping_option_id"]), occasion)
        for method in list(cart.methods)
    ]
    return any(changes)


def _settled(cart: OpenCart, method: Held, offer: Offer | None, occasion: str) -> bool:
    if offer is None or not offer.for_delivery or not offer.is_priced:
        shipping_methods.take_out(cart, method)
        return True
    if offer.price is None:
        is_stale = (method.facts["data"] or {}).get(OCCASION) != occasion
        if is_stale:
            shipping_methods.take_out(cart, method)
        return is_stale
    now = {"amount": offer.price.amount, "is_tax_inclusive": offer.price.is_tax_inclusive}
    was = {name: method.values[name] for name in now}
    method.values.update(now)
    return now != was
