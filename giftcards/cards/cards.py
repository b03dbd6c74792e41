"""Finding and locking a gift card by its id or code."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet

from giftcards.codes import is_id, normalised
from giftcards.errors import AlreadyRedeemed, GiftCardCanceled, GiftCardExpired, GiftCardHeld, GiftCardNotFound
from giftcards.models import GiftCard
from giftcards.models.cards import FOUND_BY_ID
from giftcards.states import CardStatus
from kit.domain.actor import ANONYMOUS, SYSTEM, Actor
from kit.query.conditions import as_q
from kit.reads.sql.keyed_rows import KeyedRows
from kit.values.text import is_storable
from kit.values.timestamps import now


@dataclass(frozen=True, slots=True)
class Card:
    """The columns of a card that verbs need. value: in 1/10,000. held_by: the attempt that holds it.

    guest_account_id, guest_credits, guest_debits, guest_held: of the card's own account, if a guest's checkout has
    redeemed it.
    """

    id: str
    code: str
    status: str
    value: int
    currency_code: str
    customer_id: str | None
    expires_at: datetime | None
    held_by: str | None
    guest_account_id: str | None
    guest_credits: int | None
    guest_debits: int | None
    guest_held: int | None

    @property
    def guest_balance(self) -> int | None:
        """What the card's own account can pay, in 1/10,000; None without one."""
        if self.guest_credits is None:
            return None
        return self.guest_credits - (self.guest_debits or 0) - (self.guest_held or 0)

    @property
    def is_expired(self) -> bool:
        """An expired card stays pending."""
        return self.expires_at is not None and self.expires_at <= now()

    def require_redeemable(self) -> None:
        """Raise AlreadyRedeemed, GiftCardCanceled, GiftCardExpired or GiftCardHeld unless the card can be redeemed."""
        if self.status == CardStatus.REDEEMED:
            raise AlreadyRedeemed
        if self.status == CardStatus.CANCELED:
            raise GiftCardCanceled
        if self.is_expired:
            raise GiftCardExpired
        self.require_free()

    def require_free(self) -> None:
        """Raise GiftCardHeld while an attempt to complete a cart holds the card."""
        if self.held_by is not None:
            raise GiftCardHeld


def find_card(id_or_code: str, *, actor: Actor) -> Card:
    """A card that the actor may see. Raises GiftCardNotFound, also for another customer's pending card."""
    return _card(id_or_code, actor, locked=False)


def lock_card(id_or_code: str, *, actor: Actor) -> Card:
    """The same, locked until the transaction ends."""
    return _card(id_or_code, actor, locked=True)


def lock_cards(card_ids: Sequence[str]) -> dict[str, Card]:
    """The cards with these ids, locked in the order of their ids. One statement."""
    return {card.id: card for card in _READERS["staff", "id", True].read(card_ids)}


def column_and_value(id_or_code: str) -> tuple[str, str]:
    """The column to look the card up by, and its value."""
    text = id_or_code.strip()
    return ("id", text) if is_id(text) else ("code", normalised(text))


def _card(id_or_code: str, actor: Actor, *, locked: bool) -> Card:
    key, value = column_and_value(id_or_code)
    if is_storable(value):
        gate = _gate(actor)
        for card in _READERS[gate, key, locked].read([value], *(_owner(actor) if gate == "customer" else ())):
            return card
    raise GiftCardNotFound(id_or_code)


def _gate(actor: Actor) -> str:
    if actor.may("giftcards.view_giftcard"):
        return "staff"
    return "customer" if _owner(actor) else "anybody"


def _owner(actor: Actor) -> tuple[str, ...]:
    return (actor.id,) if actor.type == "customer" and actor.id is not None else ()


def _found_by(key: str, gate: str, rows: Callable[..., QuerySet[GiftCard]]) -> Callable[..., QuerySet[GiftCard]]:
    if key == "code" or gate == "staff":
        return rows
    return lambda *owner: rows(*owner).filter(as_q(FOUND_BY_ID, GiftCard, lambda _: GiftCard._default_manager.none()))


COLUMNS = (
    *("id", "code", "status", "value", "currency_id", "customer_id", "expires_at", "held_by"),
    *("guest_account__id", "guest_account__credits", "guest_account__debits", "guest_account__held"),
)
"""The columns of a Card, in its order."""
_GATES: dict[str, Callable[..., QuerySet[GiftCard]]] = {
    "staff": lambda: GiftCard.objects.visible_to(SYSTEM),
    "customer": lambda customer_id: GiftCard.objects.visible_to(Actor("customer", customer_id)),
    "anybody": lambda: GiftCard.objects.visible_to(ANONYMOUS),
}
_READERS = {
    (gate, key, locked): KeyedRows(
        _found_by(key, gate, rows),
        key=key,
        row=Card,
        columns=COLUMNS,
        decoded=("expires_at",),
        locked=locked,
    )
    for gate, rows in _GATES.items()
    for key in ("id", "code")
    for locked in (False, True)
}
