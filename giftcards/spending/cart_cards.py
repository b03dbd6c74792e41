"""Paying for a cart with a gift card."""

from django.db import transaction

from carts.checkout import credit_lines
from carts.pricing.locked_cart import lock_open_cart
from carts.pricing.refreshing import refresh
from giftcards.cards.cards import find_card
from giftcards.codes import masked, normalised
from giftcards.errors import CurrencyMismatch, GiftCardNotFound, NoBalance
from giftcards.models import GiftCard
from giftcards.spending.cart_credit import PAID_BY_CARD, card_balance
from giftcards.states import CardStatus
from kit.domain.actor import Actor


@transaction.atomic
def add_card(*, actor: Actor, cart_id: str, code: str) -> None:
    """Pay for the cart with the card, as far as it covers the total. A card that already does stays.

    code: the card's code or id. Cards with a guest's remaining balance can be used too.
    Raises CartNotFound, CartCompleted, GiftCardNotFound (also for a card of another customer than the cart's),
    AlreadyRedeemed, GiftCardCanceled, GiftCardExpired, GiftCardHeld, CurrencyMismatch, NoBalance.
    Why: docs/decisions/gift-cards.md#another-customers-pending-card-is-not-found.
    """
    cart = lock_open_cart(actor=actor, cart_id=cart_id)
    card = find_card(code, actor=actor)
    if card.status == CardStatus.PENDING and card.customer_id not in (None, cart.row.customer_id):
        raise GiftCardNotFound(code)
    if card.guest_balance is None:
        card.require_redeemable()
    if card.currency_code != cart.row.currency_id:
        raise CurrencyMismatch(card.currency_code, cart.row.currency_id)
    if card_balance(cart, card) is None:
        raise NoBalance("Gift card")
    credit_lines.upsert(cart, reference=PAID_BY_CARD, reference_id=card.id, metadata={"code": masked(card.code)})
    refresh(cart)


@transaction.atomic
def remove_card(*, actor: Actor, cart_id: str, code: str) -> None:
    """Stop paying for the cart with the card.

    code: the card's code or id, or the id of its credit line. Raises CartNotFound, CartCompleted, and GiftCardNotFound
    for every card that the cart does not have, so that callers cannot find out whether it exists.
    """
    cart = lock_open_cart(actor=actor, cart_id=cart_id)
    lines = {line.reference_id: line for line in cart.credit_lines if line.reference == PAID_BY_CARD}
    codes = dict(GiftCard.objects.filter(pk__in=lines).values_list("pk", "code"))
    named = code.strip()
    for card_id, line in lines.items():
        if named in (line.id, card_id) or normalised(named) == codes.get(card_id):
            credit_lines.remove(cart, line)
            refresh(cart)
            return
    raise GiftCardNotFound(code)
