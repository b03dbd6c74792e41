"""The total of a cart changes while the shopper has Stripe's form open."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from carts.models import Cart, LineItem
from catalog.models import Price
from orders.models import Order
from payments.models import Intent, Payment, PaymentSession
from payments.providers.base import Charge, Declined
from payments.providers.stripe import StripeProvider
from payments.requests import intents
from payments.states import SessionStatus
from shop.models import PaymentProvider
from tests.contract.callers import Caller, storefront
from tests.factories.apikeys import publishable_key
from tests.factories.carts import sold_variant
from tests.factories.checkout import pay, ready_cart
from tests.payments.stripe.conftest import PROVIDER_ID, charged
from tests.payments.stripe.fake import Fake
from tests.payments.stripe.steps import authorized, started


class TestUpdate:
    """The provider alone."""

    def test_the_intent_keeps_its_secret(self, provider: StripeProvider, fake: Fake, charge: Charge) -> None:
        begun = started(provider, charge)
        report = provider.update(begun, Decimal("62.50"), key="update")
        assert (report.status, report.data["amount"]) == (SessionStatus.PENDING, 6250)
        assert report.data["client_secret"] == begun.data["client_secret"]
        assert fake.requests(begun.data["id"])[-1]["form"]["metadata"] == {"amount": "62.50"}
        assert provider.update(begun, Decimal("62.50"), key="update") == report
        fake.pay(begun.data["id"])
        paid = provider.retrieve(begun)
        assert paid is not None
        assert (paid.status, paid.authorized) == (SessionStatus.AUTHORIZED, Decimal("62.50"))

    def test_three_decimals_are_paid_in_full(self, provider: StripeProvider, fake: Fake) -> None:
        begun = started(provider, charged("10.000", "kwd"))
        provider.update(begun, Decimal("12.345"), key="update")
        fake.pay(begun.data["id"])
        paid = provider.retrieve(begun)
        assert paid is not None
        assert (paid.authorized, paid.data["amount"]) == (Decimal("12.345"), 12350)

    def test_what_is_confirmed_keeps_its_amount(self, provider: StripeProvider, fake: Fake, charge: Charge) -> None:
        begun = authorized(provider, fake, charge)
        report = provider.update(begun, Decimal(70), key="update")
        assert (report.status, report.authorized) == (SessionStatus.AUTHORIZED, 50)

    @pytest.mark.parametrize("amount", ["0.30", "70.00"])
    def test_what_cannot_be_changed_is_declined(
        self, provider: StripeProvider, fake: Fake, charge: Charge, amount: str
    ) -> None:
        """Too little, or canceled in the dashboard."""
        begun = started(provider, charge)
        if amount == "70.00":
            fake.by_hand("cancel", intent_id=begun.data["id"], form={})
        with pytest.raises(Declined):
            provider.update(begun, Decimal(amount), key="update")

    def test_what_was_never_created_is_declined(self, provider: StripeProvider, charge: Charge) -> None:
        with pytest.raises(Declined, match="never created"):
            provider.update(replace(charge, data={}), Decimal(70), key="update")


@pytest.mark.django_db(transaction=True)
class TestCheckout:
    """As a storefront with Stripe's form goes on: it confirms first, and completes then."""

    @pytest.fixture
    def store(self) -> Caller:
        return storefront(publishable_key())

    @pytest.fixture
    def cart(self, fake: Fake, transactional_db: None) -> Cart:
        """Of 15 dollars."""
        PaymentProvider.objects.filter(pk=PROVIDER_ID).update(is_enabled=True)
        return ready_cart(sold_variant(10), provider_id=PROVIDER_ID)

    def test_the_form_that_is_open_pays_the_new_total(self, fake: Fake, store: Caller, cart: Cart) -> None:
        form = shown(store, cart)
        reprice(cart, 12)
        assert complete(store, cart).status_code == 400
        assert shown(store, cart) == form
        fake.pay(form["id"])
        body = complete(store, cart).json()
        assert (body["type"], body["order"]["total"]) == ("order", 17)
        assert Payment.objects.get().authorized_amount == 17
        assert len(fake.requests("/payment_intents")) == 1

    def test_a_storefront_that_confirms_before_it_completes(self, fake: Fake, store: Caller, cart: Cart) -> None:
        """It has paid too little, which is released; what it pays then is all that is held."""
        first = shown(store, cart)
        fake.pay(first["id"])
        reprice(cart, 12)
        assert "pay again" in complete(store, cart).json()["message"]
        second = pay(cart, provider_id=PROVIDER_ID)
        fake.pay(second.data["id"])
        assert complete(store, cart).json()["order"]["total"] == 17
        work()
        assert fake.requests(f"{first['id']}/cancel")
        assert list(Payment.objects.filter(canceled_at=None).values_list("authorized_amount", flat=True)) == [17]

    @pytest.mark.parametrize("capture", ["manual", "automatic"])
    def test_a_storefront_that_has_paid_too_much(
        self, fake: Fake, store: Caller, cart: Cart, capture: str, settings: Any
    ) -> None:
        settings.STRIPE_CAPTURE = capture
        paid = ready_cart(sold_variant(10), provider_id=PROVIDER_ID)
        fake.pay(PaymentSession.objects.get(collection__cart=paid).data["id"])
        reprice(paid, 8)
        assert complete(store, paid).status_code == 400
        assert complete(store, paid).json()["order"]["total"] == 13
        work()
        assert [refund["amount"] for refund in fake.refunds()] == ([200] if capture == "automatic" else [])
        assert Order.objects.get().payment_status == ("captured" if capture == "automatic" else "authorized")


def shown(store: Caller, cart: Cart) -> dict[str, Any]:
    """What the storefront's form is made of."""
    path = f"/store/carts/{cart.pk}"
    found = store.get(path, "fields=*payment_collection.payment_sessions").json()["cart"]["payment_collection"]
    (session,) = found["payment_sessions"]
    data: dict[str, Any] = session["data"]
    return data


def complete(store: Caller, cart: Cart) -> Any:
    return store.post(f"/store/carts/{cart.pk}/complete")


def reprice(cart: Cart, amount: int) -> None:
    variant = LineItem.objects.get(cart=cart).variant
    assert variant is not None
    Price.objects.filter(price_set=variant.price_set).update(amount=amount)


def work() -> None:
    """All that the background worker has to ask."""
    for intent_id in Intent.objects.filter(done_at=None).order_by("pk").values_list("pk", flat=True):
        intents.carry_out(intent_id)
