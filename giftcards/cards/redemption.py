"""Redeeming gift cards."""

from collections.abc import Sequence

from django.db import transaction

from giftcards.cards.cards import Card, lock_card
from giftcards.errors import GiftCardNotFound
from giftcards.ledger import ledger
from giftcards.ledger.references import GIFT_CARD, Reference
from giftcards.models import GiftCard
from giftcards.states import LIFE, CardStatus
from kit.domain.actor import Actor
from kit.errors import Forbidden
from kit.values.timestamps import now
from kit.writes import raw_rows


@transaction.atomic
def redeem(*, actor: Actor, id_or_code: str) -> str:
    """Redeem a pending card: its whole value becomes store credit of the actor's customer. Returns the card's id.

    id_or_code: the card's id (gcard_…) or its code; letter case and surrounding spaces do not matter.
    Raises GiftCardNotFound (also for another customer's card), AlreadyRedeemed, GiftCardCanceled, GiftCardExpired,
    GiftCardHeld, AccountFull, and Forbidden for actors who are not customers.
    Why: docs/decisions/gift-cards.md#another-customers-pending-card-is-not-found.
    """
    if actor.type != "customer" or actor.id is None:
        raise Forbidden("Only a customer can redeem a gift card")
    card = lock_card(id_or_code, actor=actor)
    card.require_redeemable()
    book([(card, ledger.open_account(customer_id=actor.id, currency_code=card.currency_code))])
    return card.id


@transaction.atomic
def redeem_for_guest(*, actor: Actor, card_id: str) -> str:
    """Redeem a pending card into an account of its own, which its code spends; returns the account's id.

    For a checkout without a customer. Raises GiftCardNotFound (also for a customer's card),
    AlreadyRedeemed, GiftCardCanceled, GiftCardExpired, GiftCardHeld, Forbidden.
    Why: docs/decisions/gift-cards.md#a-guests-remainder-stays-on-the-card.
    """
    actor.require("giftcards.add_transaction")
    card = lock_card(card_id, actor=actor)
    card.require_redeemable()
    if card.customer_id is not None:
        raise GiftCardNotFound(card_id)
    account = ledger.open_account(gift_card_id=card.id, currency_code=card.currency_code)
    book([(card, account)])
    return account.id


def book(redeemed: Sequence[tuple[Card, ledger.Account]]) -> None:
    """Credit each locked card's value to its account, and mark the card as redeemed by its customer.

    Three statements.
    """
    moment, credited, rows = now(), [], []
    for card, account in redeemed:
        LIFE.check(before=card.status, after=CardStatus.REDEEMED)
        source = Reference(GIFT_CARD, card.id)
        credited.append(ledger.Credit(account, source, card.value, source))
        row = {"id": card.id, "status": CardStatus.REDEEMED.value, "customer_id": account.customer_id}
        rows.append({**row, "updated_at": moment})
    ledger.credit(credited)
    raw_rows.update(GiftCard, rows)
