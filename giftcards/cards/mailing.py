"""Sending the email of a gift card again."""

from django.db import transaction

from giftcards.cards.cards import lock_card
from kit.domain.actor import Actor
from kit.errors import NotAllowed
from kit.messages.mails import repeating
from kit.messages.mails.models import Mail

KIND = "gift_card"


class NeverMailed(NotAllowed):
    """Staff hand over the cards that they issue, unless they have them mailed."""

    message = "The gift card was neither bought nor mailed when it was issued, so it has no email"


@transaction.atomic
def send_again(*, actor: Actor, card_id: str) -> None:
    """Queue the email of a card once more; it goes to the same recipient.

    Raises GiftCardNotFound, AlreadyRedeemed, GiftCardCanceled, GiftCardExpired, NeverMailed, MailIsWaiting, Forbidden.
    Why: docs/decisions/orders.md#bought-gift-cards-belong-to-their-holders.
    """
    actor.require("giftcards.view_giftcard")
    lock_card(card_id, actor=actor).require_redeemable()
    mail = Mail.objects.filter(kind=KIND, about=card_id).order_by("-number").first()
    if mail is None:
        raise NeverMailed
    repeating.send_again(actor=actor, mail=mail)
