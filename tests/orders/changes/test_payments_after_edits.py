"""What is captured, packed and paid of an order after its edits, with a provider that is asked between transactions."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from carts.lines.lines import NewLineItem
from carts.models import Cart
from giftcards.spending.cart_cards import add_card
from orders.admin.to_do import Task, tasks_of
from orders.changes.added_lines import NewItem
from orders.changes.editing import edit
from orders.changes.items import LineChange
from orders.fulfillments import shipping
from orders.fulfillments.errors import OrderNotPaid
from orders.managing import cancellation, payment_collections
from orders.models import Order
from payments.models import Intent, Payment, PaymentCollection, PaymentSession
from payments.movements.capturing import capturable_amount, capture, captures_of_order
from payments.requests.events import receive_event
from payments.sessions.authorization import authorize
from payments.sessions.starting import start_session
from payments.states import Act
from tests.factories.carts import selling_region, shopper
from tests.factories.checkout import checked_out_cart, pay
from tests.factories.giftcards import gift_card
from tests.orders.changes.shop import goods, line, outcome
from tests.orders.completing import order_of
from tests.orders.fulfillments.shop import STAFF, ordered, pack
from tests.orders.managing.shop import refusal, staff, work
from tests.orders.refunds.shop import refund
from tests.payments.providers import FAKE, SIGNED, FakeProvider, event, switched_on

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def fake(transactional_db: None, settings: Any) -> Iterator[FakeProvider]:
    with switched_on(settings) as made:
        yield made


def authorized_a() -> Order:
    """2 mugs at 10.00, a tee at 25.00 and post of 5.00, at 20 % on top: 60.00."""
    pieces = ((goods("mug", 10, in_stock=None), 2), (goods("tee", 25, in_stock=None), 1))
    return ordered(*pieces, region_id=selling_region(tax_rate=20).pk, provider_id=FAKE)


def pay_rest(order: Order) -> None:
    """Authorize what the order's second collection asks for."""
    asked = PaymentCollection.objects.not_deleted().get(order_id=order.pk, cart=None)
    authorize(actor=STAFF, session_id=start_session(actor=STAFF, collection_id=asked.pk, provider_id=FAKE))


def change(order: Order, title: str, quantity: int) -> None:
    edit(actor=STAFF, order_id=order.pk, changed_items=[LineChange(line(order, title).pk, quantity, None, {})])


def add_scarf(order: Order, price: int) -> None:
    edit(actor=STAFF, order_id=order.pk, added_items=[NewItem(goods("scarf", price, in_stock=None).pk, 1)])


def is_packable(order: Order) -> bool:
    """Whether a tee can be packed, and staff are told to."""
    is_listed = Task.PACK in tasks_of([order.pk])[order.pk]
    with transaction.atomic():
        try:
            pack(order, 0, 1)
        except OrderNotPaid:
            assert not is_listed
            return False
        transaction.set_rollback(True)
    assert is_listed
    return True


def with_two_payments() -> Order:
    """An order of 60.00 with payments of 60.00 and 18.00 that are authorized: a scarf was added and removed again."""
    order = authorized_a()
    add_scarf(order, 15)
    pay_rest(order)
    change(order, "scarf", 0)
    assert outcome(order)[:3] == ("60.00", "60.00", "authorized")
    return order


def test_shipping_captures_no_more_than_is_due_of_two_payments(settings: Any) -> None:
    settings.CAPTURE_ON = "ship"
    order = with_two_payments()
    assert captures_of_order(order.pk) == [60]
    shipping.ship(actor=STAFF, fulfillment_id=pack(order, 2, 1).pk)
    assert captures_of_order(order.pk) == []
    assert list(Intent.objects.filter(act=Act.CAPTURE).values_list("amount", flat=True)) == [60]
    assert [capturable_amount(payment) for payment in Payment.objects.order_by("pk")] == [0, 0]
    work(2)
    assert outcome(order)[:3] == ("60.00", "0.00", "captured")
    first, second = Payment.objects.order_by("pk")
    assert (first.captured_amount, second.captured_amount) == (60, 0)
    assert second.canceled_at is not None


