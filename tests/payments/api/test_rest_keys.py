"""An Idempotency-Key of a payment is answered once, and goes on where no answer came."""

from typing import Any

import pytest

from carts.models import Cart
from payments.models import PaymentSession
from payments.providers.base import Declined
from payments.states import Act
from tests.contract.callers import Caller
from tests.payments.calls import PATH, opened
from tests.payments.providers import FAKE, OTHER, FakeProvider


class TestIdempotencyKeys:
    """Keys of anonymous callers have twenty characters."""

    KEY = {"Idempotency_Key": "k" * 20}

    def test_a_collection_is_answered_again(self, store: Caller, cart: Cart) -> None:
        first, second = (store.post(PATH, {"cart_id": cart.pk}, **self.KEY) for _ in range(2))
        assert (first.content, second["Idempotent-Replayed"]) == (second.content, "true")
        response = store.post(PATH, {"cart_id": "another"}, **self.KEY)
        assert (response.status_code, response.json()["type"]) == (422, "duplicate_error")

    def test_a_session_is_answered_again(self, store: Caller, fake: FakeProvider, cart: Cart) -> None:
        path = f"{PATH}/{opened(store, cart)['id']}/payment-sessions"
        first, second = (store.post(path, {"provider_id": FAKE}, **self.KEY) for _ in range(2))
        assert (first.content, second["Idempotent-Replayed"]) == (second.content, "true")
        assert fake.asked == [Act.START]
        for body in ({"provider_id": OTHER}, {"provider_id": FAKE, "data": {"a": 1}}):
            response = store.post(path, body, **self.KEY)
            assert (response.status_code, response.json()["code"]) == (422, "invalid_request_error")
        assert fake.asked == [Act.START]

    def test_a_replaced_sessions_answer_is_the_first_one(self, store: Caller, fake: FakeProvider, cart: Cart) -> None:
        path = f"{PATH}/{opened(store, cart)['id']}/payment-sessions"
        first = store.post(path, {"provider_id": FAKE}, **self.KEY)
        store.post(path, {"provider_id": FAKE, "data": {"a": 1}})
        assert store.post(path, {"provider_id": FAKE}, **self.KEY).content == first.content
        assert fake.asked == [Act.START, Act.START]

    @pytest.mark.parametrize("was_heard", [True, False])
    def test_where_no_answer_came_the_intent_is_continued(
        self, store: Caller, fake: FakeProvider, cart: Cart, was_heard: bool
    ) -> None:
        if was_heard:
            fake.loses_answers(Act.START)
        else:
            fake.says(Act.START, ConnectionError())
        path = f"{PATH}/{opened(store, cart)['id']}/payment-sessions"
        answers = [store.post(path, {"provider_id": FAKE}, **self.KEY) for _ in range(3)]
        assert [each.status_code for each in answers] == [503, 200, 200]
        assert ["Idempotent-Replayed" in each for each in answers] == [False, False, True]
        assert len({call.key for call in fake.calls}) == 1
        assert (len(fake.calls), PaymentSession.objects.count()) == (2, 1)

    def test_where_the_outcome_was_recorded_and_the_answer_not(
        self, store: Caller, fake: FakeProvider, cart: Cart, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = f"{PATH}/{opened(store, cart)['id']}/payment-sessions"
        with monkeypatch.context() as patch:

            def crash(*_: Any, **__: Any) -> None:
                raise RuntimeError("killed")

            patch.setattr("payments.api.viewsets.store.PaymentSessions.start", crash)
            assert store.post(path, {"provider_id": FAKE}, **self.KEY).status_code == 500
        response = store.post(path, {"provider_id": FAKE}, **self.KEY)
        assert (response.status_code, "Idempotent-Replayed" in response) == (200, False)
        assert (fake.asked, PaymentSession.objects.count()) == ([Act.START], 1)

    def test_a_refusal_is_kept(self, store: Caller, fake: FakeProvider, cart: Cart) -> None:
        fake.says(Act.START, Declined("No funds"))
        path = f"{PATH}/{opened(store, cart)['id']}/payment-sessions"
        answers = [store.post(path, {"provider_id": FAKE}, **self.KEY) for _ in range(2)]
        assert [each.status_code for each in answers] == [400, 400]
        assert answers[1]["Idempotent-Replayed"] == "true"
        assert fake.asked == [Act.START]
