"""Paying over REST: what is answered, key by key, and what is refused by name."""

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from carts import line_change
from carts.models import Cart, LineItem
from commerce.core.actor import SYSTEM
from commerce.core.timestamps import now
from commerce.shop.models import PaymentProvider
from giftcards import redemption
from giftcards.cart_cards import put_card
from payments import refunding
from payments.models import Intent, Payment, PaymentCollection, PaymentSession
from payments.providers.base import Declined
from payments.states import Act
from tests.contract.callers import Caller, invalid, refusal
from tests.factories import carts as make_carts
from tests.factories import payments as make
from tests.factories.carts import shopper
from tests.factories.customers import CustomerFactory
from tests.factories.giftcards import gift_card, redeemer
from tests.payments.providers import DOUBLE, OTHER, SIGNED, Double, event

RECORDED = Path(__file__).parents[3] / "shared" / "recorded"
PATH = "/store/payment-collections"
MOMENT = "a moment"


def timeless(value: Any) -> Any:
    """With moments told as such, once they are found to be told as the interface tells them."""
    if isinstance(value, dict):
        return {key: MOMENT if key.endswith("_at") and inner else timeless(inner) for key, inner in value.items()}
    return [timeless(each) for each in value] if isinstance(value, list) else value


def opened(store: Caller, cart: Cart, query: str = "") -> dict[str, Any]:
    response = store.post(PATH, {"cart_id": cart.pk}, query=query)
    assert response.status_code == 200, response.content
    assert list(response.json()) == ["payment_collection"]
    return dict(response.json()["payment_collection"])


def started(store: Caller, collection_id: str, query: str = "", **body: Any) -> dict[str, Any]:
    asked = {"provider_id": DOUBLE, **body}
    response = store.post(f"{PATH}/{collection_id}/payment-sessions", asked, query=query)
    assert response.status_code == 200, response.content
    assert list(response.json()) == ["payment_collection"]
    return dict(response.json()["payment_collection"])


