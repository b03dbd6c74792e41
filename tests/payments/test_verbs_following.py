"""A cart's collection is made once and asks for what is left to pay; sessions for anything else are given up."""

from decimal import Decimal
from typing import Any

import pytest

from carts import details, line_change
from carts.models import Cart, LineItem
from commerce.core.actor import SYSTEM, Actor
from commerce.core.errors import Forbidden, NotAllowed
from commerce.core.timestamps import now
from commerce.shop.models import Currency
from giftcards import redemption
from giftcards.cart_cards import put_card
from giftcards.models import GiftCard
from payments import authorization, cancellation, capturing, events, giving_up, intents, opening, starting
from payments.errors import (
    BeingCaptured,
    CapturedInPart,
    CartAlreadyCompleted,
    CartIdNotFound,
    CollectionNotFound,
    KeyOfAnotherRequest,
    PaidInAnotherCurrency,
    ProviderNotEnabled,
    ProviderUnavailable,
)
from payments.models import Intent, Payment, PaymentCollection, PaymentSession
from payments.providers.base import Standing
from payments.states import Act, SessionStatus
from tests.factories import carts as make_carts
from tests.factories import payments as make
from tests.factories.actors import staff_actor
from tests.factories.carts import shopper
from tests.factories.customers import CustomerFactory
from tests.factories.giftcards import gift_card, redeemer
from tests.factories.pricing import price
from tests.payments.providers import DOUBLE, OTHER, SIGNED, Double, event


def in_store(cart: Cart) -> Cart:
    return Cart.objects.get(pk=cart.pk)


def change_quantity(cart: Cart, quantity: int) -> None:
    """Of the cart's first line, each piece at 50 dollars."""
    line = LineItem.objects.filter(cart=cart).order_by("pk")[0]
    line_change.change(actor=shopper(customer_id=cart.customer_id), cart_id=cart.pk, line_id=line.pk, quantity=quantity)


def collection_of(cart: Cart) -> PaymentCollection:
    found: PaymentCollection = PaymentCollection.objects.get(cart=cart)
    return found


def session_of(cart: Cart) -> PaymentSession:
    """Its live one."""
    found: PaymentSession = PaymentSession.objects.alive().get(collection__cart=cart)
    return found


class TestOpening:
    def test_it_is_for_what_the_cart_has_left_to_pay(self, db: None) -> None:
        cart = make.payable_cart("12.34")
        made = make.collection(cart)
        assert (made.cart_id, made.amount, made.currency_id, made.status) == (
            cart.pk,
            Decimal("12.34"),
            "usd",
            "not_paid",
        )
        sums = (made.authorized_amount, made.captured_amount, made.refunded_amount)
        assert (sums, made.completed_at, made.metadata, made.deleted_at) == ((0, 0, 0), None, None, None)
        assert in_store(cart).payment_collection_id == made.pk

    def test_each_cart_has_one(self, db: None) -> None:
        cart = make.payable_cart()
        assert len({make.collection(cart).pk for _ in range(3)}) == 1
        assert make.collection().pk != make.collection(cart).pk

    def test_an_empty_cart_has_nothing_to_pay(self, db: None) -> None:
        assert make.collection(make_carts.cart()).amount == 0

    def test_not_for_a_cart_that_is_completed_unless_it_was_there_before(self, db: None) -> None:
        cart, paid = make.payable_cart(), make.payable_cart()
        before = make.collection(paid)
        Cart.objects.update(completed_at=now())
        with pytest.raises(CartAlreadyCompleted, match=f"^Cart {cart.pk} is already completed\\.$"):
            make.collection(cart)
        assert make.collection(paid) == before

    @pytest.mark.parametrize("cart_id", ["cart_nobody", "", "\0", "x" * 5000])
    def test_not_for_a_cart_that_is_not_there(self, db: None, cart_id: str) -> None:
        with pytest.raises(CartIdNotFound):
            opening.open_collection(actor=shopper(), cart_id=cart_id)


