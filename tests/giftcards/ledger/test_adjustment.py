"""Correcting store credit by hand."""

from decimal import Decimal
from typing import Any

import pytest

from customers.models import Customer
from giftcards.errors import AlreadyAdjusted, BalanceTooLow, NoStoreCreditAccount
from giftcards.ledger.adjustment import adjust
from giftcards.models import StoreCreditAccount, Transaction, TransactionGroup
from kit.domain.actor import ANONYMOUS, SYSTEM, Actor
from kit.errors import DomainError, Forbidden, InvalidData
from kit.values.timestamps import now
from shop.models import Currency
from tests.factories.customers import CustomerFactory
from tests.factories.giftcards import store_credit
from tests.giftcards.books import balance, groups, unchanged

pytestmark = pytest.mark.django_db


@pytest.fixture
def ann() -> Customer:
    return CustomerFactory(email="ann@example.com")


def adjusted(customer: Customer, amount: Any, *, actor: Actor = SYSTEM, **other: Any) -> str:
    values = {"currency_code": "usd", "reason": "broken cup", "customer_id": customer.pk, **other}
    return adjust(actor=actor, amount=Decimal(str(amount)), **values)


def test_an_adjustment_opens_the_account_and_says_why_and_who(ann: Customer) -> None:
    staff = Actor("user", "user_bob", permitted={"giftcards.add_transaction"}.__contains__)
    account_id = adjusted(ann, "12.50", actor=staff, currency_code="USD")
    account, group, entry = StoreCreditAccount.objects.get(), TransactionGroup.objects.get(), Transaction.objects.get()
    assert (account.pk, account.customer_id, account.currency_id) == (account_id, ann.pk, "usd")
    assert account.credits == group.credits == entry.amount == Decimal("12.50")
    assert (entry.type, entry.reference, entry.note, entry.created_by) == (
        *("credit", "adjustment"),
        *("broken cup", "user_bob"),
    )
    assert entry.reference_id.startswith("sc_adj_")
    assert group.code == f"adjustment:{entry.reference_id}"


@pytest.mark.parametrize("amount", [5, -5])
def test_an_adjustment_that_has_its_id_before_is_booked_once(ann: Customer, amount: int) -> None:
    store_credit(ann, 10)
    account_id = adjusted(ann, amount, adjustment_id="sc_adj_1")
    for again in (amount, 1, -1):
        with unchanged(AlreadyAdjusted, "sc_adj_1 has already been booked"):
            adjusted(ann, again, adjustment_id="sc_adj_1")
    with unchanged(AlreadyAdjusted):
        adjusted(CustomerFactory(), 1, adjustment_id="sc_adj_1")
    assert Transaction.objects.filter(reference_id="sc_adj_1", group__account=account_id).count() == 1
    for wrong in ("", "a\0b", "x" * 65):
        with unchanged(InvalidData, "'adjustment_id'"):
            adjusted(ann, 1, adjustment_id=wrong)


def test_each_adjustment_is_a_group_of_its_own(ann: Customer) -> None:
    account_id = adjusted(ann, 10)
    assert adjusted(ann, 20) == account_id
    assert groups(account_id) == [10, 20]
    assert Transaction.objects.values("reference_id").distinct().count() == 2


def test_a_negative_adjustment_takes_from_the_oldest_groups_first(ann: Customer) -> None:
    account_id = adjusted(ann, 10)
    adjusted(ann, 20)
    assert adjusted(ann, "-10.01") == account_id
    assert groups(account_id) == [0, Decimal("19.99")]
    taken = Transaction.objects.filter(type="debit").order_by("group_id")
    assert [(entry.amount, entry.note) for entry in taken] == [(10, "broken cup"), (Decimal("0.01"), "broken cup")]
    assert len({entry.reference_id for entry in taken}) == 1
    assert adjusted(ann, "-19.99") == account_id
    assert balance(ann) == 0


def test_no_more_is_taken_than_there_is(ann: Customer) -> None:
    store_credit(ann, 10)
    with unchanged(BalanceTooLow):
        adjusted(ann, "-10.01")


def test_there_is_nothing_to_take_where_there_is_no_account(ann: Customer) -> None:
    store_credit(ann, 10)
    with unchanged(NoStoreCreditAccount):
        adjusted(ann, -1, currency_code="eur")


@pytest.mark.parametrize(
    ("values", "match"),
    [
        ({"amount": 0}, "greater than 0"),
        ({"amount": "0.001"}, "'amount' has more than 2 decimals of usd"),
        ({"amount": "-0.001"}, "'amount' has more than 2 decimals of usd"),
        ({"amount": "100000000000.01"}, "'amount' is out of bounds"),
        ({"amount": "-1e12"}, "'amount' is out of bounds"),
        ({"amount": "NaN"}, "'amount' is out of bounds"),
        ({"amount": "sNaN"}, "'amount' is out of bounds"),
        ({"amount": "-Infinity"}, "'amount' is out of bounds"),
        ({"amount": 1, "reason": " \n"}, "'reason' must not be blank"),
        ({"amount": 1, "reason": "x" * 1_001}, "'reason' too long"),
        ({"amount": 1, "reason": "a\0b"}, "'reason' must not contain NUL"),
        ({"amount": 1, "currency_code": "xyz"}, "'currency_code' is not an ISO 4217"),
        ({"amount": 1, "currency_code": "chf"}, "no currency 'chf' of field 'currency_code'"),
        ({"amount": 1, "customer_id": "cus_nobody"}, "was not found, given by field 'customer_id'"),
        ({"amount": 1, "customer_id": "a\0b"}, "was not found, given by field 'customer_id'"),
    ],
)
def test_an_adjustment_is_refused_by_the_field_that_is_wrong(ann: Customer, values: Any, match: str) -> None:
    Currency.objects.filter(code="chf").delete()
    store_credit(ann, 10)
    with unchanged(InvalidData, match):
        adjusted(ann, **values)


def test_a_deleted_customer_is_given_nothing_and_what_is_left_can_be_taken(ann: Customer) -> None:
    store_credit(ann, 10)
    Customer.objects.filter(pk=ann.pk).update(deleted_at=now())
    with unchanged(InvalidData, "was not found, given by field 'customer_id'"):
        adjusted(ann, 1)
    adjusted(ann, -10)
    assert balance(ann) == 0


@pytest.mark.parametrize("actor", [ANONYMOUS, Actor("customer", "cus_ann"), Actor("user", "user_without_permissions")])
@pytest.mark.parametrize("amount", [1, -1])
def test_only_who_may_add_entries_adjusts(ann: Customer, actor: Actor, amount: int) -> None:
    store_credit(ann, 10)
    error: type[DomainError] = Forbidden
    with unchanged(error):
        adjusted(ann, amount, actor=actor)
