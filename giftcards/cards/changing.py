"""Changing gift cards."""

from datetime import datetime
from typing import TypedDict, Unpack

from django.db import transaction

from giftcards.cards.cancellation import cancel
from giftcards.cards.cards import lock_card
from giftcards.cards.issuing import MAX_NOTE_LENGTH
from giftcards.codes import is_id
from giftcards.errors import GiftCardNotFound
from giftcards.models import GiftCard
from giftcards.states import CardStatus
from kit.domain.actor import SYSTEM, Actor
from kit.errors import InvalidData, NotAllowed
from kit.values import metadata as metadata_rules
from kit.values import text
from kit.values.metadata import Metadata
from kit.values.timestamps import now


class CardChanges(TypedDict, total=False):
    """The fields of a card that can change; omitted ones stay."""

    status: str
    note: str | None
    expires_at: datetime | None
    metadata: Metadata | None


class ExpiryOfSpentCard(NotAllowed):
    """Only what can still be redeemed can expire."""

    message = "Only the 'expires_at' of a pending gift card can be changed"


@transaction.atomic
def change(*, actor: Actor, card_id: str, **changes: Unpack[CardChanges]) -> None:
    """Change the given fields; metadata is merged.

    card_id: not its code. status: `canceled` cancels a pending card, the only change of a status. expires_at: aware and
    in the future; None for never.
    Raises GiftCardNotFound, ExpiryOfSpentCard, GiftCardHeld (expires_at), InvalidData naming the field, Forbidden, and
    the errors of `cancel`. Why: docs/decisions/gift-cards.md#redeemed-and-canceled-cards-stay-so.
    """
    actor.require("giftcards.change_giftcard")
    if not is_id(card_id):
        raise GiftCardNotFound(card_id)
    card = lock_card(card_id, actor=SYSTEM)  # the permission to view cards is not required
    columns: dict[str, object] = {}
    if "note" in changes:
        note = changes["note"]
        columns["note"] = None if note is None else text.checked(note, field="note", longest=MAX_NOTE_LENGTH)
    if "expires_at" in changes:
        if card.status != CardStatus.PENDING:
            raise ExpiryOfSpentCard
        card.require_free()
        columns["expires_at"] = _checked_expiry(changes["expires_at"])
    if "metadata" in changes:
        stored = GiftCard.objects.values_list("metadata", flat=True).get(pk=card.id)
        columns["metadata"] = metadata_rules.merged(stored, metadata_rules.checked(changes["metadata"]))
    if columns:
        GiftCard.objects.filter(pk=card.id).update(**columns, updated_at=now())
    if "status" in changes:
        if changes["status"] != CardStatus.CANCELED:
            raise InvalidData(f"Expected: '{CardStatus.CANCELED}' for field 'status', but got: '{changes['status']}'")
        cancel(actor=actor, card_id=card.id)


def _checked_expiry(expires_at: datetime | None) -> datetime | None:
    if expires_at is not None and expires_at <= now():
        raise InvalidData("Value for field 'expires_at' must be in the future")
    return expires_at
