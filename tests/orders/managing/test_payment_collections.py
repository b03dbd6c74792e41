"""What an order still has to pay is asked for, paid through a provider or recorded by hand, and follows the order."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest

from giftcards.verification.verification import discrepancies
from kit.domain.actor import SYSTEM
from orders.common.summary import pending_difference_of
from orders.managing import payment_collections
from orders.models import Order
from payments.models import Capture, Payment, PaymentCollection, PaymentSession
from payments.movements import capturing, refunding
from payments.providers.base import ProviderReport
from payments.requests.events import receive_event
from payments.sessions.starting import start_session
from payments.states import Act, SessionStatus
from tests.orders.managing.shop import history, refusal, staff, statuses, work
from tests.orders.payment.owing import asked, owing, second
from tests.orders.returns.shop import receive, request
from tests.payments.providers import FAKE, SIGNED, FakeProvider, event, switched_on

pytestmark = pytest.mark.django_db(transaction=True)
BY_HAND = payment_collections.BY_HAND


@pytest.fixture(autouse=True)
def fake(transactional_db: None, settings: Any) -> Iterator[FakeProvider]:
    with switched_on(settings) as made:
        yield made


def create(order: Order, amount: int = 18) -> str:
    return payment_collections.create(actor=staff(), order_id=order.pk, amount=Decimal(amount))


def started(order: Order) -> PaymentSession:
    found: PaymentSession = PaymentSession.objects.get(
        pk=start_session(actor=staff(), collection_id=second(order).pk, provider_id=FAKE)
    )
    return found


def authorize(order: Order, session: PaymentSession) -> bool:
    return payment_collections.authorize(actor=staff(), order_id=order.pk, session_id=session.pk)


def owed(order: Order) -> Decimal:
    order.refresh_from_db()
    return pending_difference_of(order)


def test_an_order_has_one_unpaid_collection() -> None:
    order = owing()
    made = create(order)
    assert (create(order), asked(order)) == (made, [(45, "completed"), (18, "not_paid")])
    assert (create(order, 10), asked(order)) == (made, [(45, "completed"), (10, "not_paid")])
    given = {"actor": staff(), "order_id": order.pk}
    above = "Field 'amount' must be at most what is outstanding of the order: 18.00 usd"
    assert refusal(payment_collections.create, amount=Decimal("18.01"), **given) == ("invalid_data", above)
    for amount in ("0", "-1"):
        assert refusal(payment_collections.create, amount=Decimal(amount), **given)[0] == "invalid_data"
    unknown = "Order with id: order_none was not found, given by field 'order_id'"
    assert refusal(payment_collections.create, actor=staff(), order_id="order_none", amount=Decimal(1))[1] == unknown
    assert list(discrepancies()) == []


def test_what_is_authorized_is_not_asked_for_again() -> None:
    order = owing(is_captured=False)
    assert (owed(order), statuses(order)[1]) == (63, "partially_authorized")
    assert (
        refusal(payment_collections.create, actor=staff(), order_id=order.pk, amount=Decimal(19))[0] == "invalid_data"
    )
    create(order)
    session = started(order)
    assert authorize(order, session)
    assert (owed(order), statuses(order)[1]) == (63, "authorized")
    for payment in Payment.objects.filter(collection__order_id=order.pk):
        capturing.capture(actor=SYSTEM, payment_id=payment.pk)
    assert (owed(order), statuses(order)[1]) == (0, "captured")
    assert list(discrepancies()) == []


def test_it_is_paid_through_a_provider(fake: FakeProvider) -> None:
    order = owing()
    create(order)
    session = started(order)
    assert (session.amount, session.context, fake.calls[-1].charge.cart_id) == (18, {}, None)
    assert started(order).pk == session.pk
    assert authorize(order, session)
    calls = len(fake.calls)
    assert authorize(order, session)
    assert len(fake.calls) == calls
    assert refusal(start_session, actor=staff(), collection_id=second(order).pk, provider_id=FAKE)[0] == "not_allowed"
    payment = Payment.objects.get(session=session)
    capturing.capture(actor=SYSTEM, payment_id=payment.pk)
    assert (owed(order), statuses(order)[1], asked(order)[1]) == (0, "captured", (18, "completed"))
    refunding.refund(actor=SYSTEM, payment_id=payment.pk, amount=Decimal(3))
    assert (owed(order), statuses(order)[1], order.allowance_total) == (0, "partially_refunded", 3)
    assert list(discrepancies()) == []


def test_the_event_of_a_provider_finds_its_order() -> None:
    order = owing()
    create(order)
    session = started(order)
    body = event("evt_1", session.pk, status="captured", authorized=18, captured=18)
    for _ in range(2):
        receive_event(provider_id=FAKE, body=body, headers=SIGNED)
    assert (owed(order), statuses(order)[1], asked(order)[1]) == (0, "captured", (18, "completed"))
    assert list(discrepancies()) == []


def test_a_session_that_lost_its_process_is_resumed(fake: FakeProvider) -> None:
    order = owing()
    create(order)
    session = started(order)
    fake.loses_answers(Act.AUTHORIZE)
    assert refusal(authorize, order=order, session=session)[0] == "unavailable"
    work()
    assert (statuses(order)[1], asked(order)[1]) == ("partially_captured", (18, "authorized"))


def test_marked_as_paid() -> None:
    order, actor = owing(), staff()
    made = create(order)
    given = {"actor": actor, "collection_id": made}
    payment_collections.mark_as_paid(order_id=order.pk, note="Transfer 4711", **given)
    assert (owed(order), statuses(order)[1], asked(order)[1]) == (0, "captured", (18, "completed"))
    assert history(order)[-1] == "Marked $18.00 as paid: Transfer 4711."
    capture = Capture.objects.get(payment__collection=made)
    assert (capture.amount, capture.created_by, capture.payment.provider_id) == (18, actor.id, BY_HAND)
    assert refusal(payment_collections.mark_as_paid, order_id=order.pk, **given)[0] == "not_allowed"
    assert Capture.objects.filter(payment__collection=made).count() == 1
    assert list(discrepancies()) == []


def test_what_is_not_marked_as_paid() -> None:
    order, other = owing(), owing()
    made = create(order)
    given = {"actor": staff(), "collection_id": made}
    mark = payment_collections.mark_as_paid
    assert "'order_id'" in refusal(mark, order_id=other.pk, **given)[1]
    assert "'provider_id'" in refusal(mark, order_id=order.pk, provider_id=FAKE, **given)[1]
    assert "'note'" in refusal(mark, order_id=order.pk, note="x" * 1001, **given)[1]
    session = started(order)
    authorize(order, session)
    assert refusal(mark, order_id=order.pk, **given)[0] == "not_allowed"
    assert statuses(order)[1] == "partially_captured"


def test_a_pending_session_is_canceled_when_the_money_came_otherwise(fake: FakeProvider) -> None:
    order = owing()
    made = create(order)
    session = started(order)
    payment_collections.mark_as_paid(actor=staff(), collection_id=made, order_id=order.pk)
    work()
    session.refresh_from_db()
    assert (session.status, fake.called_off) == ("canceled", {session.pk})
    assert (owed(order), list(discrepancies())) == (0, [])


def test_it_is_deleted_unless_it_holds_money() -> None:
    order = owing()
    made, first = create(order), PaymentCollection.objects.get(order_id=order.pk, cart__isnull=False)
    delete = payment_collections.delete
    assert refusal(delete, actor=staff(), collection_id=first.pk)[0] == "not_allowed"
    session = started(order)
    delete(actor=staff(), collection_id=made)
    session.refresh_from_db()
    assert (session.status, asked(order)) == ("canceled", [(45, "completed")])
    assert refusal(delete, actor=staff(), collection_id=made)[0] == "not_found"
    assert create(order) != made
    authorize(
        order,
        PaymentSession.objects.get(
            pk=start_session(
                actor=staff(),
                collection_id=PaymentCollection.objects.not_deleted().get(order_id=order.pk, cart=None).pk,
                provider_id=FAKE,
            )
        ),
    )
    assert list(discrepancies()) == []


def test_money_that_comes_for_a_deleted_collection_brings_it_back() -> None:
    order = owing()
    made = create(order)
    session = started(order)
    payment_collections.delete(actor=staff(), collection_id=made)
    body = event("evt_late", session.pk, status="captured", authorized=18, captured=18)
    receive_event(provider_id=FAKE, body=body, headers=SIGNED)
    work()
    assert (owed(order), statuses(order)[1], asked(order)[1]) == (0, "captured", (18, "completed"))
    assert list(discrepancies()) == []


def test_it_follows_what_is_outstanding(fake: FakeProvider) -> None:
    """The other unit comes back, too: nothing is left to pay, and the session is canceled."""
    order = owing()
    create(order)
    session = started(order)
    receive(request(order, 1), 1)
    session.refresh_from_db()
    assert (owed(order), session.status, asked(order)) == (-2, "canceled", [(45, "completed")])
    assert list(discrepancies()) == []


def test_an_announced_payment_is_waited_for(fake: FakeProvider) -> None:
    order = owing()
    made = create(order)
    session = started(order)
    fake.says(Act.AUTHORIZE, ProviderReport(SessionStatus.PENDING_AUTHORIZATION))
    assert not authorize(order, session)
    assert create(order) == made
    assert refusal(create, order=order, amount=17)[0] == "not_allowed"
    assert refusal(payment_collections.delete, actor=staff(), collection_id=made)[0] == "not_allowed"


def test_a_canceled_order_asks_for_nothing() -> None:
    order = owing()
    Order.objects.filter(pk=order.pk).update(canceled_at=order.created_at)
    assert "has been canceled" in refusal(create, order=order)[1]


def test_sessions_of_another_order_are_unknown() -> None:
    order, other = owing(), owing()
    create(order)
    session = started(order)
    message = refusal(authorize, order=other, session=session)[1]
    assert message == f"Payment session with id: {session.pk} was not found, given by field 'payment_session_id'"


def test_verify_ledger_finds_what_is_asked_twice_or_too_much() -> None:
    order = owing()
    made = create(order)
    PaymentCollection.objects.filter(pk=made).update(amount=Decimal("18.01"))
    [found] = discrepancies()
    asks = f"Order {order.display_id} asks for 18.01 by a payment collection, but only 18 is outstanding"
    assert found.replace("18.0100", "18.01").replace("18.0000", "18") == asks
    PaymentCollection.objects.filter(pk=made).update(amount=8)
    PaymentCollection.objects.create(order_id=order.pk, currency_id=order.currency_id, amount=10)
    assert list(discrepancies()) == [f"Order {order.display_id} has 2 unpaid payment collections without a cart"]