def test_goods_wait_until_the_rest_is_paid_after_a_refund() -> None:
    order = authorized_a()
    capture(actor=STAFF, payment_id=Payment.objects.get().pk)
    change(order, "mug", 1)
    refund(order, 12)
    assert is_packable(order)
    add_scarf(order, 10)
    assert outcome(order)[:3] == ("60.00", "12.00", "partially_refunded")
    assert not is_packable(order)
    pay_rest(order)
    assert outcome(order)[:3] == ("60.00", "12.00", "partially_refunded")
    assert is_packable(order)


def paid_by_card(amount: int) -> Order:
    """The same goods; a gift card pays so much of the 60.00."""
    pieces = (NewLineItem(goods("mug", 10, in_stock=None).pk, 2), NewLineItem(goods("tee", 25, in_stock=None).pk, 1))
    cart = checked_out_cart(*pieces, region_id=selling_region(tax_rate=20).pk, provider_id=FAKE)
    add_card(actor=shopper(), cart_id=cart.pk, code=gift_card(amount).code)
    if amount < 60:
        pay(Cart.objects.get(pk=cart.pk), provider_id=FAKE)
    return order_of(Cart.objects.get(pk=cart.pk))


def test_goods_that_a_card_pays_leave_once_the_payment_is_refunded() -> None:
    """50.00 by a card, 10.00 by a payment, and a tee of 30.00 is removed: 30.00 of the card pay for the mugs."""
    order = paid_by_card(50)
    capture(actor=STAFF, payment_id=Payment.objects.get(collection__order_id=order.pk).pk)
    change(order, "tee", 0)
    refund(order, 30)
    work(2)
    assert outcome(order)[:3] == ("0.00", "0.00", "refunded")
    assert tasks_of([order.pk])[order.pk] == [Task.PACK, Task.INVOICE]
    assert pack(order, 2).pk


def test_nothing_leaves_once_all_is_refunded_out_of_goodwill() -> None:
    order = authorized_a()
    capture(actor=STAFF, payment_id=Payment.objects.get().pk)
    refund(order, 60)
    assert outcome(order)[1:3] == ("0.00", "refunded")
    assert not is_packable(order)


def test_goods_wait_until_the_rest_is_paid_after_a_refund_to_a_card() -> None:
    order = paid_by_card(60)
    change(order, "mug", 1)
    refund(order, 12)
    assert is_packable(order)
    add_scarf(order, 10)
    assert outcome(order)[:3] == ("0.00", "12.00", "captured")
    assert not is_packable(order)
    with pytest.raises(OrderNotPaid, match=r"status is captured, and 12\.00 usd is outstanding"):
        pack(order, 1)


def test_goods_leave_after_a_refund_out_of_goodwill() -> None:
    order = authorized_a()
    capture(actor=STAFF, payment_id=Payment.objects.get().pk)
    refund(order, 5)
    assert outcome(order)[:3] == ("60.00", "0.00", "partially_refunded")
    assert is_packable(order)


def test_no_collection_of_a_canceled_order_is_paid() -> None:
    order = authorized_a()
    add_scarf(order, 15)
    cancellation.cancel(actor=staff(), order_id=order.pk)
    work(2)
    assert outcome(order)[1:3] == ("0.00", "canceled")
    for collection in PaymentCollection.objects.filter(order_id=order.pk):
        refused = refusal(start_session, actor=STAFF, collection_id=collection.pk, provider_id=FAKE)
        assert refused == ("not_allowed", "The payment collection was canceled with its order")
    [session] = PaymentSession.objects.all()
    given = {"actor": STAFF, "order_id": order.pk, "session_id": session.pk}
    assert refusal(payment_collections.authorize, **given)[0] == "invalid_data"


def test_marking_as_paid_locks_no_cart_after_its_order() -> None:
    """The provider has voided the payment of the cart's collection; a form has locked the order."""
    order = authorized_a()
    session = PaymentSession.objects.get()
    receive_event(provider_id=FAKE, body=event("evt_1", session.pk, status="canceled"), headers=SIGNED)
    actor = staff()
    with CaptureQueriesContext(connection) as seen:
        payment_collections.mark_as_paid(actor=actor, order_id=order.pk, collection_id=session.collection_id)
    assert [query["sql"] for query in seen if "carts_cart" in query["sql"]] == []
    assert outcome(order)[:3] == ("60.00", "0.00", "captured")