class TestFollowing:
    @pytest.fixture
    def cart(self, double: Double) -> Cart:
        """Over 50 dollars, with a session that its provider has prepared."""
        return make.session(provider_id=DOUBLE).collection.cart

    def test_the_amount_follows_and_the_session_is_given_up(self, double: Double, cart: Cart) -> None:
        before = session_of(cart)
        change_quantity(cart, 2)
        after = PaymentSession.objects.get()
        assert (collection_of(cart).amount, collection_of(cart).status) == (100, "not_paid")
        assert (after.pk, after.status, after.deleted_at is not None) == (before.pk, "canceled", True)
        intent = Intent.objects.get(act=Act.CANCEL)
        assert (intent.session_id, intent.done_at, double.asked) == (before.pk, None, [Act.START])
        intents.carry_out(intent.pk)
        assert double.asked == [Act.START, Act.CANCEL]
        assert double.calls[-1].charge.data == before.data

    def test_a_session_that_still_fits_stays(self, double: Double, cart: Cart) -> None:
        before = session_of(cart)
        details.change(actor=shopper(), cart_id=cart.pk, email="a@example.com")
        assert session_of(cart).pk == before.pk
        assert not Intent.objects.filter(act=Act.CANCEL).exists()

    def test_what_was_promised_is_given_up_too(self, double: Double, cart: Cart) -> None:
        authorization.authorize(actor=SYSTEM, session_id=session_of(cart).pk)
        change_quantity(cart, 2)
        collection = collection_of(cart)
        assert (collection.status, collection.authorized_amount) == ("not_paid", 0)
        intents.carry_out(Intent.objects.get(act=Act.CANCEL).pk)
        assert Payment.objects.get().canceled_at is not None

    def test_what_was_captured_stays(self, double: Double, cart: Cart) -> None:
        authorization.authorize(actor=SYSTEM, session_id=session_of(cart).pk)
        capturing.capture(actor=SYSTEM, payment_id=Payment.objects.get().pk)
        for quantity, status, left in ((2, "partially_captured", 50), (1, "completed", 0)):
            change_quantity(cart, quantity)
            collection = collection_of(cart)
            assert (collection.amount, collection.status) == (quantity * 50, status)
            assert (collection.captured_amount, giving_up.left_to_pay(collection)) == (50, left)
        assert not Intent.objects.filter(act=Act.CANCEL).exists()

    def test_the_rest_of_a_dearer_cart_is_paid_by_another_session(self, double: Double, cart: Cart) -> None:
        authorization.authorize(actor=SYSTEM, session_id=session_of(cart).pk)
        capturing.capture(actor=SYSTEM, payment_id=Payment.objects.get().pk)
        change_quantity(cart, 3)
        rest = make.session(collection_of(cart), provider_id=DOUBLE)
        assert (rest.amount, collection_of(cart).status) == (100, "partially_captured")
        authorization.authorize(actor=SYSTEM, session_id=rest.pk)
        capturing.capture(actor=SYSTEM, payment_id=Payment.objects.get(session=rest).pk)
        collection = collection_of(cart)
        assert (collection.status, collection.captured_amount, collection.authorized_amount) == ("completed", 150, 150)

    def test_another_currency(self, double: Double, cart: Cart) -> None:
        Currency.objects.get_or_create(code="eur")
        variant = LineItem.objects.get(cart=cart).variant
        price(variant, 40, "eur")
        abroad = make_carts.selling_region(countries=["de"], currency_id="eur")
        details.change(actor=shopper(), cart_id=cart.pk, region_id=abroad.pk)
        collection = collection_of(cart)
        assert (collection.amount, collection.currency_id, collection.status) == (40, "eur", "not_paid")
        assert PaymentSession.objects.get().status == "canceled"

    def test_not_once_money_has_come(self, double: Double, cart: Cart) -> None:
        Currency.objects.get_or_create(code="eur")
        price(LineItem.objects.get(cart=cart).variant, 40, "eur")
        told = event("evt_1", session_of(cart).pk, status="captured")
        events.take_event(provider_id=DOUBLE, body=told, headers=SIGNED)
        abroad = make_carts.selling_region(countries=["de"], currency_id="eur")
        with pytest.raises(PaidInAnotherCurrency, match=r"^The cart is paid in usd already"):
            details.change(actor=shopper(), cart_id=cart.pk, region_id=abroad.pk)
        assert collection_of(cart).currency_id == in_store(cart).currency_id == "usd"

    def test_a_cart_that_costs_nothing_more(self, double: Double, cart: Cart) -> None:
        put_card(actor=shopper(), cart_id=cart.pk, code=gift_card(80).code)
        assert (collection_of(cart).amount, PaymentSession.objects.get().status) == (0, "canceled")
        session = make.session(collection_of(cart), provider_id=DOUBLE)
        assert session.amount == 0
        authorization.authorize(actor=SYSTEM, session_id=session.pk)
        assert (collection_of(cart).status, collection_of(cart).completed_at) == ("authorized", None)
        with pytest.raises(NotAllowed, match=r"^At most 0 usd can be captured|^At most 0.00 usd can be captured"):
            capturing.capture(actor=SYSTEM, payment_id=Payment.objects.get(session=session).pk)


