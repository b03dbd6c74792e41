"""A process may be killed at any commit of a cancellation: the order is as it was, or all of it is canceled, once."""

import signal

import pytest

from carts.models import Cart
from commerce.kit.core.actor import SYSTEM
from commerce.kit.mails.models import Mail
from giftcards.cart_cards import add_card
from giftcards.models import GiftCard
from giftcards.verification import discrepancies
from orders.managing import cancellation
from payments import capturing
from payments.models import Payment
from payments.states import Act
from tests.crash.interrupted_cancellations import POINTS, killed_at
from tests.crash.journal_provider import Journal
from tests.factories.carts import shopper
from tests.factories.checkout import checked_out_cart, pay, ready_cart, stocked
from tests.factories.giftcards import gift_card
from tests.orders.completing import order_of
from tests.orders.fulfillments.shop import books, pack
from tests.orders.managing.shop import open_requests, statuses, work

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("point", POINTS)
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
    if point != POINTS[-1]:
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


@pytest.mark.parametrize("point", POINTS)
def test_an_authorization_is_voided_once(process_environment: dict[str, str], journal: Journal, point: str) -> None:
    order = order_of(ready_cart(stocked(5, 50)))
    session_id = Payment.objects.get(collection__order_id=order.pk).session_id
    before = (books(order), statuses(order))
    assert killed_at(point, order.pk, process_environment) == -signal.SIGKILL
    if point != POINTS[-1]:
        assert ((books(order), statuses(order)), open_requests()) == (before, [])
        cancellation.cancel(actor=SYSTEM, order_id=order.pk)
    assert books(order) == ([(0, 0, 0)], [(5, 0)], "canceled")
    assert open_requests() == [("cancel", None)]
    work()
    assert (statuses(order), open_requests()) == (("canceled", "canceled", "canceled"), [])
    assert [act for act, _ in journal.done(session_id)].count(Act.CANCEL) == 1
    assert list(discrepancies()) == []
