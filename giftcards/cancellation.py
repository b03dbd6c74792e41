"""Canceling gift cards."""

from django.db import transaction

from commerce.kit.core import raw_rows
from commerce.kit.core.actor import SYSTEM, Actor
from commerce.kit.core.timestamps import now
from giftcards.cards import lock_card
from giftcards.models import GiftCard
from giftcards.states import LIFE, CardStatus


@transaction.atomic
def cancel(*, actor: Actor, card_id: str) -> None:
    """Cancel a pending gift card for good.

    Raises GiftCardNotFound, NotAllowed for a redeemed or canceled card, GiftCardHeld, Forbidden.
    Source: behaviour.md 0.23.
    """
    actor.require("giftcards.change_giftcard")
    card = lock_card(card_id, actor=SYSTEM)  # the permission to view cards is not required
    LIFE.check(before=card.status, after=CardStatus.CANCELED)
    card.require_free()
    raw_rows.update(GiftCard, [{"id": card.id, "status": CardStatus.CANCELED.value, "updated_at": now()}])
