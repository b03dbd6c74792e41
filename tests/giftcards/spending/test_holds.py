"""Holding gift cards and store credit for an attempt, and spending them for its order."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from carts.pricing.locked_cart import LockedCart
from customers.models import Customer
from giftcards.cards import cancellation, redemption
from giftcards.errors import BalanceTooLow, CreditUnavailable, GiftCardHeld, NoBalance
from giftcards.ledger import adjustment
from giftcards.models import CreditHold, GiftCard, StoreCreditAccount, Transaction
from giftcards.spending.cart_cards import add_card
from giftcards.spending.cart_store_credit import add_store_credit
from giftcards.spending.holds import hold_credit, release_holds, spend_credit
from giftcards.verification.verification import discrepancies
from kit.domain.actor import SYSTEM
from kit.domain.soft_deletion import delete
from kit.values.timestamps import now
from tests.factories import carts as make
from tests.factories.customers import CustomerFactory
from tests.factories.giftcards import cart_paid_by, gift_card, redeemer, spend, store_credit
from tests.giftcards.books import balance, books, unchanged

pytestmark = pytest.mark.django_db


@pytest.fixture
def ann() -> Customer:
    return CustomerFactory(email="ann@example.com")


def held(source: GiftCard | StoreCreditAccount) -> Any:
    source.refresh_from_db()
    return source.held_by if isinstance(source, GiftCard) else source.held


def order(cart: LockedCart, order_id: str = "order_1", attempt_id: str | None = None) -> None:
    spend_credit(order_id=order_id, cart=cart, attempt_id=attempt_id)
    assert list(discrepancies()) == []


def debits(order_id: str = "order_1") -> list[tuple[str, Decimal]]:
    """By account."""
    rows = Transaction.objects.filter(type="debit", reference="order", reference_id=order_id).order_by("pk")
    return [(row.group.account_id, row.amount) for row in rows]


# --- Held, and released ---


def test_a_hold_changes_no_entry_and_is_released_once(ann: Customer) -> None:
    card, credit = gift_card(50), store_credit(ann, 30)
    before = books()
    hold_credit(attempt_id="one", cart=cart_paid_by((card, 20), (credit, 10), customer_id=ann.pk))
    assert (held(card), held(credit)) == ("one", 10)
    assert CreditHold.objects.count() == 2
    assert Transaction.objects.count() == 1
    assert list(discrepancies()) == []
    for _ in range(2):
        release_holds("one")
        assert books() == before
    release_holds("unknown")


def test_a_held_card_is_neither_redeemed_nor_canceled_nor_used_by_another_cart(ann: Customer) -> None:
    card = gift_card(50)
    hold_credit(attempt_id="one", cart=cart_paid_by((card, 20)))
    cart = make.cart(make.sold_variant(10))
    with unchanged(GiftCardHeld, "reserved for an order that is being placed"):
        redemption.redeem(actor=redeemer(ann), id_or_code=card.pk)
    with unchanged(GiftCardHeld):
        redemption.redeem_for_guest(actor=SYSTEM, card_id=card.pk)
    with unchanged(GiftCardHeld):
        cancellation.cancel(actor=SYSTEM, card_id=card.pk)
    with unchanged(GiftCardHeld):
        add_card(actor=make.shopper(), cart_id=cart.pk, code=card.code)
    with unchanged(CreditUnavailable, f"Gift card …{card.code[-4:]} is reserved for another order"):
        hold_credit(attempt_id="two", cart=cart_paid_by((card, 20)))
    with unchanged(CreditUnavailable, "is reserved for another order"):
        order(cart_paid_by((card, 20)))
    release_holds("one")
    redemption.redeem(actor=redeemer(ann), id_or_code=card.pk)


def test_what_is_held_of_an_account_is_not_spent_twice(ann: Customer) -> None:
    credit = store_credit(ann, 30)
    hold_credit(attempt_id="one", cart=cart_paid_by((credit, 20), customer_id=ann.pk))
    with unchanged(CreditUnavailable, "Store credit has too low a balance"):
        hold_credit(attempt_id="two", cart=cart_paid_by((credit, "10.01"), customer_id=ann.pk))
    hold_credit(attempt_id="two", cart=cart_paid_by((credit, 10), customer_id=ann.pk))
    assert held(credit) == 30
    with unchanged(BalanceTooLow):
        adjustment.adjust(
            actor=SYSTEM, customer_id=ann.pk, currency_code="usd", amount=Decimal("-0.01"), reason="Miscounted"
        )
    with unchanged(CreditUnavailable):
        spend(credit.pk, "0.01", order_id="order_3")
    mine = make.shopper(customer_id=ann.pk)
    with unchanged(NoBalance):
        add_store_credit(actor=mine, cart_id=make.cart(make.sold_variant(10), actor=mine).pk)
    release_holds("two")
    with unchanged(BalanceTooLow):
        add_store_credit(actor=mine, cart_id=make.cart(make.sold_variant(10), actor=mine).pk, amount=Decimal("10.01"))


def test_carts_count_on_nothing_that_is_held(ann: Customer) -> None:
    card, credit, mine = gift_card(4), store_credit(ann, 30), make.shopper(customer_id=ann.pk)
    cart = make.cart(make.sold_variant(40), actor=mine)
    add_card(actor=mine, cart_id=cart.pk, code=card.code)
    hold_credit(attempt_id="one", cart=cart_paid_by((card, 4), (credit, 20), customer_id=ann.pk))
    add_store_credit(actor=mine, cart_id=cart.pk)
    assert [line.amount for line in cart.credit_lines.all()] == [10]


# --- Spent ---


def test_a_guests_card_keeps_its_remainder(ann: Customer) -> None:
    card = gift_card(50)
    order(cart_paid_by((card, 20)))
    card.refresh_from_db()
    account = StoreCreditAccount.objects.get(gift_card=card)
    assert (card.status, card.customer_id, account.balance) == ("redeemed", None, 30)
    assert debits() == [(account.pk, 20)]
    order(cart_paid_by((card, 25)), "order_2")
    hold_credit(attempt_id="one", cart=cart_paid_by((card, 4)))
    assert (held(card), held(account)) == (None, 4)
    with unchanged(CreditUnavailable, f"Gift card …{card.code[-4:]} has too low a balance"):
        order(cart_paid_by((card, "1.01"), customer_id=ann.pk))
    order(cart_paid_by((card, 4)), "order_3", "one")
    account.refresh_from_db()
    assert (account.balance, account.held) == (1, 0)


@pytest.mark.parametrize("has_credit", [False, True])
def test_two_cards_and_credit_of_a_customer_end_in_one_debit(ann: Customer, has_credit: bool) -> None:
    """Two groups of one account, and the third where there was credit: one sum, taken once."""
    cards, sources = [gift_card(5), gift_card(7)], [(gift_card(1), 0)]
    sources += [(cards[0], 5), (cards[1], Decimal("3.50"))]
    if has_credit:
        sources.append((store_credit(ann, 10), 2))
    cart = cart_paid_by(*sources, customer_id=ann.pk)
    hold_credit(attempt_id="one", cart=cart)
    order(cart, attempt_id="one")
    account = StoreCreditAccount.objects.get()
    assert account.customer_id == ann.pk
    assert account.debits == (Decimal("10.50") if has_credit else Decimal("8.50"))
    assert {account_id for account_id, _ in debits()} == {account.pk}
    assert sum(amount for _, amount in debits()) == account.debits
    assert balance(ann) == (Decimal("11.50") if has_credit else Decimal("3.50"))
    assert [card.customer_id for card in GiftCard.objects.filter(status="redeemed")] == [ann.pk, ann.pk]
    assert CreditHold.objects.count() == 0


def test_a_card_of_a_customer_without_an_account_is_a_guests() -> None:
    guest, card = CustomerFactory(has_account=False), gift_card(10)
    order(cart_paid_by((card, 4), customer_id=guest.pk))
    assert StoreCreditAccount.objects.get(gift_card=card).balance == 6


def test_complete_fail_and_complete_again(ann: Customer) -> None:
    card, credit = gift_card(50), store_credit(ann, 30)
    cart = cart_paid_by((card, 50), (credit, 30), customer_id=ann.pk)
    for attempt_id in ("one", "two"):
        hold_credit(attempt_id=attempt_id, cart=cart)
        release_holds(attempt_id)
    hold_credit(attempt_id="three", cart=cart)
    order(cart, attempt_id="three")
    assert balance(ann) == 0
    assert sum(amount for _, amount in debits()) == 80
    release_holds("three")
    assert balance(ann) == 0


def test_a_card_that_expires_while_it_is_held_is_spent() -> None:
    card = gift_card(10, expires_at=now() + timedelta(hours=1))
    cart = cart_paid_by((card, 10))
    hold_credit(attempt_id="one", cart=cart)
    GiftCard.objects.filter(pk=card.pk).update(expires_at=now() - timedelta(seconds=1))
    order(cart, attempt_id="one")
    assert sum(amount for _, amount in debits()) == 10


def test_a_cart_without_credit_takes_nothing(django_assert_num_queries: Any) -> None:
    cart = cart_paid_by((gift_card(10), 0))
    with django_assert_num_queries(0):
        hold_credit(attempt_id="one", cart=cart)
        spend_credit(order_id="order_1", cart=cart, attempt_id=None)


# --- Refused ---


def expired(card: GiftCard) -> None:
    GiftCard.objects.filter(pk=card.pk).update(expires_at=now() - timedelta(seconds=1))


def canceled(card: GiftCard) -> None:
    cancellation.cancel(actor=SYSTEM, card_id=card.pk)


def redeemed(card: GiftCard) -> None:
    redemption.redeem(actor=redeemer(CustomerFactory()), id_or_code=card.pk)


def bound(card: GiftCard) -> None:
    GiftCard.objects.filter(pk=card.pk).update(customer=CustomerFactory())


def gone(card: GiftCard) -> None:
    delete(card)


@pytest.mark.parametrize(
    ("end", "why"),
    [
        (expired, "Gift card {} has expired"),
        (canceled, "Gift card {} is canceled"),
        (redeemed, "Gift card {} is already redeemed"),
        (bound, "Gift card {} cannot pay for this cart"),
        (gone, "A gift card no longer exists"),
    ],
)
def test_a_card_that_cannot_pay_any_longer_is_named_and_nothing_is_taken(ann: Customer, end: Any, why: str) -> None:
    card, credit = gift_card(10), store_credit(ann, 10)
    cart = cart_paid_by((credit, 10), (card, 10), customer_id=ann.pk)
    end(card)
    match = why.format(f"…{card.code[-4:]}")
    with unchanged(CreditUnavailable, match):
        hold_credit(attempt_id="one", cart=cart)
    with unchanged(CreditUnavailable, match):
        order(cart)
    with unchanged(CreditUnavailable, match):
        order(cart, attempt_id="without holds")


def test_more_than_a_card_is_worth_is_refused() -> None:
    card = gift_card(10)
    with unchanged(CreditUnavailable, "has too low a balance"):
        order(cart_paid_by((card, "10.01")))


def test_credit_of_another_customer_or_currency_is_refused(ann: Customer) -> None:
    credit = store_credit(CustomerFactory(), 10)
    with unchanged(CreditUnavailable, "Store credit cannot pay for this cart"):
        order(cart_paid_by((credit, 1), customer_id=ann.pk))
    cart = cart_paid_by((store_credit(ann, 10), 1), customer_id=ann.pk)
    cart.row.currency_id = "eur"
    with unchanged(CreditUnavailable, "Store credit cannot pay for this cart"):
        order(cart)
