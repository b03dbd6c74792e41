"""Gift cards and store credit below /admin, as programs issue, cancel and adjust them."""

from typing import Any

import pytest

from giftcards.models import GiftCard, Transaction
from tests.contract.callers import Caller, importer, invalid, refusal
from tests.contract.conftest import admin
from tests.factories import carts
from tests.factories.apikeys import secret_key
from tests.factories.customers import CustomerFactory
from tests.factories.giftcards import gift_card, store_credit
from tests.factories.staff import UserFactory
from tests.kit.graphql.calls import ask, data, failures

pytestmark = pytest.mark.django_db

__all__ = ["admin"]
CARDS, ACCOUNTS = "/admin/gift-cards", "/admin/store-credit-accounts"


class TestIssuing:
    def test_the_code_is_in_the_answer_that_creates_it_and_in_no_other(self, admin: Caller) -> None:
        carts.selling_region()
        customer = CustomerFactory()
        body = {
            "value": 25.5,
            "currency_code": "USD",
            "customer_id": customer.pk,
            "expires_at": "2099-12-31",
            "reference": "fair",
            "reference_id": "fair_1",
            "note": "Well done",
        }
        answer = admin.post(CARDS, {**body, "metadata": {"a": 1}}, Idempotency_Key="card-4711")
        made = answer.json()["gift_card"]
        card = GiftCard.objects.get()
        assert made["code"] == card.code
        shown = {name: made[name] for name in body}
        assert shown == {**body, "currency_code": "usd", "expires_at": "2099-12-31T00:00:00.000Z"}
        assert (made["id"], made["status"], made["customer"]["email"]) == (card.pk, "pending", customer.email)
        assert card.metadata == {"a": 1}
        again = admin.post(CARDS, {**body, "metadata": {"a": 1}}, Idempotency_Key="card-4711")
        assert (again.content, GiftCard.objects.count()) == (answer.content, 1)
        reads = admin.get(f"{CARDS}/{card.pk}"), admin.get(CARDS), admin.post(f"{CARDS}/{card.pk}", {})
        assert card.code not in "".join(each.content.decode() for each in reads)
        assert reads[0].json()["gift_card"]["code"] == f"…{card.code[-4:]}"

    @pytest.mark.parametrize(
        ("body", "message"),
        [
            ({}, "Invalid request: Field 'value' is required; Field 'currency_code' is required"),
            ({"value": 0, "currency_code": "usd"}, "Value for field 'value' too small, expected more than: '0'"),
            ({"value": 1.005, "currency_code": "usd"}, None),
            ({"value": 5, "currency_code": "chf"}, "No region sells in chf, so nobody could spend it"),
            (
                {"value": 5, "currency_code": "usd", "expires_at": "2020-01-01"},
                "Value for field 'expires_at' must be in the future",
            ),
            (
                {"value": 5, "currency_code": "usd", "expires_at": "soon"},
                "Invalid request: Expected type: 'date' for field 'expires_at', got: 'soon'",
            ),
            (
                {"value": 5, "currency_code": "usd", "customer_id": "cus_x"},
                "Customer with id: cus_x was not found, given by field 'customer_id'",
            ),
            ({"value": 5, "currency_code": "usd", "code": "MINE"}, invalid("Unrecognized fields: 'code'")[1]),
        ],
    )
    def test_a_bad_body_issues_none(self, admin: Caller, body: dict[str, Any], message: str | None) -> None:
        carts.selling_region()
        refused = refusal(admin.post(CARDS, body))
        assert refused[0] == 400
        assert message is None or refused[1] == message
        assert not GiftCard.objects.exists()

    def test_a_key_that_may_issue_only_sees_its_own_card(self) -> None:
        carts.selling_region()
        till = importer(secret_key(UserFactory(permissions=["giftcards.add_giftcard"])))
        made = till.post(CARDS, {"value": 5, "currency_code": "usd"})
        assert (made.status_code, made.json()["gift_card"]["note"]) == (200, None)
        assert till.get(CARDS).status_code == 403

    @pytest.mark.parametrize("order", ["customer.email", "-customer.email"])
    def test_a_key_that_may_see_cards_alone_can_sort_by_customer_and_learns_nothing(self, order: str) -> None:
        customers = [CustomerFactory(email=f"{name}@shop.example") for name in "bac"]
        ids = sorted((gift_card(customer_id=each.pk).pk for each in customers), reverse=order.startswith("-"))
        reader = importer(secret_key(UserFactory(permissions=["giftcards.view_giftcard"])))
        listed = reader.get(CARDS, f"order={order}").json()
        assert ([card["id"] for card in listed["gift_cards"]], listed["count"]) == (ids, 3)


