"""Orders that are canceled while others cancel, pack, ship and capture."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from carts.details import promotion_codes
from carts.models import Cart, Promotion
from giftcards.models import GiftCard
from giftcards.spending.cart_cards import add_card
from giftcards.verification.verification import discrepancies
from kit.domain.actor import SYSTEM
from orders.fulfillments import shipping
from orders.managing import cancellation
from orders.models import Order
from payments.models import Payment
from payments.movements import capturing
from tests.concurrency.crowd import at_once
from tests.concurrency.outcomes import outcome
from tests.factories.carts import PromotionFactory, shopper
from tests.factories.checkout import checked_out_cart, pay, stocked
from tests.factories.giftcards import gift_card
from tests.orders.completing import order_of
from tests.orders.fulfillments.shop import books, events, ordered, pack
from tests.orders.managing.shop import statuses, work
from tests.payments.providers import FAKE, FakeProvider, switched_on

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.postgresql,
    pytest.mark.usefixtures("seen_deadlocks"),
]


@pytest.fixture
def fake(transactional_db: None, settings: Any) -> Iterator[FakeProvider]:
    with switched_on(settings) as made:
        yield made


def cancel(order: Order) -> str:
    return outcome(lambda: cancellation.cancel(actor=SYSTEM, order_id=order.pk))


def test_of_six_cancellations_at_once_one_succeeds() -> None:
    PromotionFactory(code="ONCE")
    cart = checked_out_cart(stocked(5, 50))
    promotion_codes.add(actor=shopper(), cart_id=cart.pk, promo_codes=["ONCE"])
    add_card(actor=shopper(), cart_id=cart.pk, code=gift_card(7).code)
    pay(cart)
    order = order_of(Cart.objects.get(pk=cart.pk))
    pack(order, 1)
    assert Counter(at_once(lambda _: cancel(order), threads=6)) == {"done": 1, "OrderCanceled": 5}
    assert books(order) == ([(0, 0, 0)], [(5, 0)], "canceled")
    assert [name for name, _ in events(order)].count("order.canceled") == 1
    assert Promotion.objects.get().used == 0
    account = GiftCard.objects.get().guest_account
    assert account.credits - account.debits == 7
    assert list(discrepancies()) == []


def test_orders_of_the_same_goods_are_canceled_and_packed_at_once() -> None:
    """The goods are at two locations, and the orders' fulfillments leave them in both orders."""
    first, second = stocked(20), stocked(20)
    orders = [ordered((first, 3), (second, 3)) for _ in range(4)]
    for number, order in enumerate(orders):
        for units in ((1, 0), (0, 1)) if number % 2 else ((0, 1), (1, 0)):
            pack(order, *units)

    def one(number: int) -> str:
        order = orders[number % 4]
        return cancel(order) if number < 4 else outcome(lambda: pack(order, 1, actor=SYSTEM))

    seen = at_once(one, threads=8)
    assert seen[:4] == ["done"] * 4
    assert set(seen[4:]) <= {"done", "OrderCanceled"}
    for order in orders:
        assert statuses(order) == ("canceled", "canceled", "canceled")
    assert books(orders[0]).stock == [(20, 0), (20, 0)]
    assert list(discrepancies()) == []


def test_shipped_or_canceled_but_not_both() -> None:
    order = ordered()
    made = pack(order, 2)

    def one(number: int) -> str:
        ship = lambda: shipping.ship(actor=SYSTEM, fulfillment_id=made.pk)  # noqa: E731 - for outcome
        return outcome(ship) if number % 2 else cancel(order)

    assert at_once(one, threads=6).count("done") == 1
    made.refresh_from_db()
    order.refresh_from_db()
    assert (made.shipped_at is None) == order.is_canceled
    assert list(discrepancies()) == []


def test_what_is_captured_meanwhile_is_refunded(fake: FakeProvider) -> None:
    order = ordered(provider_id=FAKE)
    payment = Payment.objects.get(collection__order_id=order.pk)

    def one(number: int) -> str:
        capture = lambda: capturing.capture(actor=SYSTEM, payment_id=payment.pk)  # noqa: E731 - for outcome
        return outcome(capture) if number % 2 else cancel(order)

    seen = at_once(one, threads=4)
    assert seen[::2].count("done") == 1
    work(3)
    payment.refresh_from_db()
    assert payment.captured_amount == payment.refunded_amount
    assert payment.captured_amount == sum(fake.taken[payment.session_id].values())
    assert statuses(order)[1] == ("refunded" if payment.captured_amount else "canceled")
    assert list(discrepancies()) == []
