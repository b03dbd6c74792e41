"""Canceling gift cards."""

from collections.abc import Sequence

from django.db import transaction

from giftcards.cards.cards import lock_card, lock_cards
from giftcards.codes import masked
from giftcards.errors import BoughtCardRedeemed
from giftcards.models import GiftCard
from giftcards.states import LIFE, CardStatus
from kit.domain.actor import SYSTEM, Actor
from kit.values.timestamps import now
from kit.writes import raw_rows


@transaction.atomic
def cancel(*, actor: Actor, card_id: str) -> None:
    """Cancel a pending gift card for good.

    Raises GiftCardNotFound, NotAllowed for a redeemed or canceled card, GiftCardHeld, Forbidden.
    Why: docs/decisions/gift-cards.md#redeemed-and-canceled-cards-stay-so.
    """
    actor.require("giftcards.change_giftcard")
    card = lock_card(card_id, actor=SYSTEM)  # the permission to view cards is not required
    LIFE.check(before=card.status, after=CardStatus.CANCELED)
    card.require_free()
    raw_rows.update(GiftCard, [{"id": card.id, "status": CardStatus.CANCELED.value, "updated_at": now()}])


def cancel_bought_cards(line_item_ids: Sequence[str]) -> None:
    """Cancel all cards that were bought as these lines of an order; if one cannot be canceled, cancel none.

    Callers hold a transaction. Raises BoughtCardRedeemed, GiftCardHeld. Three statements, one without cards.
    Why: docs/decisions/refunds.md#bought-gift-cards-are-refunded-last.
    """
    bought = GiftCard.objects.not_deleted().filter(line_item_id__in=line_item_ids)
    card_ids = list(bought.values_list("pk", flat=True))
    cards = lock_cards(card_ids).values() if card_ids else ()
    for card in cards:
        if card.status == CardStatus.REDEEMED:
            raise BoughtCardRedeemed(masked(card.code))
        card.require_free()
    pending = [card.id for card in cards if card.status == CardStatus.PENDING]
    row = {"status": CardStatus.CANCELED.value, "updated_at": now()}
    raw_rows.update(GiftCard, [{"id": card_id, **row} for card_id in pending])
