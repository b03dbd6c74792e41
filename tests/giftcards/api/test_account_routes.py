"""Opening store credit accounts, and their entries, below /admin and in GraphQL."""

from typing import Any

import pytest

from giftcards.ledger.account_opening import open_account
from giftcards.models import StoreCreditAccount
from kit.errors import Forbidden
from tests.contract.callers import Caller, invalid, refusal
from tests.contract.conftest import admin
from tests.factories.actors import staff_actor
from tests.factories.customers import CustomerFactory
from tests.factories.giftcards import store_credit
from tests.kit.graphql.calls import ask, data, failures

pytestmark = pytest.mark.django_db

__all__ = ["admin"]
ACCOUNTS = "/admin/store-credit-accounts"
OPEN = """mutation ($input: AccountInput!) { createStoreCreditAccount(input: $input) {
    storeCreditAccount { currencyCode balance customer { id } } } }"""


class TestOpening:
    def test_an_empty_account(self, admin: Caller) -> None:
        customer = CustomerFactory()
        body = {"currency_code": "USD", "customer_id": customer.pk, "metadata": {"a": 1}}
        answer = admin.post(ACCOUNTS, body, Idempotency_Key="account-4711")
        made = answer.json()["store_credit_account"]
        assert (made["currency_code"], made["customer_id"], made["customer"]["id"]) == ("usd", customer.pk, customer.pk)
        assert (made["balance"], made["credits"], made["debits"], made["metadata"]) == (0, 0, 0, {"a": 1})
        assert admin.post(ACCOUNTS, body, Idempotency_Key="account-4711").content == answer.content
        credited = admin.post(f"{ACCOUNTS}/{made['id']}/credit", {"amount": 5, "note": "Late parcel"})
        assert credited.json()["store_credit_account"]["balance"] == 5

    def test_one_for_a_customer_and_currency(self, admin: Caller) -> None:
        account = store_credit(CustomerFactory(), 5)
        answer = admin.post(ACCOUNTS, {"currency_code": "usd", "customer_id": account.customer_id})
        assert (answer.status_code, answer.json()["message"]) == (
            422,
            f"Store credit account of customer {account.customer_id} in usd already exists",
        )
        assert StoreCreditAccount.objects.count() == 1

    @pytest.mark.parametrize(
        ("body", "message"),
        [
            ({}, "Invalid request: Field 'currency_code' is required; Field 'customer_id' is required"),
            (
                {"currency_code": "usd", "customer_id": "cus_nobody"},
                "Customer with id: cus_nobody was not found, given by field 'customer_id'",
            ),
            ({"currency_code": "xyz"}, "'xyz' of field 'currency_code' is not an ISO 4217 currency code"),
            ({"currency_code": "usd", "amount": 5}, "Invalid request: Unrecognized fields: 'amount'"),
            (
                {"currency_code": "usd", "metadata": 5},
                invalid("Expected type: 'object' for field 'metadata', got: '5'")[1],
            ),
        ],
    )
    def test_refusals(self, admin: Caller, body: dict[str, Any], message: str) -> None:
        given = {"customer_id": CustomerFactory().pk, **body} if body else {}
        assert refusal(admin.post(ACCOUNTS, given)) == (400, message)
        assert not StoreCreditAccount.objects.exists()

    def test_only_staff_who_may(self) -> None:
        with pytest.raises(Forbidden, match=r"^The permission 'giftcards.add_storecreditaccount' is required$"):
            open_account(actor=staff_actor("giftcards.add_transaction"), currency_code="usd", customer_id="cus_1")

    def test_in_graphql(self, admin: Caller) -> None:
        given = {"currencyCode": "usd", "customerId": CustomerFactory().pk}
        made = data(ask(admin, OPEN, {"input": given}))["createStoreCreditAccount"]["storeCreditAccount"]
        assert made == {"currencyCode": "usd", "balance": 0, "customer": {"id": given["customerId"]}}
        ((place, message, _),) = failures(ask(admin, OPEN, {"input": given}))
        assert (place, message[-14:]) == ("createStoreCreditAccount", "already exists")


class TestEntries:
    def test_of_one_account_newest_first(self, admin: Caller) -> None:
        account, other = store_credit(CustomerFactory(), 5), store_credit(CustomerFactory(), 7)
        admin.post(f"{ACCOUNTS}/{account.pk}/debit", {"amount": 2, "note": "Too much"})
        listed = admin.get(f"{ACCOUNTS}/{account.pk}/transactions").json()
        assert (listed["count"], listed["limit"]) == (2, 15)
        debit, credit = listed["transactions"]
        assert (debit["type"], debit["amount"], debit["note"], debit["created_by"][:5]) == (
            "debit",
            2,
            "Too much",
            "user_",
        )
        assert (credit["type"], credit["amount"], credit["reference"]) == ("credit", 5, "adjustment")
        assert {each["account_id"] for each in listed["transactions"]} == {account.pk}
        assert {each["transaction_group_id"] for each in listed["transactions"]} == {
            account.transaction_groups.get().pk
        }
        query = """query ($id: [ID!]) { storeCreditTransactions(accountId: $id, type: "credit") {
            transactions { id amount accountId } } }"""
        assert data(ask(admin, query, {"id": [account.pk, other.pk]}))["storeCreditTransactions"]["transactions"] == [
            {
                "id": each.transaction_groups.get().transactions.get(type="credit").pk,
                "amount": amount,
                "accountId": each.pk,
            }
            for each, amount in ((other, 7), (account, 5))
        ]

    def test_of_an_account_that_is_not_there(self, admin: Caller) -> None:
        assert refusal(admin.get(f"{ACCOUNTS}/sc_acc_nobody/transactions"))[0] == 404
