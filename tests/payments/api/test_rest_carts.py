"""Paying over REST: the amount follows the cart, and a session what is asked for."""

from typing import Any

import pytest

from carts.models import Cart, LineItem
from giftcards.cards import redemption
from giftcards.spending.cart_cards import add_card
from kit.values.timestamps import now
from payments.models import Intent, PaymentCollection, PaymentSession
from payments.providers.base import Declined
from payments.states import Act
from shop.models import PaymentProvider
from tests.contract.callers import Caller, refusal
from tests.factories import carts as make_carts
from tests.factories import payments as make
from tests.factories.carts import shopper
from tests.factories.customers import CustomerFactory
from tests.factories.giftcards import gift_card, redeemer
from tests.payments.calls import PATH, opened, started, timeless
from tests.payments.providers import FAKE, OTHER, FakeProvider


class TestTheCart:
    def test_it_shows_its_collection(self, store: Caller, cart: Cart) -> None:
        path = f"/store/carts/{cart.pk}"
        assert store.get(path).json()["cart"]["payment_collection"] is None
        shown = started(store, opened(store, cart)["id"])
        reported = store.get(path).json()["cart"]["payment_collection"]
        assert timeless(reported) == timeless(shown)
        lean = store.get(path, "fields=id,payment_collection.payment_sessions.provider_id").json()["cart"]
        assert lean["payment_collection"]["payment_sessions"] == [
            {"id": shown["payment_sessions"][0]["id"], "provider_id": FAKE}
        ]

    def test_the_amount_follows_it_and_a_new_session_stands_for_the_old_one(
        self, store: Caller, fake: FakeProvider, cart: Cart
    ) -> None:
        """Medusa shows no session then (pc_after_cart_change.json of the recorded answers)."""
        before = started(store, opened(store, cart)["id"])
        line = LineItem.objects.get(cart=cart)
        store.post(f"/store/carts/{cart.pk}/line-items/{line.pk}", {"quantity": 3})
        after = opened(store, cart)
        (session,) = after["payment_sessions"]
        assert (after["id"], after["amount"]) == (before["id"], 150)
        assert (session["amount"], session["status"], session["provider_id"]) == (150, "pending", FAKE)
        assert session["id"] != before["payment_sessions"][0]["id"]
        intent = Intent.objects.get(act=Act.CANCEL)
        assert (intent.session_id, intent.done_at) == (before["payment_sessions"][0]["id"], None)

    def test_credit_that_is_gone_is_to_be_paid_again(self, store: Caller, cart: Cart) -> None:
        card = gift_card(30)
        add_card(actor=shopper(), cart_id=cart.pk, code=card.code)
        shown = started(store, opened(store, cart)["id"])
        assert (shown["amount"], shown["payment_sessions"][0]["amount"]) == (20, 20)
        redemption.redeem(actor=redeemer(CustomerFactory()), id_or_code=card.code)
        shown = started(store, shown["id"])
        assert (shown["amount"], [each["amount"] for each in shown["payment_sessions"]]) == (50, [50])

    def test_one_that_costs_nothing(self, store: Caller, fake: FakeProvider) -> None:
        free = make_carts.cart()
        free.region.payment_providers.add(FAKE)
        shown = started(store, opened(store, free)["id"])
        assert (shown["amount"], shown["status"], shown["payment_sessions"][0]["amount"]) == (0, "awaiting", 0)

    def test_one_that_is_completed(self, store: Caller, cart: Cart) -> None:
        paid = opened(store, cart)
        other = make.payable_cart(provider_id=FAKE)
        Cart.objects.update(completed_at=now())
        assert opened(store, cart) == paid
        response = store.post(PATH, {"cart_id": other.pk})
        assert refusal(response) == (400, f"Cart {other.pk} is already completed.")
        response = store.post(f"{PATH}/{paid['id']}/payment-sessions", {"provider_id": FAKE})
        assert response.status_code == 400
        assert "completed" in refusal(response)[1]
        assert (PaymentSession.objects.count(), PaymentCollection.objects.count()) == (0, 1)


class TestSessions:
    def test_the_same_is_kept_and_another_takes_its_place(self, store: Caller, fake: FakeProvider, cart: Cart) -> None:
        cart.region.payment_providers.add(OTHER)
        collection_id = opened(store, cart)["id"]
        first, again, other = (
            started(store, collection_id, provider_id=provider_id)["payment_sessions"]
            for provider_id in (FAKE, FAKE, OTHER)
        )
        assert first == again
        assert [each["provider_id"] for each in other] == [OTHER]
        assert Intent.objects.get(act=Act.CANCEL).session_id == first[0]["id"]

    @pytest.mark.parametrize("data", [None, {}, {"method": "card", "deep": {"list": [1, None, True]}}])
    def test_data_goes_to_the_provider(self, store: Caller, fake: FakeProvider, cart: Cart, data: Any) -> None:
        started(store, opened(store, cart)["id"], data=data)
        assert fake.calls[-1].charge.sent == (data or {})

    def test_a_provider_that_is_not_enabled(self, store: Caller, cart: Cart) -> None:
        PaymentProvider.objects.filter(pk=OTHER).update(is_enabled=False)
        cart.region.payment_providers.add(OTHER)
        path = f"{PATH}/{opened(store, cart)['id']}/payment-sessions"
        for provider_id in ("pp_x", OTHER, "pp_system_default", ""):
            assert refusal(store.post(path, {"provider_id": provider_id})) == (
                400,
                f"Payment provider {provider_id} is not enabled in the cart's region {cart.region_id}.",
            )

    def test_a_provider_that_refuses(self, store: Caller, fake: FakeProvider, cart: Cart) -> None:
        fake.says(Act.START, Declined("No funds"))
        path = f"{PATH}/{opened(store, cart)['id']}/payment-sessions"
        assert refusal(store.post(path, {"provider_id": FAKE})) == (400, "The payment provider refused: No funds")
        assert opened(store, cart)["payment_sessions"][0]["status"] == "error"

    def test_a_provider_that_does_not_answer(self, store: Caller, fake: FakeProvider, cart: Cart) -> None:
        fake.says(Act.START, TimeoutError("secret address 10.0.0.1"))
        path = f"{PATH}/{opened(store, cart)['id']}/payment-sessions"
        assert refusal(store.post(path, {"provider_id": FAKE})) == (
            503,
            "The payment provider pp_double_test is not responding; it will be retried automatically",
        )
        assert started(store, opened(store, cart)["id"])["payment_sessions"][0]["data"] != {}
