"""A session is for all that is left, in the place of any other; what is begun is gone on with."""

from decimal import Decimal
from typing import Any

import pytest

from carts.errors import CartCompleted
from carts.models import Cart
from giftcards.cards import redemption
from giftcards.models import GiftCard
from giftcards.spending.cart_cards import add_card
from kit.domain.actor import SYSTEM, Actor
from kit.safety.idempotency.replay import KeyOfAnotherRequest
from kit.values.timestamps import now
from payments.errors import CollectionNotFound, PartiallyCaptured, ProviderNotEnabled
from payments.models import Intent, Payment, PaymentCollection, PaymentSession
from payments.movements import capturing
from payments.providers.base import ProviderReport
from payments.sessions import authorization, starting
from payments.states import Act, SessionStatus
from shop.errors import ProviderUnavailable
from tests.factories import payments as make
from tests.factories.carts import shopper
from tests.factories.customers import CustomerFactory
from tests.factories.giftcards import gift_card, redeemer
from tests.payments.paid_carts import collection_of, in_store, session_of
from tests.payments.providers import FAKE, OTHER, FakeProvider


class TestStarting:
    @pytest.fixture
    def collection(self, fake: FakeProvider) -> PaymentCollection:
        made = make.collection(provider_id=FAKE)
        made.cart.region.payment_providers.add(OTHER)
        return made

    def start(self, collection: PaymentCollection, actor: Actor | None = None, **given: Any) -> PaymentSession:
        asked = {"provider_id": FAKE, **given}
        session_id = starting.start_session(actor=actor or shopper(), collection_id=collection.pk, **asked)
        found: PaymentSession = PaymentSession.objects.get(pk=session_id)
        return found

    def test_a_session_is_for_all_that_is_left(self, fake: FakeProvider, collection: PaymentCollection) -> None:
        session = self.start(collection)
        assert (session.amount, session.currency_id, session.provider_id, session.status) == (
            50,
            "usd",
            FAKE,
            "pending",
        )
        assert (session.context, session.authorized_at) == ({}, None)
        assert session.data == {"client_secret": f"secret of {session.pk}", "private": 1}
        assert PaymentCollection.objects.get().status == "awaiting"

    def test_it_knows_its_customer(self, fake: FakeProvider) -> None:
        customer = CustomerFactory()
        session = make.session(provider_id=FAKE, customer_id=customer.pk)
        assert session.context == {"customer": {"id": customer.pk}}
        assert fake.calls[-1].charge.customer_id == customer.pk

    @pytest.mark.parametrize(
        ("first", "second"), [(None, None), (None, {}), ({}, None), ({"a": 1, "b": [2]}, {"b": [2], "a": 1})]
    )
    def test_the_same_is_kept(self, fake: FakeProvider, collection: PaymentCollection, first: Any, second: Any) -> None:
        assert self.start(collection, data=first) == self.start(collection, data=second)
        assert fake.asked == [Act.START]

    @pytest.mark.parametrize(
        ("first", "second"),
        [({}, {"provider_id": OTHER}), ({}, {"data": {"a": 1}}), ({"data": {"a": 1}}, {"data": {"a": 2}})],
    )
    def test_another_takes_its_place(
        self, fake: FakeProvider, collection: PaymentCollection, first: dict[str, Any], second: dict[str, Any]
    ) -> None:
        old, new = self.start(collection, **first), self.start(collection, **second)
        assert (session_of(collection.cart), old != new) == (new, True)
        assert PaymentSession.objects.get(pk=old.pk).status == "canceled"
        assert list(Intent.objects.filter(done_at=None).values_list("session_id", "act")) == [(old.pk, "cancel")]

    @pytest.mark.parametrize("status", ["requires_more", "pending_authorization", "authorized", "error"])
    def test_one_that_somebody_has_tried_is_replaced(
        self, fake: FakeProvider, collection: PaymentCollection, status: str
    ) -> None:
        old = self.start(collection)
        fake.says(Act.AUTHORIZE, ProviderReport(SessionStatus(status)))
        authorization.authorize(actor=SYSTEM, session_id=old.pk)
        new = self.start(collection)
        assert (new != old, new.status, PaymentSession.objects.get(pk=old.pk).status) == (True, "pending", "canceled")

    def test_not_beside_one_that_was_captured_in_part(self, fake: FakeProvider, collection: PaymentCollection) -> None:
        session = self.start(collection)
        authorization.authorize(actor=SYSTEM, session_id=session.pk)
        capturing.capture(actor=SYSTEM, payment_id=Payment.objects.get().pk, amount=Decimal(20))
        with pytest.raises(PartiallyCaptured):
            self.start(collection)
        assert session_of(collection.cart).pk == session.pk

    @pytest.mark.parametrize("way", ["unknown", "elsewhere", "disabled", "deleted", "", "\0", "x" * 5000])
    def test_only_at_a_provider_of_the_region(
        self, fake: FakeProvider, collection: PaymentCollection, way: str
    ) -> None:
        region, provider = collection.cart.region, collection.cart.region.payment_providers.get(pk=FAKE)
        provider_id = way
        if way in ("elsewhere", "disabled", "deleted"):
            provider_id = FAKE
        if way == "elsewhere":
            region.payment_providers.remove(provider)
        provider.is_enabled, provider.deleted_at = way != "disabled", now() if way == "deleted" else None
        provider.save()
        with pytest.raises(ProviderNotEnabled):
            self.start(collection, provider_id=provider_id)
        assert (PaymentSession.objects.count(), fake.asked) == (0, [])

    @pytest.mark.parametrize("collection_id", ["pay_col_nobody", "", "\0", "x" * 5000])
    def test_not_of_a_collection_that_is_not_there(self, fake: FakeProvider, collection_id: str) -> None:
        with pytest.raises(CollectionNotFound):
            starting.start_session(actor=shopper(), collection_id=collection_id, provider_id=FAKE)

    def test_not_of_a_completed_cart(self, fake: FakeProvider, collection: PaymentCollection) -> None:
        Cart.objects.update(completed_at=now())
        with pytest.raises(CartCompleted):
            self.start(collection)

    def test_credit_is_looked_at_again(self, fake: FakeProvider, collection: PaymentCollection) -> None:
        """A card may have been redeemed elsewhere since it was put on the cart: it pays nothing any more."""
        card = gift_card(30)
        add_card(actor=shopper(), cart_id=collection.cart_id, code=card.code)
        assert self.start(collection).amount == 20
        redemption.redeem(actor=redeemer(CustomerFactory()), id_or_code=card.code)
        assert collection_of(collection.cart).amount == 20  # nobody has looked at the cart since
        session = self.start(collection)
        assert (session.amount, collection_of(collection.cart).amount) == (50, 50)
        assert (in_store(collection.cart).total, GiftCard.objects.get().status) == (50, "redeemed")
        assert PaymentSession.objects.filter(status="canceled").count() == 1


