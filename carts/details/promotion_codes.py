"""The promotion codes of a cart. Automatic promotions need no code, so adding or removing theirs does nothing."""

from collections.abc import Collection

from django.db import transaction
from django.db.models import Model, QuerySet

from carts.errors import PromotionCodeInvalid
from carts.models import Cart, Promotion
from carts.pricing.cart_context import cart_context_of
from carts.pricing.locked_cart import LockedCart, lock_open_cart
from carts.pricing.refreshing import refresh
from carts.promotions.promotion_usage import used_up_by_customer
from carts.promotions.promotions import find_by_code
from kit.domain.actor import Actor
from kit.values.text import is_storable


@transaction.atomic
def add(*, actor: Actor, cart_id: str, promo_codes: Collection[str]) -> None:
    """Add codes to the cart; codes that it has already are ignored.

    Raises CartNotFound, CartCompleted, PromotionCodeInvalid for a code without an active promotion for the cart.
    """
    cart = lock_open_cart(actor=actor, cart_id=cart_id)
    add_codes(cart, promo_codes)
    refresh(cart)


@transaction.atomic
def remove(*, actor: Actor, cart_id: str, promo_codes: Collection[str]) -> None:
    """Remove codes from the cart; codes that it does not have are ignored.

    Raises CartNotFound, CartCompleted.
    """
    cart = lock_open_cart(actor=actor, cart_id=cart_id)
    codes = [code for code in promo_codes if is_storable(code)]
    _links(cart).filter(promotion__code__in=codes, promotion__is_automatic=False).delete()
    refresh(cart)


def set_codes(cart: LockedCart, promo_codes: Collection[str]) -> None:
    """Replace the codes of the locked cart. Raises PromotionCodeInvalid."""
    wanted = [promotion.pk for promotion in add_codes(cart, promo_codes)]
    _links(cart).filter(promotion__is_automatic=False).exclude(promotion__in=wanted).delete()


def add_codes(cart: LockedCart, promo_codes: Collection[str]) -> list[Promotion]:
    """Add codes to the locked cart, and return their promotions. Raises PromotionCodeInvalid."""
    found = find_by_code([code for code in promo_codes if is_storable(code)], cart.row.currency_id)
    limited = {each.pk: each.usage_limit_per_customer for each in found.values() if each.usage_limit_per_customer}
    used_up = used_up_by_customer(limited, cart.id, cart_context_of(cart.id).customer_key) if limited else ()
    for code in promo_codes:
        if code not in found or found[code].pk in used_up:
            raise PromotionCodeInvalid(code)
    given = set(_links(cart).values_list("promotion_id", flat=True))
    new = [promotion for promotion in found.values() if not promotion.is_automatic and promotion.pk not in given]
    Cart.promotions.through._default_manager.bulk_create(
        Cart.promotions.through(cart_id=cart.id, promotion_id=promotion.pk) for promotion in new
    )
    return list(found.values())


def _links(cart: LockedCart) -> QuerySet[Model]:
    rows: QuerySet[Model] = Cart.promotions.through._default_manager.filter(cart_id=cart.id)
    return rows
