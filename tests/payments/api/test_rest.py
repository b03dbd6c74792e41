"""What paying shows over REST, key by key."""

from decimal import Decimal

import pytest

from carts.models import Cart
from kit.domain.actor import SYSTEM
from payments.models import PaymentCollection, PaymentSession
from payments.movements import refunding
from tests.contract.callers import Caller, refusal
from tests.factories import payments as make
from tests.payments.calls import MOMENT, PATH, opened, started, timeless
from tests.payments.providers import FAKE, FakeProvider


class TestWhole:
    def test_a_new_collection(self, store: Caller, cart: Cart) -> None:
        shown = opened(store, cart)
        assert timeless(shown) == {
            "id": cart_collection(cart).pk,
            "currency_code": "usd",
            "amount": 50,
            "authorized_amount": 0,
            "captured_amount": 0,
            "refunded_amount": 0,
            "completed_at": None,
            "status": "not_paid",
            "metadata": None,
            "created_at": MOMENT,
            "updated_at": MOMENT,
            "payment_sessions": [],
        }
        assert shown["id"].startswith("pay_col_")
        assert opened(store, cart) == shown

    def test_a_session(self, store: Caller, cart: Cart) -> None:
        collection_id = opened(store, cart)["id"]
        shown = started(store, collection_id)
        (session,) = shown.pop("payment_sessions")
        assert session == {
            "id": PaymentSession.objects.get().pk,
            "provider_id": FAKE,
            "amount": 50,
            "currency_code": "usd",
            "data": {"client_secret": f"secret of {session['id']}"},
            "context": {},
            "status": "pending",
            "authorized_at": None,
        }
        assert session["id"].startswith("payses_")
        assert (shown["id"], shown["status"], shown["amount"]) == (collection_id, "awaiting", 50)
        assert opened(store, cart)["payment_sessions"] == [session]

    def test_all_that_there_is_to_four_levels(self, store: Caller, fake: FakeProvider) -> None:
        """Back-references tell the id alone; what is the shop's own business is null or empty."""
        payment = make.captured_payment(captured=30, provider_id=FAKE)
        reason = make.refund_reason(description="On its way", metadata={"a": 1})
        refunding.refund(
            actor=SYSTEM, payment_id=payment.pk, amount=Decimal(10), refund_reason_id=reason.pk, note="Sorry"
        )
        capture, refund = payment.captures.get(), payment.refunds.get()
        money = {"amount": 50, "authorized_amount": 50, "captured_amount": 30, "refunded_amount": 10}
        reported_capture = {
            "id": capture.pk,
            "created_by": None,
            "amount": 30,
            "created_at": MOMENT,
            "payment": {"id": payment.pk},
        }
        reported_refund = {
            "id": refund.pk,
            "refund_reason_id": reason.pk,
            "note": None,
            "created_by": None,
            "amount": 10,
            "created_at": MOMENT,
            "payment": {"id": payment.pk},
            "refund_reason": {
                "id": reason.pk,
                "label": "Arrived damaged",
                "description": "On its way",
                "code": "damaged",
                "metadata": {"a": 1},
                "created_at": MOMENT,
                "updated_at": MOMENT,
            },
        }
        reported_payment = {
            "id": payment.pk,
            "currency_code": "usd",
            "provider_id": FAKE,
            **money,
            "data": {},
            "captured_at": None,
            "canceled_at": None,
            "created_at": MOMENT,
            "updated_at": MOMENT,
            "captures": [reported_capture],
            "refunds": [reported_refund],
            "payment_collection": {"id": payment.collection_id},
        }
        reported_session = {
            "id": payment.session_id,
            "provider_id": FAKE,
            "amount": 50,
            "currency_code": "usd",
            "data": {"client_secret": f"secret of {payment.session_id}"},
            "context": {},
            "status": "authorized",
            "authorized_at": MOMENT,
        }
        below = ["captures", "captures.payment", "refunds", "refunds.payment", "refunds.refund_reason"]
        wanted = [
            *("payment_providers", "payment_sessions", "payments"),
            *("payment_sessions.payment_collection", "payment_sessions.payment", "payments.payment_session"),
            *(f"{path}.{each}" for path in ("payments", "payment_sessions.payment") for each in below),
            *("payments.payment_collection", "payment_sessions.payment.payment_collection"),
        ]
        query = f"fields=id,{','.join('*' + each for each in wanted)}"
        shown = timeless(opened(store, payment.collection.cart, query))
        assert shown == {
            "id": payment.collection_id,
            "payment_providers": [{"id": FAKE, "is_enabled": True}],
            "payment_sessions": [
                {
                    **reported_session,
                    "payment_collection": {"id": payment.collection_id},
                    "payment": reported_payment,
                }
            ],
            "payments": [{**reported_payment, "payment_session": reported_session}],
        }
        deeper = "fields=payment_sessions.payment.refunds.refund_reason.id,payment_sessions.payment.captures.payment.id"
        (session,) = opened(store, payment.collection.cart, deeper)["payment_sessions"]
        assert session == {
            "id": payment.session_id,
            "payment": {
                "id": payment.pk,
                "refunds": [{"id": refund.pk, "refund_reason": {"id": reason.pk}}],
                "captures": [{"id": capture.pk, "payment": {"id": payment.pk}}],
            },
        }

    def test_money_that_is_all_there(self, store: Caller, fake: FakeProvider) -> None:
        payment = make.captured_payment(provider_id=FAKE)
        shown = timeless(opened(store, payment.collection.cart, "fields=status,completed_at,captured_amount,*payments"))
        (paid,) = shown.pop("payments")
        assert shown == {
            "id": payment.collection_id,
            "status": "completed",
            "completed_at": MOMENT,
            "captured_amount": 50,
        }
        assert (paid["captured_at"], paid["captured_amount"]) == (MOMENT, 50)

    @pytest.mark.parametrize(
        ("query", "keys"),
        [
            ("fields=id", ["id"]),
            ("fields=", ["id"]),
            ("fields=amount,status", ["id", "amount", "status"]),
            ("fields=payment_sessions.status", ["id", "payment_sessions"]),
            ("fields=id,%2Bpayment_providers.id", ["id", "payment_providers"]),
        ],
    )
    def test_what_is_asked_for(self, store: Caller, cart: Cart, query: str, keys: list[str]) -> None:
        shown = opened(store, cart, query)
        assert sorted(shown) == sorted(keys)
        assert sorted(started(store, shown["id"], query)) == sorted(keys)

    def test_defaults_with_and_without(self, store: Caller, cart: Cart) -> None:
        usual = set(opened(store, cart))
        assert set(opened(store, cart, "fields=-payment_sessions,-metadata")) == usual - {
            "payment_sessions",
            "metadata",
        }
        assert set(opened(store, cart, "fields=%2Bpayment_providers.id")) == usual | {"payment_providers"}

    @pytest.mark.parametrize(
        "field", ["cart_id", "raw_amount", "deleted_at", "payment_sessions.metadata", "payments.cart_id", "payment.id"]
    )
    def test_fields_that_there_are_not(self, store: Caller, cart: Cart, field: str) -> None:
        response = store.post(PATH, {"cart_id": cart.pk}, query=f"fields={field}")
        assert refusal(response) == (400, f"Requested fields [{field}] are not valid")
        assert not PaymentCollection.objects.exists()

    def test_not_deeper_than_four_levels(self, store: Caller, cart: Cart) -> None:
        deep = "payments.payment_session.payment.refunds.refund_reason"
        assert store.post(PATH, {"cart_id": cart.pk}, query=f"fields={deep}.id").status_code == 400


def cart_collection(cart: Cart) -> PaymentCollection:
    found: PaymentCollection = PaymentCollection.objects.get(cart=cart)
    return found
