"""What a storefront is shown of a payment through Stripe."""

import pytest

from kit.domain.actor import SYSTEM
from payments.models import Payment, PaymentSession
from payments.movements import capturing
from payments.sessions import authorization
from tests.contract.callers import storefront
from tests.factories.apikeys import publishable_key
from tests.payments.stripe.conftest import PROVIDER_ID
from tests.payments.stripe.fake import Fake

pytestmark = [pytest.mark.once, pytest.mark.django_db]


def test_a_session_shows_what_the_storefront_confirms_it_with(fake: Fake, session: PaymentSession) -> None:
    store = storefront(publishable_key())
    answer = store.post(
        f"/store/payment-collections/{session.collection_id}/payment-sessions", {"provider_id": PROVIDER_ID}
    )
    shown = {"id": "pi_1", "client_secret": "pi_1_secret_hush", "status": "requires_payment_method"}
    (reported,) = answer.json()["payment_collection"]["payment_sessions"]
    assert (reported["id"], reported["status"], reported["data"]) == (session.pk, "pending", shown)
    path = f"/store/carts/{session.collection.cart_id}"
    cart = store.get(path, "fields=*payment_collection.payment_sessions").json()["cart"]
    assert cart["payment_collection"]["payment_sessions"][0]["data"] == shown


def test_a_payment_shows_nothing_of_what_stripe_keeps(fake: Fake, session: PaymentSession) -> None:
    fake.pay(session.data["id"])
    authorization.authorize(actor=SYSTEM, session_id=session.pk)
    capturing.capture(actor=SYSTEM, payment_id=Payment.objects.get().pk)
    path = f"/store/carts/{session.collection.cart_id}"
    cart = storefront(publishable_key()).get(path, "fields=*payment_collection.payments").json()["cart"]
    (payment,) = cart["payment_collection"]["payments"]
    assert (payment["data"], payment["captured_amount"]) == ({}, 50)
