"""Payments and refund reasons below /admin, as an ERP's program moves money and the official SDK calls them."""

from typing import Any

import pytest

from kit.values.ids import new_id
from payments.models import Capture, Intent, Payment, Refund, RefundReason
from payments.providers.base import Declined
from payments.states import Act
from tests.contract.callers import Caller, importer, invalid, refusal
from tests.contract.conftest import admin
from tests.factories import payments as make
from tests.factories.apikeys import secret_key
from tests.factories.orders import order
from tests.factories.staff import UserFactory
from tests.kit.graphql.calls import ask, data, failures
from tests.payments.providers import FAKE, FakeProvider

pytestmark = pytest.mark.django_db

__all__ = ["admin"]
PAYMENTS, REASONS = "/admin/payments", "/admin/refund-reasons"
VIEW, CAPTURE, REFUND = "payments.view_paymentcollection", "payments.add_capture", "payments.add_refund"


@pytest.fixture
def erp(db: None) -> Caller:
    """A program whose key is limited to moving money."""
    return importer(secret_key(UserFactory(is_superuser=True), permissions=[VIEW, CAPTURE, REFUND]))


class TestCapture:
    def test_a_part_and_then_all_that_is_left(self, erp: Caller) -> None:
        payment = make.authorized_payment()
        part = erp.post(f"{PAYMENTS}/{payment.pk}/capture", {"amount": 20.5}).json()["payment"]
        assert (part["id"], part["amount"], part["captured_amount"], part["captured_at"]) == (
            payment.pk,
            50,
            20.5,
            None,
        )
        assert part["payment_collection_id"] == payment.collection_id
        assert part["payment_session_id"] == payment.session_id
        ((capture,), refunds) = part["captures"], part["refunds"]
        assert (capture["amount"], capture["created_by"][:5], refunds) == (20.5, "user_", [])
        rest = erp.post(f"{PAYMENTS}/{payment.pk}/capture", {}).json()["payment"]
        assert (rest["captured_amount"], [each["amount"] for each in rest["captures"]]) == (50, [20.5, 29.5])
        assert rest["captured_at"] is not None
        assert erp.get(f"{PAYMENTS}/{payment.pk}").json()["payment"] == rest

    @pytest.mark.parametrize(
        ("amount", "message"),
        [
            (51, "At most 50.00 usd of the payment can be captured"),
            (0, "Field 'amount' must be greater than 0"),
            (-1, "Field 'amount' must be greater than 0"),
            ("5", "Invalid request: Expected type: 'number' for field 'amount', got: '5'"),
        ],
    )
    def test_what_cannot_be_captured_moves_nothing(self, erp: Caller, amount: Any, message: str) -> None:
        payment = make.authorized_payment()
        assert refusal(erp.post(f"{PAYMENTS}/{payment.pk}/capture", {"amount": amount})) == (400, message)
        assert not Capture.objects.exists()

    def test_the_provider_is_asked_once_for_each_key(self, erp: Caller, fake: FakeProvider) -> None:
        payment = make.authorized_payment(provider_id=FAKE)
        for replayed in (False, True, True):
            answer = erp.post(f"{PAYMENTS}/{payment.pk}/capture", {"amount": 20}, Idempotency_Key="capture-4711")
            assert (answer.json()["payment"]["captured_amount"], "Idempotent-Replayed" in answer) == (20, replayed)
        other = erp.post(f"{PAYMENTS}/{payment.pk}/capture", {"amount": 21}, Idempotency_Key="capture-4711")
        assert other.status_code == 422
        assert (fake.asked.count(Act.CAPTURE), Capture.objects.count()) == (1, 1)

    def test_a_provider_that_is_silent_is_asked_again_by_the_same_key(self, erp: Caller, fake: FakeProvider) -> None:
        payment = make.authorized_payment(provider_id=FAKE)
        fake.loses_answers(Act.CAPTURE)
        path, key = f"{PAYMENTS}/{payment.pk}/capture", {"Idempotency_Key": "capture-4711"}
        assert erp.post(path, {"amount": 20}, **key).status_code == 503
        fake.recovers()
        assert erp.post(path, {"amount": 20}, **key).json()["payment"]["captured_amount"] == 20
        assert Intent.objects.filter(act=Act.CAPTURE).count() == 1

    def test_a_second_capture_conflicts_while_one_is_under_way(self, erp: Caller, fake: FakeProvider) -> None:
        payment = make.authorized_payment(provider_id=FAKE)
        path, key = f"{PAYMENTS}/{payment.pk}/capture", {"Idempotency_Key": "capture-4711"}
        fake.says(Act.CAPTURE, ConnectionError())
        assert erp.post(path, {"amount": 20}, **key).status_code == 503
        message = "A capture of this payment is already under way; try again when it has finished"
        for other in ({}, {"Idempotency_Key": "capture-4712"}):
            refused = erp.post(path, {"amount": 5}, **other)
            assert (refused.status_code, refused.json()["message"]) == (409, message)
        assert erp.post(path, {"amount": 20}, **key).json()["payment"]["captured_amount"] == 20
        later = erp.post(path, {"amount": 5}, Idempotency_Key="capture-4712")
        assert later.json()["payment"]["captured_amount"] == 25


