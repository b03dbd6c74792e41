"""Taking money and giving it back: never more than there is, also while a provider has not answered."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from kit.domain.actor import SYSTEM
from kit.errors import DomainError, Forbidden, InvalidData
from kit.safety.idempotency.replay import KeyOfAnotherRequest
from payments.errors import (
    CaptureUnderWay,
    NothingToCapture,
    NothingToRefund,
    PaymentNotFound,
    PaymentProviderRefused,
    UnknownRefundReason,
)
from payments.lifecycle import cancellation
from payments.models import Capture, Intent, Payment, PaymentCollection, Refund
from payments.movements import capturing, refunding
from payments.providers.base import Declined
from payments.requests import intents
from payments.sessions import authorization
from payments.states import Act
from shop.errors import ProviderUnavailable
from tests.factories import payments as make
from tests.factories.actors import staff_actor
from tests.payments.providers import FAKE, FakeProvider

STAFF = staff_actor("payments.add_capture", "payments.add_refund")


@pytest.fixture
def promised(fake: FakeProvider) -> Payment:
    """50 dollars that can be taken."""
    return make.authorized_payment(provider_id=FAKE)


@pytest.fixture
def taken(fake: FakeProvider) -> Payment:
    """50 dollars that can be given back."""
    return make.captured_payment(provider_id=FAKE)


def today(payment: Payment) -> Payment:
    return Payment.objects.get(pk=payment.pk)


class TestCapturing:
    def test_all_that_is_left_where_nothing_is_said(self, fake: FakeProvider, promised: Payment) -> None:
        capturing.capture(actor=STAFF, payment_id=promised.pk)
        payment, capture = today(promised), Capture.objects.get()
        assert (payment.captured_amount, payment.captured_at is None) == (50, False)
        assert (capture.amount, capture.created_by, capture.payment_id) == (50, "user_01TEST", payment.pk)
        assert capture.intent_id == fake.calls[-1].key
        assert fake.calls[-1].amount == 50
        collection = PaymentCollection.objects.get()
        assert (collection.captured_amount, collection.status) == (50, "completed")
        assert collection.completed_at is not None

    def test_in_parts(self, fake: FakeProvider, promised: Payment) -> None:
        for amount, left, when in (("20.01", "29.99", True), ("9.99", "20", True), (None, "0", False)):
            capturing.capture(actor=STAFF, payment_id=promised.pk, amount=amount and Decimal(amount))
            payment = today(promised)
            assert (capturing.capturable_amount(payment), payment.captured_at is None) == (Decimal(left), when)
        assert [int(call.amount * 100) for call in fake.calls[2:] if call.amount] == [2001, 999, 2000]
        assert sum(Capture.objects.values_list("amount", flat=True)) == 50

    def test_not_more_than_was_promised(self, fake: FakeProvider, promised: Payment) -> None:
        for amount in ("50.01", "51", "1000000"):
            with pytest.raises(NothingToCapture, match=r"^At most 50.00 usd of the payment can be captured$"):
                capturing.capture(actor=STAFF, payment_id=promised.pk, amount=Decimal(amount))
        capturing.capture(actor=STAFF, payment_id=promised.pk)
        for rest in (None, Decimal("0.01")):
            with pytest.raises(NothingToCapture, match=r"^At most 0.00 usd of the payment can be captured$"):
                capturing.capture(actor=STAFF, payment_id=promised.pk, amount=rest)
        assert fake.asked.count(Act.CAPTURE) == 1

    def test_no_other_one_while_one_is_under_way(self, fake: FakeProvider, promised: Payment) -> None:
        fake.says(Act.CAPTURE, ConnectionError())
        with pytest.raises(ProviderUnavailable):
            capturing.capture(actor=STAFF, payment_id=promised.pk, amount=Decimal(40), idempotency_digest="a" * 64)
        for amount in (None, Decimal(10), Decimal(40)):
            with pytest.raises(CaptureUnderWay, match=r"^A capture of this payment is already under way"):
                capturing.capture(actor=STAFF, payment_id=promised.pk, amount=amount)
        assert fake.asked.count(Act.CAPTURE) == 1
        capturing.capture(actor=STAFF, payment_id=promised.pk, amount=Decimal(40), idempotency_digest="a" * 64)
        capturing.capture(actor=STAFF, payment_id=promised.pk)
        assert [call.amount for call in fake.calls if call.act == Act.CAPTURE] == [40, 40, 10]
        assert sorted(Capture.objects.values_list("amount", flat=True)) == [10, 40]

    def test_nothing_of_what_was_canceled(self, fake: FakeProvider, promised: Payment) -> None:
        cancellation.cancel(actor=SYSTEM, collection_id=promised.collection_id)
        for _ in range(2):
            with pytest.raises(NothingToCapture, match=r"^At most 0.00 usd"):
                capturing.capture(actor=STAFF, payment_id=promised.pk)
            for intent in Intent.objects.filter(done_at=None):
                intents.carry_out(intent.pk)
        assert today(promised).canceled_at is not None
        assert Act.CAPTURE not in fake.asked


class TestRefunding:
    def test_all_that_is_left_where_nothing_is_said(self, fake: FakeProvider, taken: Payment) -> None:
        reason = make.refund_reason()
        refunding.refund(actor=STAFF, payment_id=taken.pk, refund_reason_id=reason.pk, note="Cup broken")
        refund = Refund.objects.get()
        assert (refund.amount, refund.created_by, refund.note, refund.refund_reason_id) == (
            50,
            "user_01TEST",
            "Cup broken",
            reason.pk,
        )
        assert (refund.intent_id, fake.calls[-1].amount) == (fake.calls[-1].key, 50)
        collection = PaymentCollection.objects.get()
        assert (collection.refunded_amount, collection.captured_amount, collection.status) == (50, 50, "completed")
        assert today(taken).refunded_amount == 50

    def test_not_more_than_was_taken(self, fake: FakeProvider) -> None:
        payment = make.captured_payment(captured=30, provider_id=FAKE)
        with pytest.raises(NothingToRefund, match=r"^At most 30.00 usd of the payment can be refunded$"):
            refunding.refund(actor=STAFF, payment_id=payment.pk, amount=Decimal(31))
        refunding.refund(actor=STAFF, payment_id=payment.pk, amount=Decimal("29.99"))
        with pytest.raises(NothingToRefund, match=r"^At most 0.01 usd of the payment can be refunded$"):
            refunding.refund(actor=STAFF, payment_id=payment.pk, amount=Decimal("0.02"))
        refunding.refund(actor=STAFF, payment_id=payment.pk)
        with pytest.raises(NothingToRefund, match=r"^At most 0.00 usd"):
            refunding.refund(actor=STAFF, payment_id=payment.pk)

    def test_what_has_no_answer_is_not_asked_for_twice(self, fake: FakeProvider, taken: Payment) -> None:
        fake.says(Act.REFUND, ConnectionError())
        with pytest.raises(ProviderUnavailable):
            refunding.refund(actor=STAFF, payment_id=taken.pk, amount=Decimal(40))
        for amount in (Decimal("10.01"), Decimal(40)):
            with pytest.raises(NothingToRefund, match=r"^At most 10.00 usd"):
                refunding.refund(actor=STAFF, payment_id=taken.pk, amount=amount)
        intents.carry_out(Intent.objects.get(done_at=None).pk)
        refunding.refund(actor=STAFF, payment_id=taken.pk, amount=Decimal(10))
        with pytest.raises(NothingToRefund, match=r"^At most 0.00 usd"):
            refunding.refund(actor=STAFF, payment_id=taken.pk)

    def test_for_a_reason_that_is_there(self, fake: FakeProvider, taken: Payment) -> None:
        gone = make.refund_reason()
        gone.deleted_at = gone.created_at
        gone.save()
        for reason_id in (gone.pk, "refr_nobody", "\0", "x" * 5000, ""):
            with pytest.raises(UnknownRefundReason):
                refunding.refund(actor=STAFF, payment_id=taken.pk, refund_reason_id=reason_id)
        assert Act.REFUND not in fake.asked


Verb = Callable[..., None]


@pytest.mark.parametrize(
    ("verb", "act", "beyond"),
    [
        (capturing.capture, Act.CAPTURE, NothingToCapture),
        (refunding.refund, Act.REFUND, NothingToRefund),
    ],
    ids=["capture", "refund"],
)
class TestBoth:
    @pytest.fixture
    def payment(self, act: Act, promised: Payment, fake: FakeProvider) -> Payment:
        """50 dollars that can be moved."""
        if act == Act.REFUND:
            capturing.capture(actor=SYSTEM, payment_id=promised.pk)
        return promised

    def test_what_was_refused_can_be_asked_for_again(
        self, fake: FakeProvider, payment: Payment, verb: Verb, act: Act, beyond: type[DomainError]
    ) -> None:
        fake.says(act, Declined("Not today"))
        with pytest.raises(PaymentProviderRefused, match="Not today"):
            verb(actor=STAFF, payment_id=payment.pk)
        verb(actor=STAFF, payment_id=payment.pk)
        assert fake.asked[-2:] == [act, act]

    def test_the_same_key_moves_money_once(
        self, fake: FakeProvider, payment: Payment, verb: Verb, act: Act, beyond: type[DomainError]
    ) -> None:
        for _ in range(3):
            verb(actor=STAFF, payment_id=payment.pk, amount=Decimal(10), idempotency_digest="a" * 64)
        assert fake.asked.count(act) == 1
        verb(actor=STAFF, payment_id=payment.pk, amount=Decimal(10), idempotency_digest="b" * 64)
        verb(actor=STAFF, payment_id=payment.pk, amount=Decimal(10))
        assert fake.asked.count(act) == 3

    def test_a_key_continues_where_an_answer_was_lost(
        self, fake: FakeProvider, payment: Payment, verb: Verb, act: Act, beyond: type[DomainError]
    ) -> None:
        fake.loses_answers(act)
        with pytest.raises(ProviderUnavailable):
            verb(actor=STAFF, payment_id=payment.pk, amount=Decimal(10), idempotency_digest="a" * 64)
        verb(actor=STAFF, payment_id=payment.pk, amount=Decimal(10), idempotency_digest="a" * 64)
        assert [call.amount for call in fake.calls if call.act == act] == [10, 10]
        assert sum(type_of(act).objects.values_list("amount", flat=True)) == 10

    def test_a_key_of_another_payment_or_act(
        self, fake: FakeProvider, payment: Payment, verb: Verb, act: Act, beyond: type[DomainError]
    ) -> None:
        verb(actor=STAFF, payment_id=payment.pk, amount=Decimal(10), idempotency_digest="a" * 64)
        other = make.captured_payment(captured=20, provider_id=FAKE)
        with pytest.raises(KeyOfAnotherRequest):
            verb(actor=STAFF, payment_id=other.pk, amount=Decimal(10), idempotency_digest="a" * 64)
        opposite = refunding.refund if act == Act.CAPTURE else capturing.capture
        with pytest.raises(KeyOfAnotherRequest):
            opposite(actor=STAFF, payment_id=payment.pk, amount=Decimal(10), idempotency_digest="a" * 64)
        assert sum(type_of(act).objects.filter(payment=payment).values_list("amount", flat=True)) == 10

    def test_no_amount_that_cannot_be_paid(
        self, fake: FakeProvider, payment: Payment, verb: Verb, act: Act, beyond: type[DomainError]
    ) -> None:
        for amount in ("0", "-1", "-0.01", "0.001", "10.999", "NaN", "Infinity", "1e12", "-1e12"):
            with pytest.raises(InvalidData, match=r"[Ff]ield 'amount'"):
                verb(actor=STAFF, payment_id=payment.pk, amount=Decimal(amount))
        assert Intent.objects.filter(act=act).count() == 0

    @pytest.mark.parametrize("payment_id", ["pay_nobody", "", "\0", "x" * 5000])
    def test_no_payment_that_is_not_there(
        self, fake: FakeProvider, verb: Verb, act: Act, beyond: type[DomainError], payment_id: str
    ) -> None:
        with pytest.raises(PaymentNotFound):
            verb(actor=STAFF, payment_id=payment_id)

    def test_only_staff_who_may(
        self, fake: FakeProvider, payment: Payment, verb: Verb, act: Act, beyond: type[DomainError]
    ) -> None:
        other = "payments.add_refund" if act == Act.CAPTURE else "payments.add_capture"
        for actor in (staff_actor(), staff_actor(other, "payments.change_payment")):
            with pytest.raises(Forbidden, match=rf"^The permission 'payments.add_{act}' is required$"):
                verb(actor=actor, payment_id=payment.pk)
        assert act not in fake.asked


def type_of(act: Act) -> Any:
    return Capture if act == Act.CAPTURE else Refund


def test_only_staff_who_may_authorize(fake: FakeProvider) -> None:
    session = make.session(provider_id=FAKE)
    with pytest.raises(Forbidden, match=r"^The permission 'payments.change_paymentsession' is required$"):
        authorization.authorize(actor=STAFF, session_id=session.pk)
    authorization.authorize(actor=staff_actor("payments.change_paymentsession"), session_id=session.pk)
    assert Intent.objects.get(act=Act.AUTHORIZE).created_by == "user_01TEST"


def test_an_authorization_that_was_not_answered_is_continued(fake: FakeProvider) -> None:
    session = make.session(provider_id=FAKE)
    fake.says(Act.AUTHORIZE, ConnectionError())
    with pytest.raises(ProviderUnavailable):
        authorization.authorize(actor=SYSTEM, session_id=session.pk)
    authorization.authorize(actor=SYSTEM, session_id=session.pk)
    assert Intent.objects.filter(act=Act.AUTHORIZE).count() == 1
    assert len({call.key for call in fake.calls if call.act == Act.AUTHORIZE}) == 1


@pytest.mark.parametrize("session_id", ["payses_nobody", "", "\0", "x" * 5000])
def test_a_session_that_is_not_there(db: None, session_id: str) -> None:
    with pytest.raises(DomainError, match=r"^Payment session with id: .* was not found$"):
        authorization.authorize(actor=SYSTEM, session_id=session_id)
