"""A collection asks for what its cart has left to pay; its session follows, or is canceled."""

import pytest
from pytest_django import Settings

from carts.details import details
from carts.models import Cart, LineItem
from giftcards.spending.cart_cards import add_card
from kit.domain.actor import SYSTEM
from kit.errors import InvalidData
from payments.errors import (
    PaidInAnotherCurrency,
)
from payments.models import Intent, Payment, PaymentSession
from payments.movements import capturing
from payments.requests import events, intents
from payments.sessions import authorization
from payments.states import Act
from shop.models import Currency
from tests.factories import carts as make_carts
from tests.factories import payments as make
from tests.factories.carts import shopper
from tests.factories.giftcards import gift_card
from tests.factories.pricing import price
from tests.payments.paid_carts import change_quantity, collection_of, in_store, session_of
from tests.payments.providers import FAKE, SIGNED, FakeProvider, event


class TestFollowing:
    @pytest.fixture
    def cart(self, fake: FakeProvider) -> Cart:
        """Over 50 dollars, with a session that its provider has prepared."""
        return make.session(provider_id=FAKE).collection.cart

    def test_the_amount_follows_and_another_session_is_started(self, fake: FakeProvider, cart: Cart) -> None:
        before = session_of(cart)
        change_quantity(cart, 2)
        canceled, after = PaymentSession.objects.order_by("pk")
        assert (collection_of(cart).amount, collection_of(cart).status) == (100, "awaiting")
        assert (canceled.pk, canceled.status, canceled.deleted_at is not None) == (before.pk, "canceled", True)
        assert (after.amount, after.status, after.context) == (100, "pending", before.context)
        intent = Intent.objects.get(act=Act.CANCEL)
        assert (intent.session_id, intent.done_at, fake.asked) == (before.pk, None, [Act.START])
        intents.carry_out(intent.pk)
        assert fake.asked == [Act.START, Act.CANCEL]
        assert fake.calls[-1].charge.data == before.data
        intents.carry_out(Intent.objects.get(session=after, act=Act.START).pk)
        assert fake.asked == [Act.START, Act.CANCEL, Act.START]
        assert session_of(cart).data["client_secret"] == f"secret of {after.pk}"

    def test_a_session_that_still_fits_stays(self, fake: FakeProvider, cart: Cart) -> None:
        before = session_of(cart)
        details.change(actor=shopper(), cart_id=cart.pk, email="a@example.com")
        assert session_of(cart).pk == before.pk
        assert not Intent.objects.filter(act=Act.CANCEL).exists()

    def test_what_was_promised_is_canceled_too(self, fake: FakeProvider, cart: Cart) -> None:
        authorization.authorize(actor=SYSTEM, session_id=session_of(cart).pk)
        change_quantity(cart, 2)
        collection = collection_of(cart)
        assert (collection.status, collection.authorized_amount) == ("not_paid", 0)
        intents.carry_out(Intent.objects.get(act=Act.CANCEL).pk)
        assert Payment.objects.get().canceled_at is not None

    def test_what_was_captured_stays(self, fake: FakeProvider, cart: Cart) -> None:
        authorization.authorize(actor=SYSTEM, session_id=session_of(cart).pk)
        capturing.capture(actor=SYSTEM, payment_id=Payment.objects.get().pk)
        for quantity, status, left in ((2, "partially_captured", 50), (1, "completed", 0)):
            change_quantity(cart, quantity)
            collection = collection_of(cart)
            assert (collection.amount, collection.status) == (quantity * 50, status)
            assert (collection.captured_amount, collection.amount_due) == (50, left)
        assert not Intent.objects.filter(act=Act.CANCEL).exists()

    def test_the_rest_of_a_dearer_cart_is_paid_by_another_session(self, fake: FakeProvider, cart: Cart) -> None:
        authorization.authorize(actor=SYSTEM, session_id=session_of(cart).pk)
        capturing.capture(actor=SYSTEM, payment_id=Payment.objects.get().pk)
        change_quantity(cart, 3)
        rest = make.session(collection_of(cart), provider_id=FAKE)
        assert (rest.amount, collection_of(cart).status) == (100, "partially_captured")
        authorization.authorize(actor=SYSTEM, session_id=rest.pk)
        capturing.capture(actor=SYSTEM, payment_id=Payment.objects.get(session=rest).pk)
        collection = collection_of(cart)
        assert (collection.status, collection.captured_amount, collection.authorized_amount) == ("completed", 150, 150)

    def test_another_currency(self, fake: FakeProvider, cart: Cart) -> None:
        Currency.objects.get_or_create(code="eur")
        variant = LineItem.objects.get(cart=cart).variant
        price(variant, 40, "eur")
        abroad = make_carts.selling_region(countries=["de"], currency_id="eur")
        details.change(actor=shopper(), cart_id=cart.pk, region_id=abroad.pk)
        collection = collection_of(cart)
        assert (collection.amount, collection.currency_id, collection.status) == (40, "eur", "not_paid")
        assert PaymentSession.objects.get().status == "canceled"

    def test_no_more_sessions_are_started_than_a_shopper_may(
        self, fake: FakeProvider, cart: Cart, settings: Settings
    ) -> None:
        settings.THROTTLES = {**settings.THROTTLES, "payment_sessions": (2, 3600)}
        for quantity in (2, 3):
            change_quantity(cart, quantity)
        assert [each.status for each in PaymentSession.objects.all()] == ["canceled", "canceled"]

    def test_a_region_that_does_not_offer_the_provider(self, fake: FakeProvider, cart: Cart) -> None:
        """Its taxes change the total."""
        elsewhere = make_carts.selling_region(countries=["mx"], tax_rate=10)
        details.change(actor=shopper(), cart_id=cart.pk, region_id=elsewhere.pk)
        assert (collection_of(cart).amount, PaymentSession.objects.get().status) == (55, "canceled")

    def test_not_once_money_has_come(self, fake: FakeProvider, cart: Cart) -> None:
        Currency.objects.get_or_create(code="eur")
        price(LineItem.objects.get(cart=cart).variant, 40, "eur")
        reported = event("evt_1", session_of(cart).pk, status="captured")
        events.receive_event(provider_id=FAKE, body=reported, headers=SIGNED)
        abroad = make_carts.selling_region(countries=["de"], currency_id="eur")
        with pytest.raises(PaidInAnotherCurrency, match=r"^The cart already has payments in usd"):
            details.change(actor=shopper(), cart_id=cart.pk, region_id=abroad.pk)
        assert collection_of(cart).currency_id == in_store(cart).currency_id == "usd"

    def test_money_of_a_currency_that_the_cart_has_left(self, fake: FakeProvider, cart: Cart) -> None:
        """It pays nothing there, and all once the cart has come back."""
        old, home = session_of(cart), cart.region
        price(LineItem.objects.get(cart=cart).variant, 40, "eur")
        abroad = make_carts.selling_region(countries=["de"], currency_id="eur")
        details.change(actor=shopper(), cart_id=cart.pk, region_id=abroad.pk)
        reported = event("evt_1", old.pk, status="captured")
        events.receive_event(provider_id=FAKE, body=reported, headers=SIGNED)
        collection = collection_of(cart)
        assert (collection.status, collection.amount, collection.captured_amount) == ("not_paid", 40, 0)
        details.change(actor=shopper(), cart_id=cart.pk, region_id=home.pk)
        collection = collection_of(cart)
        assert (collection.status, collection.amount, collection.captured_amount) == ("completed", 50, 50)

    def test_a_cart_that_costs_nothing_more(self, fake: FakeProvider, cart: Cart) -> None:
        add_card(actor=shopper(), cart_id=cart.pk, code=gift_card(80).code)
        assert (collection_of(cart).amount, PaymentSession.objects.get().status) == (0, "canceled")
        session = make.session(collection_of(cart), provider_id=FAKE)
        assert session.amount == 0
        authorization.authorize(actor=SYSTEM, session_id=session.pk)
        assert (collection_of(cart).status, collection_of(cart).completed_at) == ("authorized", None)
        with pytest.raises(InvalidData, match=r"^At most 0.00 usd of the payment can be captured"):
            capturing.capture(actor=SYSTEM, payment_id=Payment.objects.get(session=session).pk)