class TestStarting:
    @pytest.fixture
    def collection(self, double: Double) -> PaymentCollection:
        made = make.collection(provider_id=DOUBLE)
        made.cart.region.payment_providers.add(OTHER)
        return made

    def start(self, collection: PaymentCollection, actor: Actor | None = None, **given: Any) -> PaymentSession:
        asked = {"provider_id": DOUBLE, **given}
        session_id = starting.start_session(actor=actor or shopper(), collection_id=collection.pk, **asked)
        found: PaymentSession = PaymentSession.objects.get(pk=session_id)
        return found

    def test_a_session_is_for_all_that_is_left(self, double: Double, collection: PaymentCollection) -> None:
        session = self.start(collection)
        assert (session.amount, session.currency_id, session.provider_id, session.status) == (
            50,
            "usd",
            DOUBLE,
            "pending",
        )
        assert (session.context, session.authorized_at) == ({}, None)
        assert session.data == {"client_secret": f"secret of {session.pk}", "private": 1}
        assert PaymentCollection.objects.get().status == "awaiting"

    def test_it_knows_its_customer(self, double: Double) -> None:
        customer = CustomerFactory()
        session = make.session(provider_id=DOUBLE, customer_id=customer.pk)
        assert session.context == {"customer": {"id": customer.pk}}
        assert double.calls[-1].charge.customer_id == customer.pk

    @pytest.mark.parametrize(
        ("first", "second"), [(None, None), (None, {}), ({}, None), ({"a": 1, "b": [2]}, {"b": [2], "a": 1})]
    )
    def test_the_same_is_kept(self, double: Double, collection: PaymentCollection, first: Any, second: Any) -> None:
        assert self.start(collection, data=first) == self.start(collection, data=second)
        assert double.asked == [Act.START]

    @pytest.mark.parametrize(
        ("first", "second"),
        [({}, {"provider_id": OTHER}), ({}, {"data": {"a": 1}}), ({"data": {"a": 1}}, {"data": {"a": 2}})],
    )
    def test_another_takes_its_place(
        self, double: Double, collection: PaymentCollection, first: dict[str, Any], second: dict[str, Any]
    ) -> None:
        old, new = self.start(collection, **first), self.start(collection, **second)
        assert (session_of(collection.cart), old != new) == (new, True)
        assert PaymentSession.objects.get(pk=old.pk).status == "canceled"
        assert list(Intent.objects.filter(done_at=None).values_list("session_id", "act")) == [(old.pk, "cancel")]

    @pytest.mark.parametrize("status", ["requires_more", "pending_authorization", "authorized", "error"])
    def test_one_that_somebody_has_tried_is_replaced(
        self, double: Double, collection: PaymentCollection, status: str
    ) -> None:
        old = self.start(collection)
        double.says(Act.AUTHORIZE, Standing(SessionStatus(status)))
        authorization.authorize(actor=SYSTEM, session_id=old.pk)
        new = self.start(collection)
        assert (new != old, new.status, PaymentSession.objects.get(pk=old.pk).status) == (True, "pending", "canceled")

    def test_not_beside_one_that_was_captured_in_part(self, double: Double, collection: PaymentCollection) -> None:
        session = self.start(collection)
        authorization.authorize(actor=SYSTEM, session_id=session.pk)
        capturing.capture(actor=SYSTEM, payment_id=Payment.objects.get().pk, amount=Decimal(20))
        with pytest.raises(CapturedInPart):
            self.start(collection)
        assert session_of(collection.cart).pk == session.pk

    @pytest.mark.parametrize("way", ["unknown", "elsewhere", "disabled", "deleted", "", "\0", "x" * 5000])
    def test_only_at_a_provider_of_the_region(self, double: Double, collection: PaymentCollection, way: str) -> None:
        region, provider = collection.cart.region, collection.cart.region.payment_providers.get(pk=DOUBLE)
        provider_id = way
        if way in ("elsewhere", "disabled", "deleted"):
            provider_id = DOUBLE
        if way == "elsewhere":
            region.payment_providers.remove(provider)
        provider.is_enabled, provider.deleted_at = way != "disabled", now() if way == "deleted" else None
        provider.save()
        with pytest.raises(ProviderNotEnabled):
            self.start(collection, provider_id=provider_id)
        assert (PaymentSession.objects.count(), double.asked) == (0, [])

    @pytest.mark.parametrize("collection_id", ["pay_col_nobody", "", "\0", "x" * 5000])
    def test_not_of_a_collection_that_is_not_there(self, double: Double, collection_id: str) -> None:
        with pytest.raises(CollectionNotFound):
            starting.start_session(actor=shopper(), collection_id=collection_id, provider_id=DOUBLE)

    def test_not_of_a_completed_cart(self, double: Double, collection: PaymentCollection) -> None:
        Cart.objects.update(completed_at=now())
        with pytest.raises(NotAllowed, match="completed"):
            self.start(collection)

    def test_credit_is_looked_at_again(self, double: Double, collection: PaymentCollection) -> None:
        """A card may have been redeemed elsewhere since it was put on the cart: it pays nothing any more."""
        card = gift_card(30)
        put_card(actor=shopper(), cart_id=collection.cart_id, code=card.code)
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
    def collection(self, double: Double) -> PaymentCollection:
        return make.collection(provider_id=DOUBLE)

    def start(self, collection: PaymentCollection, mark: str | None = "a" * 64, **given: Any) -> str:
        asked = {"provider_id": DOUBLE, **given}
        return starting.start_session(actor=shopper(), collection_id=collection.pk, key_mark=mark, **asked)

    def test_the_same_session_is_gone_on_with(self, double: Double, collection: PaymentCollection) -> None:
        double.says(Act.START, ConnectionError())
        with pytest.raises(ProviderUnavailable):
            self.start(collection)
        session_id = self.start(collection)
        assert PaymentSession.objects.get().pk == session_id
        assert len({call.key for call in double.calls}) == 1
        assert PaymentSession.objects.get().data["client_secret"] == f"secret of {session_id}"

    def test_also_where_the_provider_was_not_heard(self, double: Double, collection: PaymentCollection) -> None:
        double.loses_answers(Act.START)
        with pytest.raises(ProviderUnavailable):
            self.start(collection)
        self.start(collection)
        assert (double.asked, PaymentSession.objects.count()) == ([Act.START, Act.START], 1)

    def test_also_without_a_mark(self, double: Double, collection: PaymentCollection) -> None:
        double.says(Act.START, ConnectionError())
        with pytest.raises(ProviderUnavailable):
            self.start(collection, mark=None)
        self.start(collection, mark=None)
        assert (len({call.key for call in double.calls}), PaymentSession.objects.count()) == (1, 1)

    def test_a_mark_stands_for_one_request(self, double: Double, collection: PaymentCollection) -> None:
        self.start(collection)
        other = make.collection(provider_id=DOUBLE)
        other.cart.region.payment_providers.add(OTHER)
        for given in ({"provider_id": OTHER}, {"data": {"a": 1}}):
            with pytest.raises(KeyOfAnotherRequest):
                self.start(collection, **given)
        with pytest.raises(KeyOfAnotherRequest):
            self.start(other)
        assert double.asked == [Act.START]


