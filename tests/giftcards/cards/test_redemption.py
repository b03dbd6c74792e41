"""Turning gift cards into store credit."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from customers.models import Customer
from giftcards.cards import cancellation, cards, redemption
from giftcards.errors import AccountFull, AlreadyRedeemed, GiftCardCanceled, GiftCardExpired, GiftCardNotFound
from giftcards.ledger import ledger
from giftcards.models import GiftCard, StoreCreditAccount, Transaction, TransactionGroup
from kit.domain.actor import ANONYMOUS, SYSTEM, Actor
from kit.errors import DomainError, Forbidden
from kit.values.timestamps import now
from tests.factories.customers import CustomerFactory
from tests.factories.giftcards import gift_card, redeemer
from tests.giftcards.books import balance, nearly_full, unchanged

pytestmark = pytest.mark.django_db


@pytest.fixture
def ann() -> Customer:
    return CustomerFactory(email="ann@example.com")


def test_a_redeemed_card_is_credit_of_its_redeemer_with_a_group_and_an_entry_of_its_own(ann: Customer) -> None:
    card = gift_card("49.99")
    redemption.redeem(actor=redeemer(ann), id_or_code=card.code)
    card.refresh_from_db()
    account = StoreCreditAccount.objects.get()
    group = TransactionGroup.objects.get()
    entry = Transaction.objects.get()
    assert (card.status, card.customer_id) == ("redeemed", ann.pk)
    assert (account.customer_id, account.currency_id) == (ann.pk, "usd")
    assert (account.credits, account.debits) == (group.credits, group.debits) == (Decimal("49.99"), 0)
    assert (group.account_id, group.code) == (account.pk, f"gift_card:{card.pk}")
    assert (entry.group_id, entry.type, entry.amount) == (group.pk, "credit", Decimal("49.99"))
    assert (entry.reference, entry.reference_id) == ("gift_card", card.pk)


def test_further_cards_add_to_the_account_of_their_currency(ann: Customer) -> None:
    for value, code in ((10, "usd"), (20, "usd"), (500, "jpy")):
        redemption.redeem(actor=redeemer(ann), id_or_code=gift_card(value, currency_code=code).pk)
    assert (balance(ann), balance(ann, "jpy")) == (30, 500)
    assert StoreCreditAccount.objects.count() == 2


@pytest.mark.parametrize("spelling", [str.lower, str.upper, lambda code: f"  {code}\n", str.title])
def test_a_code_may_be_typed_in_any_case_with_spaces_around(ann: Customer, spelling: Any) -> None:
    card = gift_card()
    assert redemption.redeem(actor=redeemer(ann), id_or_code=spelling(card.code)) == card.pk


def test_an_expired_card_is_refused_and_stays_pending(ann: Customer) -> None:
    card = gift_card(expires_at=now() + timedelta(hours=1))
    GiftCard.objects.filter(pk=card.pk).update(expires_at=now() - timedelta(seconds=1))
    refused(ann, card.pk, GiftCardExpired)


def test_a_card_can_be_redeemed_until_the_moment_it_expires_at(ann: Customer, monkeypatch: pytest.MonkeyPatch) -> None:
    moment = now() + timedelta(days=1)
    last, late = gift_card(expires_at=moment), gift_card(expires_at=moment)
    monkeypatch.setattr(cards, "now", lambda: moment - timedelta(milliseconds=1))
    redemption.redeem(actor=redeemer(ann), id_or_code=last.code)
    monkeypatch.setattr(cards, "now", lambda: moment)
    refused(ann, late.code, GiftCardExpired)


def test_a_card_is_redeemed_once_for_all_callers(ann: Customer) -> None:
    card = gift_card()
    redemption.redeem(actor=redeemer(ann), id_or_code=card.pk)
    refused(ann, card.pk, AlreadyRedeemed)
    refused(CustomerFactory(), card.code, AlreadyRedeemed)


def test_a_canceled_card_is_refused(ann: Customer) -> None:
    card = gift_card()
    cancellation.cancel(actor=SYSTEM, card_id=card.pk)
    refused(ann, card.pk, GiftCardCanceled)


def test_a_pending_card_of_another_customer_is_not_found(ann: Customer) -> None:
    card = gift_card(customer_id=CustomerFactory().pk)
    refused(ann, card.pk, GiftCardNotFound)
    refused(ann, card.code, GiftCardNotFound)


def test_a_card_that_is_bound_to_its_customer_is_redeemed_by_it(ann: Customer) -> None:
    card = gift_card(5, customer_id=ann.pk)
    redemption.redeem(actor=redeemer(ann), id_or_code=card.pk)
    assert balance(ann) == 5


@pytest.mark.parametrize("named", ["gcard_01UNKNOWN", "GIFT-0000", "", " ", "a\0b", "\ud800", "x" * 5000, "' OR 1=1"])
def test_what_names_no_card_is_not_found(ann: Customer, named: str) -> None:
    refused(ann, named, GiftCardNotFound)


def test_nobody_but_a_customer_redeems() -> None:
    card = gift_card()
    for actor in (ANONYMOUS, SYSTEM):
        with pytest.raises(Forbidden):
            redemption.redeem(actor=actor, id_or_code=card.pk)


def test_a_guest_spends_a_card_from_an_account_of_its_own() -> None:
    card = gift_card(25)
    account_id = redemption.redeem_for_guest(actor=SYSTEM, card_id=card.pk)
    account = StoreCreditAccount.objects.get(pk=account_id)
    card.refresh_from_db()
    assert (account.customer_id, account.gift_card_id, account.credits) == (None, card.pk, 25)
    assert (card.status, card.customer_id) == ("redeemed", None)


def test_a_guest_does_not_spend_the_card_of_a_customer(ann: Customer) -> None:
    card = gift_card(customer_id=ann.pk)
    with unchanged(GiftCardNotFound):
        redemption.redeem_for_guest(actor=SYSTEM, card_id=card.pk)


def test_a_card_that_a_guest_has_spent_is_redeemed_by_nobody_else(ann: Customer) -> None:
    card = gift_card()
    redemption.redeem_for_guest(actor=SYSTEM, card_id=card.pk)
    refused(ann, card.code, AlreadyRedeemed)
    with unchanged(AlreadyRedeemed):
        redemption.redeem_for_guest(actor=SYSTEM, card_id=card.pk)


@pytest.mark.parametrize("actor", [ANONYMOUS, Actor("customer", "cus_ann"), Actor("user", "user_without_permissions")])
def test_only_the_shop_redeems_for_guests(actor: Actor) -> None:
    card = gift_card()
    with unchanged(Forbidden):
        redemption.redeem_for_guest(actor=actor, card_id=card.pk)


def refused(customer: Customer, named: str, error: type[DomainError]) -> None:
    with unchanged(error):
        redemption.redeem(actor=redeemer(customer), id_or_code=named)


def test_what_an_account_cannot_hold_is_refused_and_the_card_stays_pending(ann: Customer) -> None:
    card = gift_card(50)
    account = nearly_full(ann, room=50 * 10_000 - 1)
    with unchanged(AccountFull):
        redemption.redeem(actor=redeemer(ann), id_or_code=card.code)
    account.refresh_from_db()
    assert account.credits == (ledger.MAX_CREDITED - 50 * 10_000 + 1) / Decimal(10_000)


def test_an_account_takes_all_that_it_can_hold(ann: Customer) -> None:
    card = gift_card(50)
    account = nearly_full(ann, room=50 * 10_000)
    redemption.redeem(actor=redeemer(ann), id_or_code=card.code)
    account.refresh_from_db()
    assert account.credits == (2**63 - 1) / Decimal(10_000)