class TestMarks:
    """What is begun with an Idempotency-Key is gone on with."""

    @pytest.fixture
    def collection(self, fake: FakeProvider) -> PaymentCollection:
        return make.collection(provider_id=FAKE)

    def start(self, collection: PaymentCollection, mark: str | None = "a" * 64, **given: Any) -> str:
        asked = {"provider_id": FAKE, **given}
        return starting.start_session(actor=shopper(), collection_id=collection.pk, idempotency_digest=mark, **asked)

    def test_the_same_session_is_continued(self, fake: FakeProvider, collection: PaymentCollection) -> None:
        fake.says(Act.START, ConnectionError())
        with pytest.raises(ProviderUnavailable):
            self.start(collection)
        session_id = self.start(collection)
        assert PaymentSession.objects.get().pk == session_id
        assert len({call.key for call in fake.calls}) == 1
        assert PaymentSession.objects.get().data["client_secret"] == f"secret of {session_id}"

    def test_also_where_the_provider_did_not_answer(self, fake: FakeProvider, collection: PaymentCollection) -> None:
        fake.loses_answers(Act.START)
        with pytest.raises(ProviderUnavailable):
            self.start(collection)
        self.start(collection)
        assert (fake.asked, PaymentSession.objects.count()) == ([Act.START, Act.START], 1)

    def test_also_without_a_key(self, fake: FakeProvider, collection: PaymentCollection) -> None:
        fake.says(Act.START, ConnectionError())
        with pytest.raises(ProviderUnavailable):
            self.start(collection, mark=None)
        self.start(collection, mark=None)
        assert (len({call.key for call in fake.calls}), PaymentSession.objects.count()) == (1, 1)

    def test_a_key_stands_for_one_request(self, fake: FakeProvider, collection: PaymentCollection) -> None:
        self.start(collection)
        other = make.collection(provider_id=FAKE)
        other.cart.region.payment_providers.add(OTHER)
        for given in ({"provider_id": OTHER}, {"data": {"a": 1}}):
            with pytest.raises(KeyOfAnotherRequest):
                self.start(collection, **given)
        with pytest.raises(KeyOfAnotherRequest):
            self.start(other)
        assert fake.asked == [Act.START]