class TestRefund:
    def test_a_part_with_its_reason_and_note(self, erp: Caller) -> None:
        payment, reason = make.captured_payment(), make.refund_reason()
        body = {"amount": 12, "refund_reason_id": reason.pk, "note": "Cup broken"}
        shown = erp.post(f"{PAYMENTS}/{payment.pk}/refund", body).json()["payment"]
        (refund,) = shown["refunds"]
        assert (shown["refunded_amount"], refund["amount"], refund["payment_id"]) == (12, 12, payment.pk)
        assert (refund["note"], refund["refund_reason_id"]) == ("Cup broken", reason.pk)
        assert (refund["refund_reason"]["code"], refund["created_by"][:5]) == ("damaged", "user_")

    def test_without_an_amount_all_that_is_left(self, erp: Caller) -> None:
        payment = make.captured_payment(captured=30)
        assert erp.post(f"{PAYMENTS}/{payment.pk}/refund", {"amount": 10}).status_code == 200
        assert erp.post(f"{PAYMENTS}/{payment.pk}/refund").json()["payment"]["refunded_amount"] == 30
        assert refusal(erp.post(f"{PAYMENTS}/{payment.pk}/refund")) == (
            400,
            "At most 0.00 usd of the payment can be refunded",
        )

    def test_of_a_payment_with_and_without_an_order(self, erp: Caller) -> None:
        ordered = order(captured=True)
        for payment in (Payment.objects.get(collection__order_id=ordered.pk), make.captured_payment()):
            shown = erp.post(f"{PAYMENTS}/{payment.pk}/refund", {"amount": 5}).json()["payment"]
            assert shown["refunded_amount"] == 5

    @pytest.mark.parametrize(
        ("body", "status", "message"),
        [
            ({"amount": 51}, 400, "At most 50.00 usd of the payment can be refunded"),
            (
                {"refund_reason_id": "refr_x"},
                400,
                "Refund reason with id: refr_x was not found, given by field 'refund_reason_id'",
            ),
            ({"reason": "x"}, *invalid("Unrecognized fields: 'reason'")),
            (
                {"note": "x" * 1001},
                *invalid("Value for field 'note' too big, expected at most: '1000' characters"),
            ),
        ],
    )
    def test_what_cannot_be_refunded_moves_nothing(
        self, erp: Caller, body: dict[str, Any], status: int, message: str
    ) -> None:
        payment = make.captured_payment()
        assert refusal(erp.post(f"{PAYMENTS}/{payment.pk}/refund", body)) == (status, message)
        assert not Refund.objects.exists()

    def test_a_provider_that_refuses_is_quoted(self, erp: Caller, fake: FakeProvider) -> None:
        payment = make.captured_payment(provider_id=FAKE)
        fake.says(Act.REFUND, Declined("The account is closed"))
        assert refusal(erp.post(f"{PAYMENTS}/{payment.pk}/refund", {"amount": 5})) == (
            400,
            "The payment provider refused: The account is closed",
        )

    def test_an_unknown_payment_is_not_found(self, erp: Caller) -> None:
        for path in ("capture", "refund"):
            assert refusal(erp.post(f"{PAYMENTS}/pay_x/{path}", {})) == (404, "Payment with id: pay_x was not found")


def test_each_act_needs_its_own_permission() -> None:
    payment = make.captured_payment(captured=30)
    for permission, allowed in ((VIEW, ""), (CAPTURE, "capture"), (REFUND, "refund")):
        caller = importer(secret_key(UserFactory(permissions=[permission])))
        for act in ("capture", "refund"):
            answer = caller.post(f"{PAYMENTS}/{payment.pk}/{act}", {"amount": 1})
            assert answer.status_code == (200 if act == allowed else 403)
        assert caller.get(PAYMENTS).status_code == (200 if permission == VIEW else 403)


def test_q_is_the_id_of_the_payment_its_session_or_its_collection(erp: Caller) -> None:
    payment, _ = make.authorized_payment(), make.authorized_payment()
    for sought in (payment.pk, payment.session_id, payment.collection_id):
        assert [each["id"] for each in erp.get(PAYMENTS, f"q={sought}").json()["payments"]] == [payment.pk]
    assert erp.get(PAYMENTS, f"q={payment.pk[:-1]}").json()["count"] == 0


