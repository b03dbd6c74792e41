"""Giving up what is to be paid."""

import pytest

from kit.domain.actor import SYSTEM
from kit.errors import Forbidden
from payments.errors import BeingCaptured, CollectionNotFound
from payments.lifecycle import cancellation
from payments.models import Intent, Payment, PaymentCollection, PaymentSession
from payments.movements import capturing
from payments.requests import intents
from payments.sessions import authorization
from payments.states import Act
from shop.errors import ProviderUnavailable
from tests.factories import payments as make
from tests.factories.actors import staff_actor
from tests.payments.providers import FAKE, FakeProvider


class TestCanceling:
    def test_every_session_is_canceled(self, fake: FakeProvider) -> None:
        session = make.session(provider_id=FAKE)
        authorization.authorize(actor=SYSTEM, session_id=session.pk)
        staff = staff_actor("payments.change_paymentcollection")
        cancellation.cancel(actor=staff, collection_id=session.collection_id)
        collection = PaymentCollection.objects.get()
        assert (collection.status, collection.authorized_amount, collection.amount) == ("canceled", 0, 50)
        intents.carry_out(Intent.objects.get(act=Act.CANCEL).pk)
        assert fake.asked == [Act.START, Act.AUTHORIZE, Act.CANCEL]
        assert PaymentCollection.objects.get().status == "canceled"

    def test_a_capture_that_was_quicker(self, fake: FakeProvider) -> None:
        """Nobody knows whether the money has left: nothing is canceled until the provider says so."""
        session = make.session(provider_id=FAKE)
        authorization.authorize(actor=SYSTEM, session_id=session.pk)
        fake.loses_answers(Act.CAPTURE)
        with pytest.raises(ProviderUnavailable):
            capturing.capture(actor=SYSTEM, payment_id=Payment.objects.get().pk)
        with pytest.raises(BeingCaptured):
            cancellation.cancel(actor=SYSTEM, collection_id=session.collection_id)
        for intent in Intent.objects.filter(done_at=None).order_by("pk"):
            intents.carry_out(intent.pk)
        collection = PaymentCollection.objects.get()
        assert (collection.status, collection.captured_amount) == ("completed", 50)
        assert PaymentSession.objects.get().status == "captured"

    def test_only_by_staff_who_may(self, fake: FakeProvider) -> None:
        collection = make.collection(provider_id=FAKE)
        with pytest.raises(Forbidden, match=r"^The permission 'payments.change_paymentcollection' is required$"):
            cancellation.cancel(actor=staff_actor("payments.change_payment"), collection_id=collection.pk)
        with pytest.raises(CollectionNotFound):
            cancellation.cancel(actor=SYSTEM, collection_id="pay_col_nobody")
