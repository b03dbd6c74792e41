"""A process may be killed at any commit of a cancellation: the order is as it was, or all of it is canceled, once."""

import signal
import time
from typing import Any

import pytest

from carts.lines import line_change
from carts.models import Cart, LineItem
from giftcards.models import GiftCard
from giftcards.spending.cart_cards import add_card
from giftcards.verification.verification import discrepancies
from kit.domain.actor import SYSTEM
from kit.messages.mails.models import Mail
from orders.fulfillments.errors import OrderCanceled
from orders.managing import cancellation
from orders.models import Order
from payments.models import Payment
from payments.movements import capturing
from payments.states import Act
from tests.crash.interrupted_cancellations import (
    POINTS,
    WORKING,
    cancel_by_request,
    killed_at,
    request_killed,
    worker_killed_at,
)
from tests.crash.interrupted_payments import PATIENCE, PROVIDER
from tests.crash.journal_provider import Journal
from tests.crash.wishes import finish
from tests.factories.apikeys import secret_key
from tests.factories.carts import shopper
from tests.factories.checkout import checked_out_cart, pay, ready_cart, stocked
from tests.factories.giftcards import gift_card
from tests.factories.staff import UserFactory
from tests.orders.completing import order_of
from tests.orders.fulfillments.shop import books, pack
from tests.orders.managing.shop import open_requests, statuses, work
from tests.orders.refunds.shop import captured_payment
from tests.walks import sampled

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("point", sampled(POINTS))
def test_an_interrupted_cancellation_changes_nothing_or_everything(
    process_environment: dict[str, str], journal: Journal, point: str
) -> None:
    cart = checked_out_cart(stocked(5, 50))
    add_card(actor=shopper(), cart_id=cart.pk, code=gift_card(7).code)
    pay(cart)
    order = order_of(Cart.objects.get(pk=cart.pk))
    pack(order, 1)
    payment = Payment.objects.get(collection__order_id=order.pk)
    capturing.capture(actor=SYSTEM, payment_id=payment.pk)
    before = (books(order), statuses(order))
    assert killed_at(point, order.pk, process_environment) == -signal.SIGKILL
    if point == POINTS[-1]:
        check_sent_again(order)
    else:
        assert ((books(order), statuses(order)), open_requests()) == (before, [])
        assert not Mail.objects.filter(kind="order_canceled").exists()
        cancellation.cancel(actor=SYSTEM, order_id=order.pk)
    assert books(order) == ([(0, 0, 0)], [(5, 0)], "canceled")
    assert open_requests() == [("refund", payment.amount)]
    work()
    assert Mail.objects.filter(kind="order_canceled").count() == 1
    assert Mail.objects.filter(kind="order_refunded").count() == 2
    account = GiftCard.objects.get().guest_account
    assert (statuses(order)[1], account.credits - account.debits) == ("refunded", 7)
    assert journal.done(payment.session_id)[-2:] == [(Act.CAPTURE, payment.amount), (Act.REFUND, payment.amount)]
    assert list(discrepancies()) == []


@pytest.mark.parametrize("point", sampled(POINTS, start=1))
def test_an_authorization_is_voided_once(process_environment: dict[str, str], journal: Journal, point: str) -> None:
    order = order_of(ready_cart(stocked(5, 50)))
    session_id = Payment.objects.get(collection__order_id=order.pk).session_id
    before = (books(order), statuses(order))
    assert killed_at(point, order.pk, process_environment) == -signal.SIGKILL
    if point == POINTS[-1]:
        check_sent_again(order)
    else:
        assert ((books(order), statuses(order)), open_requests()) == (before, [])
        cancellation.cancel(actor=SYSTEM, order_id=order.pk)
    assert books(order) == ([(0, 0, 0)], [(5, 0)], "canceled")
    assert open_requests() == [("cancel", None)]
    work()
    assert (statuses(order), open_requests()) == (("canceled", "canceled", "canceled"), [])
    assert [act for act, _ in journal.done(session_id)].count(Act.CANCEL) == 1
    assert list(discrepancies()) == []


def test_a_request_that_had_no_response_is_sent_again(process_environment: dict[str, str], journal: Journal) -> None:
    order = order_of(ready_cart(stocked(5, 50)))
    request = (order.pk, "cancel-once", secret_key(UserFactory(is_superuser=True)).token)
    assert request_killed(*request, process_environment) == -signal.SIGKILL
    before = (books(order), statuses(order), order.version, open_requests())
    assert before[1][0] == "canceled"
    responses = [cancel_by_request(*request) for _ in range(2)]
    assert [response.status_code for response in responses] == [200, 200]
    assert responses[0].content == responses[1].content
    assert (books(order), statuses(order), order.version, open_requests()) == before
    assert Mail.objects.filter(kind="order_canceled").count() == 1


@pytest.mark.parametrize("point", sampled(WORKING))
def test_a_worker_that_dies_between_two_payments(
    process_environment: dict[str, str], journal: Journal, point: str
) -> None:
    """Of one order, one payment is to be refunded, another to be voided."""
    cart = checked_out_cart(stocked(5, 30))
    captured = captured_payment(cart, provider_id=PROVIDER)
    line = LineItem.objects.get(cart=cart)
    line_change.change(actor=shopper(), cart_id=cart.pk, line_id=line.pk, quantity=2)
    authorized = pay(cart)
    order = order_of(cart)
    cancellation.cancel(actor=SYSTEM, order_id=order.pk)
    assert open_requests() == [("refund", 35), ("cancel", None)]
    time.sleep(PATIENCE.total_seconds())
    assert worker_killed_at(point, process_environment) == -signal.SIGKILL
    sent = WORKING.index(point)
    assert [len(moved(journal, each)) for each in (captured.session_id, authorized.pk)] == [min(sent, 1), 0]
    finish()
    assert moved(journal, captured.session_id) == [(Act.REFUND, 35)]
    assert moved(journal, authorized.pk) == [(Act.CANCEL, None)]
    assert journal.asked(captured.session_id)[Act.REFUND] == 1 + (sent in (1, 2))
    assert journal.asked(authorized.pk)[Act.CANCEL] == 1
    assert statuses(order) == ("canceled", "refunded", "canceled")
    assert order.refunded_total == 35
    assert Mail.objects.filter(kind="order_refunded").count() == 1
    assert list(discrepancies()) == []


def check_sent_again(order: Order) -> None:
    """The cancellation is refused, and nothing changes."""
    before = (books(order), statuses(order), order.version, open_requests(), Mail.objects.count())
    with pytest.raises(OrderCanceled):
        cancellation.cancel(actor=SYSTEM, order_id=order.pk)
    assert (books(order), statuses(order), order.version, open_requests(), Mail.objects.count()) == before


def moved(journal: Journal, session_id: str) -> list[tuple[Act, Any]]:
    """What the provider has given back or called off."""
    return [(act, amount) for act, amount in journal.done(session_id) if act in (Act.REFUND, Act.CANCEL)]