class TestCanceling:
    def test_every_session_is_given_up(self, double: Double) -> None:
        session = make.session(provider_id=DOUBLE)
        authorization.authorize(actor=SYSTEM, session_id=session.pk)
        staff = staff_actor("payments.change_paymentcollection")
        cancellation.cancel(actor=staff, collection_id=session.collection_id)
        collection = PaymentCollection.objects.get()
        assert (collection.status, collection.authorized_amount, collection.amount) == ("canceled", 0, 50)
        intents.carry_out(Intent.objects.get(act=Act.CANCEL).pk)
        assert double.asked == [Act.START, Act.AUTHORIZE, Act.CANCEL]
        assert PaymentCollection.objects.get().status == "canceled"

    def test_a_capture_that_was_quicker(self, double: Double) -> None:
        """Nobody knows whether the money has left: nothing is canceled until the provider says so."""
        session = make.session(provider_id=DOUBLE)
        authorization.authorize(actor=SYSTEM, session_id=session.pk)
        double.loses_answers(Act.CAPTURE)
        with pytest.raises(ProviderUnavailable):
            capturing.capture(actor=SYSTEM, payment_id=Payment.objects.get().pk)
        with pytest.raises(BeingCaptured):
            cancellation.cancel(actor=SYSTEM, collection_id=session.collection_id)
        for intent in Intent.objects.filter(done_at=None).order_by("pk"):
            intents.carry_out(intent.pk)
        collection = PaymentCollection.objects.get()
        assert (collection.status, collection.captured_amount) == ("completed", 50)
        assert PaymentSession.objects.get().status == "captured"

    def test_only_by_staff_who_may(self, double: Double) -> None:
        collection = make.collection(provider_id=DOUBLE)
        with pytest.raises(Forbidden, match=r"^The permission 'payments.change_paymentcollection' is required$"):
            cancellation.cancel(actor=staff_actor("payments.change_payment"), collection_id=collection.pk)
        with pytest.raises(CollectionNotFound):
            cancellation.cancel(actor=SYSTEM, collection_id="pay_col_nobody")
