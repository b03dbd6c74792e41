"""Refunds of orders below /admin and in GraphQL, and what an order shows of them."""

from typing import Any

import pytest

from kit.values.ids import new_id
from orders.models import GrantedRefund, Order
from payments.providers.base import Declined
from payments.states import Act
from tests.contract.callers import Caller, importer, invalid, refusal, storefront
from tests.contract.conftest import admin
from tests.factories import payments as make
from tests.factories.apikeys import publishable_key, secret_key
from tests.factories.customers import CustomerFactory
from tests.factories.staff import UserFactory
from tests.kit.graphql.calls import ask, data, failures
from tests.orders.refunds.shop import account_of, paid_order, payment_of, reason, refund
from tests.payments.providers import FakeProvider

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fake")]

__all__ = ["admin"]
WHY = "refr_01DAMAGED"
REFUND = """mutation ($input: RefundOfOrderInput!) { createOrderRefund(input: $input) { refund {
    id amount allowance note toStoreCredit refundReason { code } parts { amount paymentId status error } } } }"""


@pytest.fixture
def erp(db: None) -> Caller:
    """A program whose key is limited to refunds, and which sees the refund that it has created."""
    return importer(secret_key(UserFactory(is_superuser=True), permissions=["payments.add_refund"]))


def path(order: Order) -> str:
    return f"/admin/orders/{order.pk}/refunds"


def test_a_refund_and_its_parts(erp: Caller, admin: Caller) -> None:
    order, why = paid_order(card=7), reason()
    body = {"amount": 30, "refund_reason_id": why.pk, "note": "Cup broken"}
    answer = erp.post(path(order), body, Idempotency_Key="refund-4711")
    made = answer.json()["refund"]
    assert (made["order_id"], made["amount"], made["allowance"], made["note"]) == (order.pk, 30, 30, "Cup broken")
    assert (made["refund_reason"]["code"], made["return_id"], made["to_store_credit"]) == ("damaged", None, False)
    assert [{name: part[name] for name in part if name != "id"} for part in made["parts"]] == [
        {
            "amount": 28,
            "payment_id": payment_of(order).pk,
            "store_credit_account_id": None,
            "status": "succeeded",
            "error": None,
        },
        {
            "amount": 2,
            "payment_id": None,
            "store_credit_account_id": account_of(order).pk,
            "status": "succeeded",
            "error": None,
        },
    ]
    again = erp.post(path(order), body, Idempotency_Key="refund-4711")
    assert (again.content, GrantedRefund.objects.count()) == (answer.content, 1)
    listed = admin.get(path(order)).json()
    assert (listed["refunds"], listed["count"]) == ([made], 1)
    assert refusal(erp.get(path(order)))[0] == 403


def test_parts_that_are_declined_and_open(erp: Caller, admin: Caller, fake: FakeProvider) -> None:
    order, why = paid_order(), reason().pk
    fake.says(Act.REFUND, Declined("The card is closed"), ConnectionError())
    statuses = [
        erp.post(path(order), {"amount": 5, "refund_reason_id": why}).json()["refund"]["parts"][0] for _ in range(2)
    ]
    assert [(part["status"], part["error"]) for part in statuses] == [
        ("failed", "The card is closed"),
        ("pending", None),
    ]
    listed = admin.get(path(order), "order=created_at").json()["refunds"]
    assert [part["status"] for each in listed for part in each["parts"]] == ["failed", "pending"]