class TestChanging:
    def test_note_expiry_and_metadata(self, admin: Caller) -> None:
        card = gift_card(note="Old", metadata={"a": 1})
        changes = {"note": "New", "expires_at": "2099-01-01T00:00:00Z", "metadata": {"b": 2}}
        shown = admin.post(f"{CARDS}/{card.pk}", changes, query="fields=%2Bmetadata").json()["gift_card"]
        assert (shown["note"], shown["expires_at"], shown["metadata"]) == (
            "New",
            "2099-01-01T00:00:00.000Z",
            {"a": 1, "b": 2},
        )
        assert admin.post(f"{CARDS}/{card.pk}", {"expires_at": None}).json()["gift_card"]["expires_at"] is None

    def test_it_is_canceled_once(self, admin: Caller) -> None:
        card = gift_card(customer_id=CustomerFactory().pk)
        canceler = importer(secret_key(UserFactory(permissions=["giftcards.change_giftcard"])))
        shown = canceler.post(f"{CARDS}/{card.pk}", {"status": "canceled", "note": "Lost"}).json()["gift_card"]
        assert (shown["status"], shown["note"]) == ("canceled", "Lost")
        again = admin.post(f"{CARDS}/{card.pk}", {"status": "canceled", "note": "Twice"})
        assert refusal(again) == (400, "The gift card is canceled and cannot become canceled")
        assert GiftCard.objects.get().note == "Lost"

    @pytest.mark.parametrize("status", ["pending", "redeemed"])
    def test_no_other_status_can_be_set(self, admin: Caller, status: str) -> None:
        card = gift_card()
        refused = refusal(admin.post(f"{CARDS}/{card.pk}", {"status": status}))
        assert refused == invalid(f"Expected: 'canceled' for field 'status', but got: '{status}'")

    def test_a_spent_card_keeps_its_expiry(self, admin: Caller) -> None:
        card = gift_card()
        admin.post(f"{CARDS}/{card.pk}", {"status": "canceled"})
        for body in ({"expires_at": "2099-01-01"}, {"expires_at": "2020-01-01"}):
            assert refusal(admin.post(f"{CARDS}/{card.pk}", body)) == (
                400,
                "Only the 'expires_at' of a pending gift card can be changed",
            )
        past = refusal(admin.post(f"{CARDS}/{gift_card().pk}", {"expires_at": "2020-01-01"}))
        assert past == (400, "Value for field 'expires_at' must be in the future")

    def test_a_code_is_no_id(self, admin: Caller) -> None:
        card = gift_card()
        assert refusal(admin.get(f"{CARDS}/{card.code}"))[0] == 404
        assert refusal(admin.post(f"{CARDS}/{card.code}", {"status": "canceled"}))[0] == 404
        assert GiftCard.objects.get().status == "pending"