@pytest.fixture
def cart(double: Double) -> Cart:
    """A guest's, over 50 dollars."""
    return make.payable_cart(provider_id=DOUBLE)


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
            "provider_id": DOUBLE,
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

    def test_all_that_there_is_to_four_levels(self, store: Caller, double: Double) -> None:
        """Back-references tell the id alone; what is the shop's own business is null or empty."""
        payment = make.captured_payment(captured=30, provider_id=DOUBLE)
        reason = make.refund_reason(description="On its way", metadata={"a": 1})
        refunding.refund(
            actor=SYSTEM, payment_id=payment.pk, amount=Decimal(10), refund_reason_id=reason.pk, note="Sorry"
        )
        capture, refund = payment.captures.get(), payment.refunds.get()
        money = {"amount": 50, "authorized_amount": 50, "captured_amount": 30, "refunded_amount": 10}
        told_capture = {
            "id": capture.pk,
            "created_by": None,
            "amount": 30,
            "created_at": MOMENT,
            "payment": {"id": payment.pk},
        }
        told_refund = {
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
        told_payment = {
            "id": payment.pk,
            "currency_code": "usd",
            "provider_id": DOUBLE,
            **money,
            "data": {},
            "captured_at": None,
            "canceled_at": None,
            "created_at": MOMENT,
            "updated_at": MOMENT,
            "captures": [told_capture],
            "refunds": [told_refund],
            "payment_collection": {"id": payment.collection_id},
        }
        told_session = {
            "id": payment.session_id,
            "provider_id": DOUBLE,
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
            "payment_providers": [{"id": DOUBLE, "is_enabled": True}],
            "payment_sessions": [
                {
                    **told_session,
                    "payment_collection": {"id": payment.collection_id},
                    "payment": told_payment,
                }
            ],
            "payments": [{**told_payment, "payment_session": told_session}],
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

    def test_money_that_is_all_there(self, store: Caller, double: Double) -> None:
        payment = make.captured_payment(provider_id=DOUBLE)
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


class TestTheCart:
    def test_it_shows_its_collection(self, store: Caller, cart: Cart) -> None:
        path = f"/store/carts/{cart.pk}"
        assert store.get(path).json()["cart"]["payment_collection"] is None
        shown = started(store, opened(store, cart)["id"])
        told = store.get(path).json()["cart"]["payment_collection"]
        assert timeless(told) == timeless(shown)
        lean = store.get(path, "fields=id,payment_collection.payment_sessions.provider_id").json()["cart"]
        assert lean["payment_collection"]["payment_sessions"] == [
            {"id": shown["payment_sessions"][0]["id"], "provider_id": DOUBLE}
        ]

    def test_the_amount_follows_it_and_sessions_go(self, store: Caller, double: Double, cart: Cart) -> None:
        """As the peer has it (recorded/pc_after_cart_change.json); the provider is told beside."""
        before = started(store, opened(store, cart)["id"])
        line = LineItem.objects.get(cart=cart)
        store.post(f"/store/carts/{cart.pk}/line-items/{line.pk}", {"quantity": 3})
        after = opened(store, cart)
        assert (after["id"], after["amount"], after["payment_sessions"]) == (before["id"], 150, [])
        intent = Intent.objects.get(act=Act.CANCEL)
        assert (intent.session_id, intent.done_at) == (before["payment_sessions"][0]["id"], None)

    def test_credit_that_is_gone_is_to_be_paid_again(self, store: Caller, cart: Cart) -> None:
        card = gift_card(30)
        put_card(actor=shopper(), cart_id=cart.pk, code=card.code)
        shown = started(store, opened(store, cart)["id"])
        assert (shown["amount"], shown["payment_sessions"][0]["amount"]) == (20, 20)
        redemption.redeem(actor=redeemer(CustomerFactory()), id_or_code=card.code)
        shown = started(store, shown["id"])
        assert (shown["amount"], [each["amount"] for each in shown["payment_sessions"]]) == (50, [50])

    def test_one_that_costs_nothing(self, store: Caller, double: Double) -> None:
        free = make_carts.cart()
        free.region.payment_providers.add(DOUBLE)
        shown = started(store, opened(store, free)["id"])
        assert (shown["amount"], shown["status"], shown["payment_sessions"][0]["amount"]) == (0, "awaiting", 0)

    def test_one_that_is_completed(self, store: Caller, cart: Cart) -> None:
        paid = opened(store, cart)
        other = make.payable_cart(provider_id=DOUBLE)
        Cart.objects.update(completed_at=now())
        assert opened(store, cart) == paid
        response = store.post(PATH, {"cart_id": other.pk})
        assert refusal(response) == (400, f"Cart {other.pk} is already completed.")
        response = store.post(f"{PATH}/{paid['id']}/payment-sessions", {"provider_id": DOUBLE})
        assert response.status_code == 400
        assert "completed" in refusal(response)[1]
        assert (PaymentSession.objects.count(), PaymentCollection.objects.count()) == (0, 1)


class TestSessions:
    def test_the_same_is_kept_and_another_takes_its_place(self, store: Caller, double: Double, cart: Cart) -> None:
        cart.region.payment_providers.add(OTHER)
        collection_id = opened(store, cart)["id"]
        first, again, other = (
            started(store, collection_id, provider_id=provider_id)["payment_sessions"]
            for provider_id in (DOUBLE, DOUBLE, OTHER)
        )
        assert first == again
        assert [each["provider_id"] for each in other] == [OTHER]
        assert Intent.objects.get(act=Act.CANCEL).session_id == first[0]["id"]

    @pytest.mark.parametrize("data", [None, {}, {"method": "card", "deep": {"list": [1, None, True]}}])
    def test_data_goes_to_the_provider(self, store: Caller, double: Double, cart: Cart, data: Any) -> None:
        started(store, opened(store, cart)["id"], data=data)
        assert double.calls[-1].charge.sent == (data or {})

    def test_a_provider_that_is_not_enabled(self, store: Caller, cart: Cart) -> None:
        PaymentProvider.objects.filter(pk=OTHER).update(is_enabled=False)
        cart.region.payment_providers.add(OTHER)
        path = f"{PATH}/{opened(store, cart)['id']}/payment-sessions"
        for provider_id in ("pp_x", OTHER, "pp_system_default", ""):
            assert refusal(store.post(path, {"provider_id": provider_id})) == (
                400,
                f"Payment provider {provider_id} is not enabled in the cart's region {cart.region_id}.",
            )

    def test_a_provider_that_refuses(self, store: Caller, double: Double, cart: Cart) -> None:
        double.says(Act.START, Declined("No funds"))
        path = f"{PATH}/{opened(store, cart)['id']}/payment-sessions"
        assert refusal(store.post(path, {"provider_id": DOUBLE})) == (400, "The payment provider refused: No funds")
        assert opened(store, cart)["payment_sessions"][0]["status"] == "error"

    def test_a_provider_that_does_not_answer(self, store: Caller, double: Double, cart: Cart) -> None:
        double.says(Act.START, TimeoutError("secret address 10.0.0.1"))
        path = f"{PATH}/{opened(store, cart)['id']}/payment-sessions"
        assert refusal(store.post(path, {"provider_id": DOUBLE})) == (
            503,
            "The payment provider pp_double_test does not answer at present; it is asked again",
        )
        assert started(store, opened(store, cart)["id"])["payment_sessions"][0]["data"] != {}


class TestWhatIsRefused:
    @pytest.mark.parametrize(
        ("body", "message"),
        [
            ({}, "Field 'cart_id' is required"),
            ({"cart_id": None}, "Expected type: 'string' for field 'cart_id', got: 'null'"),
            ({"cart_id": 5}, "Expected type: 'string' for field 'cart_id', got: '5'"),
            ({"cart_id": ["a"]}, "Expected type: 'string' for field 'cart_id', got: 'a'"),
            ({"cart_id": "a\0"}, "NUL character in field 'cart_id'"),
            ({"cart_id": "x" * 5000}, "Value for field 'cart_id' too big, expected at most: '255' characters"),
            ({"cart_id": "a", "amount": 5}, "Unrecognized fields: 'amount'"),
            ({"cart_id": "a", "x": 1, "y": 2}, "Unrecognized fields: 'x, y'"),
        ],
        ids=str,
    )
    def test_by_the_collections(self, store: Caller, body: dict[str, Any], message: str) -> None:
        assert refusal(store.post(PATH, body)) == invalid(message)

    @pytest.mark.parametrize(
        ("body", "message"),
        [
            ({}, "Field 'provider_id' is required"),
            ({"provider_id": 5}, "Expected type: 'string' for field 'provider_id', got: '5'"),
            ({"provider_id": None}, "Expected type: 'string' for field 'provider_id', got: 'null'"),
            ({"provider_id": "\0"}, "NUL character in field 'provider_id'"),
            ({"provider_id": "x" * 5000}, "Value for field 'provider_id' too big, expected at most: '255' characters"),
            ({"provider_id": DOUBLE, "data": "a"}, "Expected type: 'object' for field 'data', got: 'a'"),
            ({"provider_id": DOUBLE, "data": [1]}, "Expected type: 'object' for field 'data', got: '1'"),
            ({"provider_id": DOUBLE, "data": {"a": {"b": "\0"}}}, "NUL character in field 'data.a.b'"),
            ({"provider_id": DOUBLE, "amount": 1}, "Unrecognized fields: 'amount'"),
        ],
        ids=str,
    )
    def test_by_the_sessions(self, store: Caller, cart: Cart, body: dict[str, Any], message: str) -> None:
        path = f"{PATH}/{opened(store, cart)['id']}/payment-sessions"
        assert refusal(store.post(path, body)) == invalid(message)
        assert not PaymentSession.objects.exists()

    @pytest.mark.parametrize(
        ("data", "message"),
        [
            ({"a": "x" * 70_000}, "too large, expected at most: '65536' bytes"),
            ({"a": 10**30}, "holds a number beyond 64 bits"),
            ({"a": json.loads("[" * 40 + "]" * 40)}, "is nested deeper than 32 levels"),
        ],
        ids=["large", "number", "deep"],
    )
    def test_data_that_cannot_be_kept(self, store: Caller, cart: Cart, data: Any, message: str) -> None:
        path = f"{PATH}/{opened(store, cart)['id']}/payment-sessions"
        body = json.dumps({"provider_id": DOUBLE, "data": data}).encode()
        status, told = refusal(store.post(path, body))
        assert (status, "data" in told, told.endswith(message)) == (400, True, True)

    def test_malformed_json(self, store: Caller) -> None:
        status, message = refusal(store.post(PATH, b"{"))
        assert (status, message[:16]) == (400, "Malformed JSON: ")

    @pytest.mark.parametrize("cart_id", ["cart_x", "", "é", "cart_01M7YFS58VZ3WJ294WGTXJZ025", "x" * 255])
    def test_a_cart_that_is_not_there(self, store: Caller, cart_id: str) -> None:
        status, message = refusal(store.post(PATH, {"cart_id": cart_id}))
        assert (status, message[:19]) == (404, "Cart id not found: ")
        assert cart_id[:50] in message

    @pytest.mark.parametrize("collection_id", ["pay_col_x", "x" * 5000, "%C3%A9"])
    def test_a_collection_that_is_not_there(self, store: Caller, double: Double, collection_id: str) -> None:
        response = store.post(f"{PATH}/{collection_id}/payment-sessions", {"provider_id": DOUBLE})
        status, message = refusal(response)
        assert (status, message[:28]) == (404, "Payment collection with id: ")
        assert double.calls == []

    def test_a_collection_whose_id_holds_a_nul(self, store: Caller) -> None:
        response = store.post(f"{PATH}/pay%00/payment-sessions", {"provider_id": DOUBLE})
        assert refusal(response) == invalid("NUL character in the path")


class TestIdempotencyKeys:
    """behaviour.md 0.13: anonymous callers' keys have twenty characters."""

    KEY = {"Idempotency_Key": "k" * 20}

    def test_a_collection_is_answered_again(self, store: Caller, cart: Cart) -> None:
        first, second = (store.post(PATH, {"cart_id": cart.pk}, **self.KEY) for _ in range(2))
        assert (first.content, second["Idempotent-Replayed"]) == (second.content, "true")
        response = store.post(PATH, {"cart_id": "another"}, **self.KEY)
        assert (response.status_code, response.json()["type"]) == (422, "duplicate_error")

    def test_a_session_is_answered_again(self, store: Caller, double: Double, cart: Cart) -> None:
        path = f"{PATH}/{opened(store, cart)['id']}/payment-sessions"
        first, second = (store.post(path, {"provider_id": DOUBLE}, **self.KEY) for _ in range(2))
        assert (first.content, second["Idempotent-Replayed"]) == (second.content, "true")
        assert double.asked == [Act.START]
        for body in ({"provider_id": OTHER}, {"provider_id": DOUBLE, "data": {"a": 1}}):
            response = store.post(path, body, **self.KEY)
            assert (response.status_code, response.json()["code"]) == (422, "invalid_request_error")
        assert double.asked == [Act.START]

    def test_a_replaced_sessions_answer_is_the_first_one(self, store: Caller, double: Double, cart: Cart) -> None:
        path = f"{PATH}/{opened(store, cart)['id']}/payment-sessions"
        first = store.post(path, {"provider_id": DOUBLE}, **self.KEY)
        store.post(path, {"provider_id": DOUBLE, "data": {"a": 1}})
        assert store.post(path, {"provider_id": DOUBLE}, **self.KEY).content == first.content
        assert double.asked == [Act.START, Act.START]

    @pytest.mark.parametrize("was_heard", [True, False])
    def test_where_no_answer_came_the_intent_is_gone_on_with(
        self, store: Caller, double: Double, cart: Cart, was_heard: bool
    ) -> None:
        if was_heard:
            double.loses_answers(Act.START)
        else:
            double.says(Act.START, ConnectionError())
        path = f"{PATH}/{opened(store, cart)['id']}/payment-sessions"
        answers = [store.post(path, {"provider_id": DOUBLE}, **self.KEY) for _ in range(3)]
        assert [each.status_code for each in answers] == [503, 200, 200]
        assert ["Idempotent-Replayed" in each for each in answers] == [False, False, True]
        assert len({call.key for call in double.calls}) == 1
        assert (len(double.calls), PaymentSession.objects.count()) == (2, 1)

    def test_where_the_outcome_was_recorded_and_the_answer_not(
        self, store: Caller, double: Double, cart: Cart, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = f"{PATH}/{opened(store, cart)['id']}/payment-sessions"
        with monkeypatch.context() as patch:

            def crash(*_: Any, **__: Any) -> None:
                raise RuntimeError("killed")

            patch.setattr("payments.api.viewsets.PaymentSessions.start", crash)
            assert store.post(path, {"provider_id": DOUBLE}, **self.KEY).status_code == 500
        response = store.post(path, {"provider_id": DOUBLE}, **self.KEY)
        assert (response.status_code, "Idempotent-Replayed" in response) == (200, False)
        assert (double.asked, PaymentSession.objects.count()) == ([Act.START], 1)

    def test_a_refusal_is_kept(self, store: Caller, double: Double, cart: Cart) -> None:
        double.says(Act.START, Declined("No funds"))
        path = f"{PATH}/{opened(store, cart)['id']}/payment-sessions"
        answers = [store.post(path, {"provider_id": DOUBLE}, **self.KEY) for _ in range(2)]
        assert [each.status_code for each in answers] == [400, 400]
        assert answers[1]["Idempotent-Replayed"] == "true"
        assert double.asked == [Act.START]


class TestProviders:
    LIST = "/store/payment-providers"

    def test_those_of_a_region(self, store: Caller, double: Double) -> None:
        region = make_carts.selling_region()
        region.payment_providers.add("pp_system_default", DOUBLE, OTHER)
        make_carts.selling_region(name="Elsewhere").payment_providers.add(OTHER)
        PaymentProvider.objects.filter(pk=OTHER).update(deleted_at=now())
        shown = store.get(self.LIST, f"region_id={region.pk}&order=id").json()
        assert shown == {
            "payment_providers": [
                {"id": DOUBLE, "is_enabled": True},
                {"id": "pp_system_default", "is_enabled": True},
            ],
            "count": 2,
            "estimate_count": 2,
            "offset": 0,
            "limit": 20,
        }
        PaymentProvider.objects.filter(pk=DOUBLE).update(is_enabled=False)
        paged = store.get(self.LIST, f"region_id={region.pk}&fields=id&limit=1").json()
        assert (paged["payment_providers"], paged["count"]) == ([{"id": "pp_system_default"}], 1)

    def test_a_region_that_there_is_not_has_none(self, store: Caller) -> None:
        for region_id in ("reg_nobody", "", "x" * 5000):
            shown = store.get(self.LIST, f"region_id={region_id}").json()
            assert (shown["payment_providers"], shown["count"]) == ([], 0)

    @pytest.mark.parametrize(
        ("query", "message"),
        [
            ("", "Field 'region_id' is required"),
            ("limit=1", "Field 'region_id' is required"),
            ("region_id=a&foo=1", "Unrecognized fields: 'foo'"),
        ],
    )
    def test_what_is_refused(self, store: Caller, query: str, message: str) -> None:
        assert refusal(store.get(self.LIST, query)) == invalid(message)

    @pytest.mark.parametrize(
        "query", ["region_id[]=a&region_id[]=b", "region_id=a&limit=1001", "region_id=a&order=nope", "region_id=%00"]
    )
    def test_what_else_is_refused(self, store: Caller, query: str) -> None:
        assert store.get(self.LIST, query).status_code == 400


class TestHooks:
    PATH = f"/hooks/payments/{DOUBLE}"

    def test_a_genuine_event_is_taken(self, store: Caller, cart: Cart) -> None:
        session = make.session(make.collection(cart), provider_id=DOUBLE)
        told = event("evt_1", session.pk, status="authorized")
        for _ in range(2):
            response = Caller(**SIGNED).post(self.PATH, told)
            assert (response.status_code, response.json()) == (200, {"status": "ok"})
            assert response["Cache-Control"] == "no-store"
        assert opened(store, cart)["status"] == "authorized"
        assert Payment.objects.count() == 1

    def test_another_is_refused(self, cart: Cart) -> None:
        session = make.session(make.collection(cart), provider_id=DOUBLE)
        told = event("evt_1", session.pk, status="captured")
        for caller in (Caller(), Caller(x_signature="forged")):
            assert refusal(caller.post(self.PATH, told)) == (400, "The signature of the event is not the provider's")
        assert PaymentSession.objects.get().status == "pending"

    def test_a_provider_that_there_is_not(self, double: Double) -> None:
        assert refusal(Caller(**SIGNED).post("/hooks/payments/pp_nobody", event("evt_1"))) == (
            404,
            "Payment provider with id: pp_nobody was not found",
        )


BY_THE_INTERFACE = "interface.md lists it among the fields of the resource"
NOT_LISTED = "interface.md does not list it"
DEVIATIONS: dict[str, dict[str, str]] = {
    # Where our answers differ from the peer's (recorded/*.json) by a key, and why.
    "collection: beside": {
        "authorized_amount": BY_THE_INTERFACE,
        "captured_amount": BY_THE_INTERFACE,
        "refunded_amount": BY_THE_INTERFACE,
        "completed_at": BY_THE_INTERFACE,
        "status": BY_THE_INTERFACE,
        "metadata": BY_THE_INTERFACE,
        "created_at": BY_THE_INTERFACE,
        "updated_at": BY_THE_INTERFACE,
    },
    "collection: without": {},
    "session: beside": {},
    "session: without": {
        "payment_collection_id": NOT_LISTED,
        "payment": "a relation, on demand (behaviour.md 0.14)",
        "metadata": NOT_LISTED,
        "raw_amount": NOT_LISTED,
        "created_at": NOT_LISTED,
        "updated_at": NOT_LISTED,
        "deleted_at": NOT_LISTED,
    },
    "list: beside": {"estimate_count": "interface.md: lists carry it"},
    "list: without": {},
}


@pytest.mark.skipif(not RECORDED.exists(), reason="needs ../shared/recorded")
class TestAsRecorded:
    def test_our_answers_have_the_peers_keys_but_for_these(self, store: Caller, cart: Cart) -> None:
        collection = recorded("pc_happy")["body"]["payment_collection"]
        session = recorded("ps_happy")["body"]["payment_collection"]["payment_sessions"][0]
        own = opened(store, cart)
        (own_session,) = started(store, own["id"])["payment_sessions"]
        listed = store.get("/store/payment-providers", f"region_id={cart.region_id}").json()
        pairs = {
            "collection": (own, collection),
            "session": (own_session, session),
            "list": (listed, recorded("pp_list")["body"]),
        }
        for name, (ours, theirs) in pairs.items():
            assert set(ours) - set(theirs) == set(DEVIATIONS[f"{name}: beside"])
            assert set(theirs) - set(ours) == set(DEVIATIONS[f"{name}: without"])
        assert list(listed["payment_providers"][0]) == ["id", "is_enabled"]
        assert (own["amount"], session["status"], own_session["status"]) == (50, "pending", "pending")

    def test_our_refusals_are_the_peers(self, store: Caller, cart: Cart) -> None:
        told = recorded("pc_unknown_cart")
        response = store.post(PATH, told["request"]["body"])
        assert (response.status_code, response.json()) == (told["status"], told["body"])
        told = recorded("pc_empty")
        response = store.post(PATH, told["request"]["body"])
        assert (response.status_code, response.json()) == (told["status"], told["body"])
        told = recorded("ps_bad_provider")
        path = f"{PATH}/{opened(store, cart)['id']}/payment-sessions"
        response = store.post(path, told["request"]["body"])
        theirs = {**told["body"], "message": told["body"]["message"].replace(region_of(told), cart.region_id)}
        assert (response.status_code, response.json()) == (told["status"], theirs)

    def test_what_the_cart_costs_is_asked_for_again(self, store: Caller, cart: Cart) -> None:
        """pc_again, pc_after_cart_change: the same collection, by the amount that the cart has then."""
        assert opened(store, cart) == opened(store, cart)
        line = LineItem.objects.get(cart=cart)
        line_change.change(actor=shopper(), cart_id=cart.pk, line_id=line.pk, quantity=2)
        assert (opened(store, cart)["amount"], opened(store, cart)["payment_sessions"]) == (100, [])


def recorded(name: str) -> dict[str, Any]:
    return dict(json.loads((RECORDED / f"{name}.json").read_text()))


def region_of(told: dict[str, Any]) -> str:
    """The peer's, named last in its message."""
    return str(told["body"]["message"]).rstrip(".").rpartition(" ")[2]
