"""Turning a gift card into store credit."""

from django.db import transaction

from commerce.kit.core import raw_rows
from commerce.kit.core.actor import Actor
from commerce.kit.core.errors import Forbidden
from commerce.kit.core.timestamps import now
from giftcards import ledger
from giftcards.cards import Card, lock_card
from giftcards.errors import GiftCardNotFound
from giftcards.models import GiftCard
from giftcards.references import GIFT_CARD, Reference
from giftcards.states import LIFE, CardStatus


@transaction.atomic
def redeem(*, actor: Actor, id_or_code: str) -> str:
    """Turn the whole value of a pending card into store credit of the actor's customer, once; the card's id.

    id_or_code: the card's id (gcard_…) or its code; letter case and surrounding spaces do not matter.
    Raises GiftCardNotFound (also for another customer's card), AlreadyRedeemed, GiftCardCanceled, GiftCardExpired,
    AccountFull, and Forbidden for whoever is no customer.
    Source: interface.md, POST /store/gift-cards/{id_or_code}/redeem.
    """
    if actor.type != "customer" or actor.id is None:
        raise Forbidden("Only a customer can redeem a gift card")
    card = lock_card(id_or_code, actor=actor)
    card.require_redeemable()
    book(card, ledger.open_account(customer_id=actor.id, currency_code=card.currency_code))
    return card.id


@transaction.atomic
def redeem_for_guest(*, actor: Actor, card_id: str) -> str:
    """Turn the whole value of a pending card into an account of the card's own, that its code spends; the account's id.

    For a checkout without a customer. Raises GiftCardNotFound (also for a card that is bound to a customer),
    AlreadyRedeemed, GiftCardCanceled, GiftCardExpired, Forbidden. Source: behaviour.md 0.23.
    """
    actor.require("giftcards.add_transaction")
    card = lock_card(card_id, actor=actor)
    card.require_redeemable()
    if card.customer_id is not None:
        raise GiftCardNotFound(card_id)
    account = ledger.open_account(gift_card_id=card.id, currency_code=card.currency_code)
    book(card, account)
    return account.id


def book(card: Card, account: ledger.Account) -> None:
    """Credit the locked card's value to the account, and let the card be redeemed by whose that is."""
    LIFE.check(before=card.status, after=CardStatus.REDEEMED)
    source = Reference(GIFT_CARD, card.id)
    ledger.credit(account, source, card.value, entry=source)
    redeemed = {"id": card.id, "status": CardStatus.REDEEMED.value, "customer_id": account.customer_id}
    raw_rows.update(GiftCard, [{**redeemed, "updated_at": now()}])