class TestStoreCredit:
    def test_it_is_added_and_taken_for_a_reason(self, admin: Caller) -> None:
        account = store_credit(CustomerFactory(), 10)
        added = admin.post(f"{ACCOUNTS}/{account.pk}/credit", {"amount": 5.5, "note": "Late parcel"}).json()
        assert added["store_credit_account"]["balance"] == 15.5
        taken = admin.post(f"{ACCOUNTS}/{account.pk}/debit", {"amount": 12, "note": "Booked twice"}).json()
        assert taken["store_credit_account"]["balance"] == 3.5
        assert admin.get(f"{ACCOUNTS}/{account.pk}").json() == taken
        entries = Transaction.objects.exclude(note="for the test").order_by("pk")
        assert {(each.type, each.note, each.reference) for each in entries} == {
            ("credit", "Late parcel", "adjustment"),
            ("debit", "Booked twice", "adjustment"),
        }
        assert all(each.created_by and each.created_by.startswith("user_") for each in entries)

    def test_a_repeated_key_adds_once(self, admin: Caller) -> None:
        account, body = store_credit(CustomerFactory(), 10), {"amount": 5, "note": "Late parcel"}
        for _ in range(2):
            answer = admin.post(f"{ACCOUNTS}/{account.pk}/credit", body, Idempotency_Key="credit-4711")
            assert answer.json()["store_credit_account"]["balance"] == 15

    @pytest.mark.parametrize(
        ("body", "message"),
        [
            ({"amount": 5}, "Invalid request: Field 'note' is required"),
            ({"amount": 5, "note": " "}, "Invalid request: Value for field 'note' must not be empty"),
            ({"note": "a"}, "Invalid request: Field 'amount' is required"),
            ({"amount": 0, "note": "a"}, "Amount must be greater than 0"),
            ({"amount": -5, "note": "a"}, "Amount must be greater than 0"),
            ({"amount": "5", "note": "a"}, "Invalid request: Expected type: 'number' for field 'amount', got: '5'"),
        ],
    )
    @pytest.mark.parametrize("act", ["credit", "debit"])
    def test_a_bad_body_books_nothing(self, admin: Caller, act: str, body: dict[str, Any], message: str) -> None:
        account = store_credit(CustomerFactory(), 10)
        assert refusal(admin.post(f"{ACCOUNTS}/{account.pk}/{act}", body)) == (400, message)
        assert Transaction.objects.count() == 1

    def test_no_more_is_taken_than_is_there(self, admin: Caller) -> None:
        account = store_credit(CustomerFactory(), 10)
        refused = refusal(admin.post(f"{ACCOUNTS}/{account.pk}/debit", {"amount": 10.01, "note": "a"}))
        assert refused == (400, "Amount is greater than the store credit account balance")

    def test_an_unknown_account_is_not_found(self, admin: Caller) -> None:
        for act in ("credit", "debit"):
            answer = admin.post(f"{ACCOUNTS}/sc_acc_x/{act}", {"amount": 5, "note": "a"})
            assert refusal(answer) == (404, "Store credit account with id: sc_acc_x was not found")


def test_by_graphql(admin: Caller) -> None:
    carts.selling_region()
    document = 'mutation { createGiftCard(input: {value: 5, currencyCode: "usd"}) { giftCard { id code value } } }'
    made = data(ask(admin, document))["createGiftCard"]["giftCard"]
    assert (made["code"], made["value"]) == (GiftCard.objects.get().code, 5)
    cancel = 'mutation ($id: ID!) { updateGiftCard(id: $id, input: {status: "canceled"}) { giftCard { code status } } }'
    assert data(ask(admin, cancel, {"id": made["id"]})) == {
        "updateGiftCard": {"giftCard": {"code": f"…{made['code'][-4:]}", "status": "canceled"}}
    }
    account = store_credit(CustomerFactory(), 10)
    book = """mutation ($id: ID!) {
      creditStoreCreditAccount(id: $id, input: {amount: 5, note: "a"}) { storeCreditAccount { balance } }
      debitStoreCreditAccount(id: $id, input: {amount: 7, note: "b"}) { storeCreditAccount { balance } } }"""
    assert data(ask(admin, book, {"id": account.pk})) == {
        "creditStoreCreditAccount": {"storeCreditAccount": {"balance": 15}},
        "debitStoreCreditAccount": {"storeCreditAccount": {"balance": 8}},
    }
    reader = importer(secret_key(UserFactory(permissions=["giftcards.view_giftcard"])))
    assert failures(ask(reader, document))[0][1] == "The permission 'giftcards.add_giftcard' is required"