class TestGraphQL:
    def test_money_is_captured_and_refunded(self, erp: Caller) -> None:
        payment = make.authorized_payment()
        document = """mutation ($id: ID!) {
          capturePayment(id: $id, input: {amount: 30}) { payment { capturedAmount captures { amount } } }
          refundPayment(id: $id) { payment { refundedAmount refunds { amount paymentId note } } } }"""
        assert data(ask(erp, document, {"id": payment.pk})) == {
            "capturePayment": {"payment": {"capturedAmount": 30, "captures": [{"amount": 30}]}},
            "refundPayment": {
                "payment": {
                    "refundedAmount": 30,
                    "refunds": [{"amount": 30, "paymentId": payment.pk, "note": None}],
                }
            },
        }

    def test_without_the_permission_nothing_moves(self) -> None:
        payment = make.authorized_payment()
        reader = importer(secret_key(UserFactory(is_superuser=True), permissions=[VIEW]))
        document = "mutation ($id: ID!) { capturePayment(id: $id) { payment { id } } }"
        assert failures(ask(reader, document, {"id": payment.pk})) == [
            ("capturePayment", f"The permission '{CAPTURE}' is required", {"type": "not_allowed"})
        ]
        assert not Capture.objects.exists()


class TestRefundReasons:
    def test_one_is_made_changed_and_deleted(self, admin: Caller) -> None:
        body = {"label": "Arrived late", "code": "late", "metadata": {"a": 1}}
        made = admin.post(REASONS, body).json()["refund_reason"]
        assert made == {**made, **body, "description": None}
        path = f"{REASONS}/{made['id']}"
        changed = admin.post(path, {"description": "By more than a week", "metadata": {"a": "", "b": 2}})
        assert changed.json()["refund_reason"] == {
            **made,
            "description": "By more than a week",
            "metadata": {"b": 2},
            "updated_at": changed.json()["refund_reason"]["updated_at"],
        }
        assert admin.send("DELETE", path).json() == {"id": made["id"], "object": "refund_reason", "deleted": True}
        assert refusal(admin.get(path)) == (404, f"Refund reason with id: {made['id']} was not found")
        assert admin.post(REASONS, body).status_code == 200  # its code is free again

    def test_a_code_is_taken_once(self, admin: Caller) -> None:
        make.refund_reason("late")
        other = make.refund_reason("lost")
        answers = (
            admin.post(REASONS, {"label": "A", "code": "late"}),
            admin.post(f"{REASONS}/{other.pk}", {"code": "late"}),
        )
        for answer in answers:
            assert (answer.status_code, answer.json()["type"]) == (422, "duplicate_error")
            assert answer.json()["message"] == "Refund reason with code: late already exists"
        assert admin.post(f"{REASONS}/{other.pk}", {"code": "lost"}).status_code == 200

    @pytest.mark.parametrize(
        ("body", "message"),
        [
            ({"code": "a"}, "Field 'label' is required"),
            ({"label": " ", "code": "a"}, "Value for field 'label' must not be empty"),
            ({"label": "A", "code": None}, "Expected type: 'string' for field 'code', got: 'null'"),
            ({"label": "A", "code": "a", "value": "a"}, "Unrecognized fields: 'value'"),
        ],
    )
    def test_a_bad_body_makes_none(self, admin: Caller, body: dict[str, Any], message: str) -> None:
        assert refusal(admin.post(REASONS, body)) == invalid(message)
        assert not RefundReason.objects.exists()

    def test_one_that_a_refund_names_stays(self, admin: Caller) -> None:
        payment, reason = make.captured_payment(), make.refund_reason()
        admin.post(f"{PAYMENTS}/{payment.pk}/refund", {"refund_reason_id": reason.pk})
        assert refusal(admin.send("DELETE", f"{REASONS}/{reason.pk}")) == (
            400,
            "'Arrived damaged' is used by 1 refund and cannot be deleted",
        )

    def test_an_unknown_one_is_not_found(self, admin: Caller) -> None:
        key = new_id("refr")
        for method, body in (("GET", b""), ("POST", {}), ("DELETE", b"")):
            assert refusal(admin.send(method, f"{REASONS}/{key}", body))[0] == 404

    def test_by_graphql(self, admin: Caller) -> None:
        create = 'mutation { createRefundReason(input: {label: "A", code: "a"}) { refundReason { id code } } }'
        made = data(ask(admin, create))["createRefundReason"]["refundReason"]
        change = (
            'mutation ($id: ID!) { updateRefundReason(id: $id, input: {label: "B"}) { refundReason { label code } } }'
        )
        assert data(ask(admin, change, {"id": made["id"]})) == {
            "updateRefundReason": {"refundReason": {"label": "B", "code": "a"}}
        }
        remove = "mutation ($id: ID!) { deleteRefundReason(id: $id) { id object deleted } }"
        assert data(ask(admin, remove, {"id": made["id"]})) == {
            "deleteRefundReason": {"id": made["id"], "object": "refund_reason", "deleted": True}
        }
