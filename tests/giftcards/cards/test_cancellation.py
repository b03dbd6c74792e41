"""Withdrawing gift cards."""

from datetime import timedelta

import pytest

from giftcards.cards import cancellation, redemption
from giftcards.errors import GiftCardNotFound
from giftcards.models import GiftCard
from kit.domain.actor import ANONYMOUS, SYSTEM, Actor
from kit.errors import Forbidden, NotAllowed
from kit.values.timestamps import now
from tests.factories.customers import CustomerFactory
from tests.factories.giftcards import gift_card, redeemer
from tests.giftcards.books import unchanged

pytestmark = pytest.mark.django_db


def test_a_pending_card_is_canceled_for_good() -> None:
    bound, expired = gift_card(customer_id=CustomerFactory().pk), gift_card()
    GiftCard.objects.filter(pk=expired.pk).update(expires_at=now() - timedelta(days=1))
    for card in (bound, expired):
        cancellation.cancel(actor=SYSTEM, card_id=card.pk)
        was = (card.value, card.code, card.customer_id)
        card.refresh_from_db()
        assert (card.status, card.value, card.code, card.customer_id) == ("canceled", *was)
        with unchanged(NotAllowed, "is canceled and cannot become canceled"):
            cancellation.cancel(actor=SYSTEM, card_id=card.pk)


def test_a_redeemed_card_is_not_canceled() -> None:
    mine, guests = gift_card(), gift_card()
    redemption.redeem(actor=redeemer(CustomerFactory()), id_or_code=mine.pk)
    redemption.redeem_for_guest(actor=SYSTEM, card_id=guests.pk)
    for card in (mine, guests):
        with unchanged(NotAllowed, "is redeemed and cannot become canceled"):
            cancellation.cancel(actor=SYSTEM, card_id=card.pk)


@pytest.mark.parametrize("actor", [ANONYMOUS, Actor("customer", "cus_ann"), Actor("user", "user_without_permissions")])
def test_only_who_may_change_cards_cancels_one(actor: Actor) -> None:
    card = gift_card()
    with unchanged(Forbidden):
        cancellation.cancel(actor=actor, card_id=card.pk)


def test_an_unknown_card_is_not_found() -> None:
    with unchanged(GiftCardNotFound):
        cancellation.cancel(actor=SYSTEM, card_id="gcard_nobody")