def test_what_the_order_shows(admin: Caller) -> None:
    order = paid_order(card=7)
    refund(order, 30)
    summary = storefront(publishable_key()).get(f"/store/orders/{order.pk}").json()["order"]["summary"]
    assert summary == {
        "paid_total": 28,
        "refunded_total": 30,
        "transaction_total": -2,
        "accounting_total": 28,
        "current_order_total": 28,
        "original_order_total": 28,
        "credit_line_total": 7,
        "allowance_total": 30,
        "pending_difference": 0,
    }


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({}, "Invalid request: Field 'amount' is required"),
        ({"amount": "5"}, "Invalid request: Expected type: 'number' for field 'amount', got: '5'"),
        ({"amount": 5}, "Field 'refund_reason_id' is required, unless the refund names a return"),
        (
            {"amount": 5, "return_id": "return_x"},
            "Return with id: return_x was not found, given by field 'return_id'",
        ),
        (
            {"amount": 5, "refund_reason_id": "refr_x"},
            "Refund reason with id: refr_x was not found, given by field 'refund_reason_id'",
        ),
        ({"amount": 0, "refund_reason_id": WHY}, "Field 'amount' must be greater than 0"),
        ({"amount": -1, "refund_reason_id": WHY}, "Field 'amount' must be greater than 0"),
        ({"amount": 1.001, "refund_reason_id": WHY}, "Value for field 'amount' has more than 2 decimals of usd"),
        (
            {"amount": 36, "refund_reason_id": WHY},
            "Value for field 'amount' too big: at most 35.00 usd of the order can be refunded",
        ),
        (
            {"amount": 5, "refund_reason_id": WHY, "to_store_credit": True},
            "Field 'to_store_credit' requires an order of a customer with an account",
        ),
        ({"amount": 5, "payment_id": "pay_1"}, "Invalid request: Unrecognized fields: 'payment_id'"),
    ],
)
def test_34_refusals(erp: Caller, body: dict[str, Any], message: str) -> None:
    make.refund_reason(id=WHY)
    assert refusal(erp.post(path(paid_order()), body)) == (400, message)
    assert not GrantedRefund.objects.exists()


def test_unknown_orders(erp: Caller) -> None:
    missing = new_id("order")
    answer = erp.post(f"/admin/orders/{missing}/refunds", {"amount": 5, "refund_reason_id": reason().pk})
    assert refusal(answer) == (404, f"Order with id: {missing} was not found")


def test_permissions(admin: Caller) -> None:
    order = paid_order()
    other = importer(secret_key(UserFactory(is_superuser=True), permissions=["orders.view_order"]))
    assert other.get(path(order)).json()["refunds"] == []
    answer = other.post(path(order), {"amount": 5, "refund_reason_id": WHY})
    assert refusal(answer) == (403, "The permission 'payments.add_refund' is required")


def test_a_list_is_of_one_order(admin: Caller) -> None:
    one, other = paid_order(), paid_order()
    made, _ = refund(one, 5), refund(other, 5)
    assert [each["id"] for each in admin.get(path(one)).json()["refunds"]] == [made.pk]
    assert invalid("Unrecognized fields: 'amount'") == refusal(admin.get(path(one), "amount=5"))


class TestGraphQL:
    def test_a_refund(self, erp: Caller) -> None:
        order = paid_order(customer=CustomerFactory(has_account=True))
        given = {"orderId": order.pk, "amount": 30.5, "refundReasonId": reason().pk, "note": "Late"}
        answer = ask(erp, REFUND, {"input": given}, Idempotency_Key="refund-4712")
        made = data(answer)["createOrderRefund"]["refund"]
        assert made == {
            "id": GrantedRefund.objects.get().pk,
            "amount": 30.5,
            "allowance": 30.5,
            "note": "Late",
            "toStoreCredit": False,
            "refundReason": {"code": "damaged"},
            "parts": [{"amount": 30.5, "paymentId": payment_of(order).pk, "status": "succeeded", "error": None}],
        }
        assert ask(erp, REFUND, {"input": given}, Idempotency_Key="refund-4712").content == answer.content
        assert GrantedRefund.objects.count() == 1

    def test_the_same_refusals(self, erp: Caller) -> None:
        given = {"orderId": paid_order().pk, "amount": 36, "refundReasonId": reason().pk}
        ((place, message, _),) = failures(ask(erp, REFUND, {"input": given}))
        assert (place, message) == (
            "createOrderRefund",
            "Value for field 'amount' too big: at most 35.00 usd of the order can be refunded",
        )

    def test_a_list(self, admin: Caller) -> None:
        order = paid_order()
        refund(order, 5)
        refund(paid_order(), 6)
        query = "query ($id: [ID!]) { orderRefunds(orderId: $id) { refunds { amount orderId } count } }"
        assert data(ask(admin, query, {"id": order.pk}))["orderRefunds"] == {
            "refunds": [{"amount": 5, "orderId": order.pk}],
            "count": 1,
        }
