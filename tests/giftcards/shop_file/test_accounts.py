"""Accounts of store credit in the shop file: their entries, and what the ledger refuses of them."""

from decimal import Decimal
from typing import Any

import pytest

from customers.models import Customer
from giftcards.models import StoreCreditAccount, Transaction, TransactionGroup
from tests.factories.customers import CustomerFactory
from tests.giftcards.books import balance, books, groups, nearly_full
from tests.giftcards.shop_file.contents import (
    ANN,
    NAMED,
    OPENING,
    PAID,
    REDEEMED,
    account,
    cards,
)
from tests.operations.shop_file_runs import ShopFiles, everything

pytestmark = pytest.mark.django_db


class TestAccounts:
    def test_entries_are_booked_in_their_order(self, files: ShopFiles, ann: Customer):
        lines = files.load(account(OPENING, PAID, {**OPENING, "amount": 1}, id="sc_acc_1", metadata={"a": 1}))
        assert lines == ["store_credit_accounts: 1 created, 0 updated, 0 unchanged"]
        own = StoreCreditAccount.objects.get()
        assert (own.pk, own.metadata, own.customer, own.currency_id) == ("sc_acc_1", {"a": 1}, ann, "usd")
        assert groups(own.pk) == [Decimal("7.5"), Decimal(1)]
        assert list(TransactionGroup.objects.order_by("pk").values_list("code", flat=True)) == [
            *("adjustment:opening:sc_acc_1", "adjustment:opening:sc_acc_1:2")
        ]

    def test_a_second_load_changes_no_row(self, files: ShopFiles, ann: Customer):
        content = account(OPENING, {**OPENING, "amount": 5}, {**PAID, "amount": 22})
        files.load(content)
        before = everything()
        assert Transaction.objects.filter(type="debit").count() == 2
        assert files.load(content) == ["store_credit_accounts: 0 created, 0 updated, 1 unchanged"]
        assert everything() == before

    def test_one_reference_may_credit_many_accounts(self, files: ShopFiles, ann: Customer):
        bob = CustomerFactory(email="bob@example.com")
        files.load(
            {
                "store_credit_accounts": [
                    account(OPENING, customer=name)["store_credit_accounts"][0] for name in (ANN, bob.email)
                ]
            }
        )
        assert (balance(ann), balance(bob)) == (20, 20)

    def test_new_entries_are_added_to_an_account(self, files: ShopFiles, ann: Customer):
        files.load(account(OPENING))
        assert files.load(account(OPENING, PAID)) == ["store_credit_accounts: 0 created, 1 updated, 0 unchanged"]
        assert balance(ann) == Decimal("7.5")

    def test_new_metadata_is_all_that_changes(self, files: ShopFiles, ann: Customer):
        files.load(account(OPENING))
        before = books()
        files.load(account(OPENING, metadata={"a": 1}))
        assert StoreCreditAccount.objects.get().metadata == {"a": 1}
        assert (books()[0], *books()[2:]) == (before[0], *before[2:])

    def test_cards_of_the_same_file_are_there_to_be_spent(self, files: ShopFiles, ann: Customer):
        lines = files.load({**account(PAID, id="sc_acc_1", created_at="2020-01-01T00:00:00Z"), **cards(REDEEMED)})
        assert lines[1] == "store_credit_accounts: 1 created, 0 updated, 0 unchanged"
        own = StoreCreditAccount.objects.get()
        assert (own.pk, own.created_at.year, balance(ann)) == ("sc_acc_1", 2020, Decimal("37.5"))

    @pytest.mark.parametrize(
        ("entries", "problem"),
        [
            ([PAID], "[0].amount: is more than the 0 left on the account"),
            ([OPENING, {**PAID, "amount": 20.01}], "[1].amount: is more than the 20 left on the account"),
            ([PAID, {**OPENING, "amount": 50}], "[0].amount: is more than the 0 left on the account"),
            (
                [NAMED, {**PAID, "amount": 21, "group": "opening"}],
                "[1].amount: is more than the 20 left in 'opening'",
            ),
            ([OPENING, {**PAID, "group": "elsewhere"}], "[1].group: the account has no group 'elsewhere'"),
            ([OPENING, PAID, PAID], "[2]: already appears at store_credit_accounts[0].transactions[1]"),
            (
                [NAMED, {**NAMED, "reference_id": "other"}],
                "[1].group: 'opening' belongs to another credit",
            ),
            (
                [{**OPENING, "reference": "gift_card"}],
                "[0].reference: is reserved for gift cards: declare the credit on the card",
            ),
            (
                [{**OPENING, "group": "gift_card:gcard_1"}],
                "[0].group: is reserved for gift cards: declare the credit on the card",
            ),
            ([OPENING, {**PAID, "group_id": "sc_trxg_1"}], "[1].group_id: is only allowed on credits"),
            ([{**OPENING, "amount": 0}], "[0].amount: must be greater than 0"),
            ([{**OPENING, "amount": -1}], "[0].amount: expected a number from 0 to 100000000000"),
            ([{**OPENING, "amount": 0.001}], "[0].amount: Value for field 'amount' has more than 2 decimals of usd"),
            ([{**OPENING, "reference_id": "\0"}], "[0].reference_id: must not contain NUL characters"),
            (
                [{**OPENING, "reference_id": "x" * 255}],
                "[0].reference_id: is too long to derive a group code from: name a group",
            ),
            ([{"type": "credit", "amount": 1, "reference": "a"}], "[0].reference_id: is required"),
            ([{**OPENING, "type": "loan"}], '[0].type: expected credit or debit, got "loan"'),
            ([{**OPENING, "balance": 1}], "[0].balance: unknown field"),
            (
                [{**OPENING, "id": "sc_trx_1"}, {**OPENING, "id": "sc_trx_1"}],
                "[1]: already appears at store_credit_accounts[0].transactions[0]",
            ),
            (
                [OPENING, {**OPENING, "amount": 1}, {**PAID, "amount": 21, "id": "sc_trx_1"}],
                "[2].id: names one entry, but the debit is split over several",
            ),
        ],
    )
    def test_an_entry_that_the_ledger_does_not_take(self, files: ShopFiles, ann: Customer, entries: Any, problem: str):
        assert files.refused(account(*entries)) == [f"store_credit_accounts[0].transactions{problem}"]

    def test_more_than_an_account_can_hold(self, files: ShopFiles, ann: Customer):
        nearly_full(ann, room=20 * 10_000)
        smallest = {**OPENING, "amount": 0.01, "reference_id": "more"}
        (problem,) = files.refused(account({**OPENING, "reference_id": "all"}, smallest))
        assert problem == "store_credit_accounts[0].transactions[1].amount: would exceed the account's maximum"

    @pytest.mark.parametrize(
        ("entry", "problem"),
        [
            ({"amount": 21}, "amount: 20 is already booked, which cannot change"),
            ({"id": "sc_trx_1", "amount": 21}, "amount: 20 is already booked, which cannot change"),
            ({"id": "sc_trx_1", "reference_id": "x"}, "id: belongs to credit adjustment opening"),
            ({"id": "sc_trx_1", "group": "x"}, "group: the entry is in opening, which cannot change"),
            (
                {"id": "sc_trx_2", "group": "opening", "amount": 3},
                "amount: 20 is already booked, which cannot change",
            ),
        ],
    )
    def test_an_entry_that_denies_a_stored_one(self, files: ShopFiles, ann: Customer, entry: Any, problem: str):
        files.load(account({**NAMED, "id": "sc_trx_1"}))
        assert files.refused(account({**OPENING, **entry})) == [f"store_credit_accounts[0].transactions[0].{problem}"]

    def test_a_debit_that_another_entry_has_booked(self, files: ShopFiles, ann: Customer):
        files.load(account(NAMED, PAID))
        (problem,) = files.refused(account(NAMED, {**PAID, "id": "sc_trx_1", "amount": 1}))
        path, _, reported = problem.partition(": ")
        assert path == "store_credit_accounts[0].transactions[1]"
        assert reported == "another entry already took this from 'opening'"

    @pytest.mark.parametrize(
        ("said", "problem"),
        [
            ({"customer": "nobody"}, ".customer: there is no customer 'nobody'"),
            ({"currency_code": "xyz"}, ".currency_code: 'xyz' is not an ISO 4217 currency code"),
            ({"customer": None}, ".customer: expected a text, got null"),
            ({"balance": 5}, ".balance: unknown field"),
            ({"transactions": {}}, ".transactions: expected a list, got an object"),
            ({"transactions": [5]}, ".transactions[0]: expected an object, got 5"),
            ({"id": "acc_1"}, '.id: expected an id that begins with sc_acc_, got "acc_1"'),
        ],
    )
    @pytest.mark.parametrize("beside", [{}, cards(REDEEMED)])
    def test_a_value_that_no_account_takes(self, files: ShopFiles, ann: Customer, said: Any, problem: str, beside: Any):
        assert files.refused(
            {**beside, **account(**said)}
            if "transactions" not in said
            else {**beside, "store_credit_accounts": [{"customer": ANN, "currency_code": "usd", **said}]}
        ) == [f"store_credit_accounts[0]{problem}"]

    def test_an_owner_never_changes(self, files: ShopFiles, ann: Customer):
        CustomerFactory(email="bob@example.com")
        files.load(account(OPENING, id="sc_acc_1"))
        assert files.refused(account(id="sc_acc_1", customer="bob@example.com", currency_code="eur")) == [
            f"store_credit_accounts[0].customer: account sc_acc_1 has {ann.pk}, which cannot change",
            "store_credit_accounts[0].currency_code: account sc_acc_1 has usd, which cannot change",
        ]

    def test_two_objects_for_one_account(self, files: ShopFiles, ann: Customer):
        two = {"store_credit_accounts": account()["store_credit_accounts"] * 2}
        assert files.refused(two) == ["store_credit_accounts[1]: already appears at store_credit_accounts[0]"]

    def test_the_account_of_a_guests_card_comes_with_the_card(self, files: ShopFiles, ledger: Customer):
        guests = StoreCreditAccount.objects.get(gift_card__value=30)
        assert files.refused(account(id=guests.pk)) == [
            f"store_credit_accounts[0].id: belongs to the account of gift card {guests.gift_card_id}"
        ]

    def test_an_account_of_a_shared_email_is_that_of_who_signs_in(self, files: ShopFiles, ann: Customer):
        CustomerFactory(email=ANN, has_account=False)
        files.load(account(OPENING))
        assert balance(ann) == 20
