"""The promotion codes of a cart. Automatic promotions need no code, so adding or removing theirs does nothing."""

from collections.abc import Collection

from django.db import transaction

from carts.errors import PromotionCodeInvalid, TooManyCodes
from carts.models import CartPromotion
from carts.pricing.cart_context import cart_context_of
from carts.pricing.locked_cart import LockedCart, lock_open_cart
from carts.pricing.refreshing import refresh
from carts.promotions.codes import code_key
from carts.promotions.promotion_usage import used_up_by_customer
from carts.promotions.promotions import find_by_code
from kit.domain.actor import Actor
from kit.values.text import is_storable

MOST_CODES = 10


@transaction.atomic
def add(*, actor: Actor, cart_id: str, promo_codes: Collection[str]) -> None:
    """Add codes to the cart; codes that it has already are ignored. An empty list removes all of its codes.

    Raises CartNotFound, CartCompleted, TooManyCodes, PromotionCodeInvalid for a code without an active promotion for
    the cart.
    """
    cart = lock_open_cart(actor=actor, cart_id=cart_id)
    if promo_codes:
        add_codes(cart, promo_codes)
    else:
        set_codes(cart, ())
    refresh(cart)


@transaction.atomic
def remove(*, actor: Actor, cart_id: str, promo_codes: Collection[str]) -> None:
    """Remove codes from the cart; codes that it does not have are ignored.

    Raises CartNotFound, CartCompleted.
    """
    cart = lock_open_cart(actor=actor, cart_id=cart_id)
    keys = {code_key(code) for code in promo_codes}
    gone = [
        link.pk
        for link in _links_of_codes(cart)
        if {code_key(link.entered or ""), code_key(link.promotion.code)} & keys
    ]
    CartPromotion.objects.filter(pk__in=gone).delete()
    refresh(cart)


def set_codes(cart: LockedCart, promo_codes: Collection[str]) -> None:
    """Replace the codes of the locked cart. Raises PromotionCodeInvalid, TooManyCodes.

    Codes that take nothing off stay, as far as the cart can have them, unless the list is empty or names one of them.
    Why: docs/decisions/carts.md#a-new-list-of-codes-keeps-those-that-wait.
    """
    given = _links_of_codes(cart)
    waiting = [link.promotion_id for link in given if not link.is_applied]
    wanted = add_codes(cart, promo_codes, replaced=True)
    if promo_codes and wanted.isdisjoint(waiting):
        wanted |= {*waiting[: MOST_CODES - len(wanted)]}
    CartPromotion.objects.filter(pk__in=[link.pk for link in given if link.promotion_id not in wanted]).delete()


def codes_of(cart: LockedCart) -> list[str]:
    """The codes that the locked cart has, as they were entered. One statement."""
    return [link.entered or link.promotion.code for link in _links_of_codes(cart)]


def replace_codes(cart: LockedCart, promo_codes: Collection[str]) -> None:
    """The same, but no other code stays, whatever it takes off. Raises PromotionCodeInvalid, TooManyCodes."""
    given = _links_of_codes(cart)
    wanted = add_codes(cart, promo_codes, replaced=True)
    CartPromotion.objects.filter(pk__in=[link.pk for link in given if link.promotion_id not in wanted]).delete()


def add_codes(cart: LockedCart, promo_codes: Collection[str], *, replaced: bool = False) -> set[str]:
    """Add codes to the locked cart, and return the ids of their promotions. Raises PromotionCodeInvalid, TooManyCodes.

    A second code of a promotion takes the place of the first. A code that the cart has already, or that of an
    automatic promotion that it has, is not refused.
    replaced: whether the cart loses its other codes.
    """
    if not promo_codes:
        return set()
    found = find_by_code([code for code in promo_codes if is_storable(code)], cart.row.currency_id)
    promotions = {each.promotion_id: each.promotion for each in found.values()}
    limited = {pk: row.usage_limit_per_customer for pk, row in promotions.items() if row.usage_limit_per_customer}
    used_up = used_up_by_customer(limited, cart.id, cart_context_of(cart.id).customer_key) if limited else ()
    links = _links(cart)
    known = {code_key(link.entered or link.promotion.code) for link in links}
    given = {link.promotion_id: link for link in links if not link.promotion.is_automatic}
    invalid = [
        code
        for code in promo_codes
        if code_key(code) not in known and (code not in found or found[code].promotion_id in used_up)
    ]
    if invalid:
        raise PromotionCodeInvalid(*invalid)
    entered = {each.promotion_id: code for code, each in found.items() if not each.promotion.is_automatic}
    if len(entered if replaced else {**given, **entered}) > MOST_CODES:
        raise TooManyCodes(MOST_CODES)
    kept = [given.get(pk, CartPromotion(cart_id=cart.id, promotion_id=pk)) for pk in entered]
    for link in kept:
        link.entered = entered[link.promotion_id].strip()
        link.promotion_code_id = found[entered[link.promotion_id]].pk
    CartPromotion.objects.bulk_create([link for link in kept if link.promotion_id not in given])
    changed = [link for link in kept if link.promotion_id in given]
    CartPromotion.objects.bulk_update(changed, ["entered", "promotion_code_id"])
    return {*entered}


def _links_of_codes(cart: LockedCart) -> list[CartPromotion]:
    """The promotions whose codes the cart has."""
    return [link for link in _links(cart) if not link.promotion.is_automatic]


def _links(cart: LockedCart) -> list[CartPromotion]:
    return list(CartPromotion.objects.filter(cart_id=cart.id).select_related("promotion").order_by("pk"))
