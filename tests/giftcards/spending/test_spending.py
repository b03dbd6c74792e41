"""Paying with store credit, and getting it back."""

from decimal import Decimal
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from customers.models import Customer
from giftcards.cards import redemption
from giftcards.errors import AccountNotFound, AlreadySettled, CreditUnavailable, RefundExceedsSpent
from giftcards.ledger.references import Reference
from giftcards.ledger.refunding import refund
from giftcards.models import StoreCreditAccount, Transaction, TransactionGroup
from kit.domain.actor import ANONYMOUS, SYSTEM, Actor
from kit.errors import Forbidden, InvalidData
from tests.factories.customers import CustomerFactory
from tests.factories.giftcards import gift_card, spend, store_credit
from tests.giftcards.books import balance, books, groups, unchanged, unguarded

pytestmark = pytest.mark.django_db

ORDER, OTHER = Reference("order", "order_1"), Reference("order", "order_2")
WRONG_AMOUNTS: list[tuple[Any, str]] = [
    (0, "greater than 0"),
    (-1, "greater than 0"),
    ("0.001", "more than 2 decimals"),
    ("1e12", "out of bounds"),
    ("NaN", "out of bounds"),
]


@pytest.fixture
def ann() -> Customer:
    return CustomerFactory(email="ann@example.com")


@pytest.fixture
def account(ann: Customer) -> StoreCreditAccount:
    """Of three groups: 10, 20 and 70."""
    for amount in (10, 20):
        store_credit(ann, amount)
    return store_credit(ann, 70)


def spent(account: StoreCreditAccount, amount: Any, payer: Reference = ORDER) -> None:
    spend(account.pk, amount, order_id=payer.id)


def refunded(
    account: StoreCreditAccount, amount: Any, refund_id: str = "one", payer: Reference = ORDER, actor: Actor = SYSTEM
) -> None:
    refund(actor=actor, account_id=account.pk, amount=Decimal(str(amount)), payer=payer, refund_id=refund_id)


# --- Spent ---


def test_what_is_spent_leaves_the_groups_oldest_first(account: StoreCreditAccount) -> None:
    spent(account, "10.50")
    assert groups(account.pk) == [0, Decimal("19.50"), 70]
    spent(account, 89, OTHER)
    assert groups(account.pk) == [0, 0, Decimal("0.50")]
    entries = Transaction.objects.filter(type="debit").order_by("pk")
    assert [(entry.reference_id, entry.amount) for entry in entries] == [
        *(("order_1", 10), ("order_1", Decimal("0.50"))),
        *(("order_2", Decimal("19.50")), ("order_2", Decimal("69.50"))),
    ]
    assert {(entry.reference, entry.created_by, entry.note) for entry in entries} == {("order", None, None)}


def test_all_that_there_is_can_be_spent_and_no_more(ann: Customer, account: StoreCreditAccount) -> None:
    with unchanged(CreditUnavailable, "Store credit has too low a balance"):
        spent(account, "100.01")
    spent(account, 100)
    assert balance(ann) == 0
    with unchanged(CreditUnavailable):
        spent(account, "0.01", OTHER)


def test_an_order_takes_from_an_account_once(ann: Customer, account: StoreCreditAccount) -> None:
    spent(account, 25)
    with unchanged(IntegrityError), transaction.atomic():
        spent(account, 75)
    assert balance(ann) == 75


@pytest.mark.parametrize("kind", ["gift_card", "adjustment", "refund"])
def test_the_ledgers_own_references_are_no_payers(account: StoreCreditAccount, kind: str) -> None:
    with unchanged(ValueError, "not a payer"):
        refunded(account, 1, payer=Reference(kind, "1"))


@pytest.mark.parametrize(("amount", "match"), WRONG_AMOUNTS)
def test_what_is_no_amount_is_not_refunded(account: StoreCreditAccount, amount: Any, match: str) -> None:
    spent(account, 5, OTHER)
    with unchanged(InvalidData, match):
        refunded(account, amount, payer=OTHER)


def test_an_unknown_account_gets_no_refund(account: StoreCreditAccount) -> None:
    with unchanged(AccountNotFound):
        refunded(StoreCreditAccount(pk="sc_acc_nobody"), 1)


@pytest.mark.parametrize("actor", [ANONYMOUS, Actor("customer", "cus_ann"), Actor("user", "user_without_permissions")])
def test_only_who_may_add_entries_refunds(account: StoreCreditAccount, actor: Actor) -> None:
    spent(account, 5)
    with unchanged(Forbidden):
        refunded(account, 1, actor=actor)


def test_a_guests_account_is_spent_as_any_other() -> None:
    account = StoreCreditAccount(pk=redemption.redeem_for_guest(actor=SYSTEM, card_id=gift_card(25).pk))
    spent(account, 10)
    spent(account, 15, OTHER)
    assert groups(account.pk) == [0]
    refunded(account, 4)
    assert groups(account.pk) == [0, 4]


# --- Given back ---


def test_what_is_refunded_is_a_group_of_its_own_that_names_the_payer(account: StoreCreditAccount) -> None:
    spent(account, 30)
    refunded(account, "12.50")
    assert groups(account.pk) == [0, 0, 70, Decimal("12.50")]
    group = TransactionGroup.objects.order_by("pk").last()
    assert group is not None
    assert group.code == f"refund:one:{account.pk}"
    entry = group.transactions.get()
    assert (entry.type, entry.amount, entry.reference, entry.reference_id) == (
        *("credit", Decimal("12.50")),
        *("order", "order_1"),
    )


def test_no_more_is_refunded_than_was_spent(ann: Customer, account: StoreCreditAccount) -> None:
    spent(account, 30)
    spent(account, 50, OTHER)
    with unchanged(RefundExceedsSpent):
        refunded(account, "30.01")
    refunded(account, 10)
    with unchanged(RefundExceedsSpent):
        refunded(account, "20.01", "two")
    refunded(account, 20, "two")
    with unchanged(RefundExceedsSpent):
        refunded(account, "0.01", "three")
    assert balance(ann) == 50


def test_what_was_not_spent_from_an_account_is_not_refunded_to_it(account: StoreCreditAccount) -> None:
    other = store_credit(CustomerFactory(), 5)
    spent(account, 30)
    with unchanged(RefundExceedsSpent):
        refunded(other, 1)
    with unchanged(RefundExceedsSpent):
        refunded(account, 1, payer=OTHER)


def test_a_refund_is_made_once(ann: Customer, account: StoreCreditAccount) -> None:
    spent(account, 30)
    spent(account, 30, OTHER)
    refunded(account, 10)
    before = books()
    refunded(account, 10)
    assert books() == before
    with unchanged(AlreadySettled):
        refunded(account, 11)
    with unchanged(AlreadySettled):
        refunded(account, 10, payer=OTHER)
    assert balance(ann) == 50


def test_a_refund_that_was_spent_since_is_known_still(ann: Customer, account: StoreCreditAccount) -> None:
    """Its group has debits then, and their ids may sort before it: another worker's clock may be late."""
    spent(account, 100)
    refunded(account, 10)
    spent(account, 10, OTHER)
    with unguarded():
        Transaction.objects.filter(reference_id="order_2").update(id="sc_trx_00000000000000000000000000")
    before = books()
    refunded(account, 10)
    assert books() == before
    assert balance(ann) == 0
