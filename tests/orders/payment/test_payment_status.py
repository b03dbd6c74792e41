"""Each row of the table of payment statuses, reached by verbs and by what a provider reports.

The order is one of goods at 20 each and shipping of 5. Its stored status is also what verify_ledger calculates.
"""

from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

import pytest

from carts.lines.lines import NewLineItem
from carts.models import Cart
from giftcards.spending.cart_cards import add_card
from giftcards.verification.verification import discrepancies
from kit.domain.actor import SYSTEM
from orders.common.summary import balance_of, outstanding, pending_difference
from orders.fulfillments import delivery
from orders.managing import cancellation
from orders.managing.status_recomputing import Recomputed, recompute
from orders.models import Order
from orders.payment.order_payments import payment_state_of
from orders.returns import cancellation as return_cancellation
from orders.returns.creation import ReturnDetails
from orders.returns.shipping import ReturnShipping
from payments.models import Payment, PaymentCollection, PaymentSession
from payments.movements import capturing, refunding
from payments.providers.base import Declined, ProviderReport
from payments.requests.events import receive_event
from payments.states import Act, SessionStatus
from tests.factories.carts import shopper, sold_variant
from tests.factories.checkout import checked_out_cart, pay
from tests.factories.fulfillment import option
from tests.factories.giftcards import gift_card
from tests.orders.completing import order_of
from tests.orders.fulfillments.shop import pack
from tests.orders.managing.shop import work
from tests.orders.returns.shop import receive, request
from tests.payments.providers import FAKE, SIGNED, FakeProvider, event, switched_on

pytestmark = pytest.mark.django_db(transaction=True)


class Shop:
    """What an order's provider is asked for and reports."""

    def __init__(self, fake: FakeProvider) -> None:
        self.fake = fake

    def order(self, *, units: int = 1, authorizes: ProviderReport | None = None, card: int = 0) -> Order:
        """authorizes: the provider's answer when the cart is completed; it agrees by default. card: pays so much."""
        if authorizes is not None:
            self.fake.says(Act.AUTHORIZE, authorizes)
        cart = checked_out_cart(NewLineItem(sold_variant(20).pk, units), provider_id=FAKE)
        if card:
            add_card(actor=shopper(), cart_id=cart.pk, code=gift_card(card).code)
        if card < cart.total:
            pay(Cart.objects.get(pk=cart.pk), provider_id=FAKE)
        return order_of(Cart.objects.get(pk=cart.pk))

    def announced(self) -> Order:
        """An order whose provider has promised an answer."""
        return self.order(authorizes=ProviderReport(SessionStatus.PENDING_AUTHORIZATION))

    def captured(self, *amounts: int, units: int = 1) -> Order:
        """An order of which these amounts are captured, one by one."""
        order = self.order(units=units)
        for amount in amounts:
            capturing.capture(actor=SYSTEM, payment_id=payment_of(order).pk, amount=Decimal(amount))
        return order

    def refunded(self, captured: int, *amounts: int) -> Order:
        order = self.captured(captured)
        for amount in amounts:
            refunding.refund(actor=SYSTEM, payment_id=payment_of(order).pk, amount=Decimal(amount))
        return order

    def report(self, order: Order, status: str, **amounts: int) -> Order:
        session = PaymentSession.objects.get(collection__order_id=order.pk)
        body = event(f"evt_{status}", session.pk, status=status, **amounts)
        receive_event(provider_id=FAKE, body=body, headers=SIGNED)
        return order

    def canceled(self, order: Order) -> Order:
        cancellation.cancel(actor=SYSTEM, order_id=order.pk)
        return order

    def returned(self, *captured: int) -> Order:
        """One unit of two was returned, so that 25 of 45 remain to be paid."""
        order = self.captured(*captured, units=2)
        deliver_all(order, 2)
        receive(request(order, 1), 1)
        return order


@pytest.fixture
def shop(transactional_db: None, settings: Any) -> Iterator[Shop]:
    with switched_on(settings) as fake:
        yield Shop(fake)


def payment_of(order: Order) -> Payment:
    found: Payment = Payment.objects.get(collection__order_id=order.pk)
    return found


def deliver_all(order: Order, units: int) -> None:
    delivery.deliver(actor=SYSTEM, fulfillment_id=pack(order, units).pk)


def return_way(price: int) -> ReturnShipping:
    return ReturnShipping(option(price, rules=[("is_return", "eq", "true")]).pk)


def declined_refund(shop: Shop) -> Order:
    """Canceled after the capture; the provider refuses to return the money, and is asked again later."""
    order = shop.captured(25)
    shop.fake.says(Act.REFUND, Declined("Later"))
    shop.canceled(order)
    work()
    return order


def refunded_cancellation(shop: Shop) -> Order:
    order = shop.canceled(shop.captured(25))
    work()
    return order


TABLE: dict[str, list[Callable[[Shop], Order]]] = {
    "canceled": [lambda shop: shop.canceled(shop.order()), lambda shop: shop.canceled(shop.announced())],
    "refunded": [
        lambda shop: shop.refunded(25, 25),
        lambda shop: shop.refunded(10, 4, 6),
        refunded_cancellation,
    ],
    "partially_refunded": [
        lambda shop: shop.refunded(25, 5),
        lambda shop: shop.refunded(10, 5),
        lambda shop: shop.report(shop.refunded(10, 5), "authorized", authorized=25, captured=25, refunded=5),
    ],
    "captured": [
        lambda shop: shop.captured(25),
        lambda shop: shop.captured(10, 15),
        lambda shop: shop.order(card=25),
        lambda shop: shop.returned(25),
        declined_refund,
    ],
    "partially_captured": [
        lambda shop: shop.captured(24),
        lambda shop: shop.returned(24),
        lambda shop: shop.report(shop.captured(10), "canceled"),
    ],
    "requires_action": [lambda shop: shop.report(shop.announced(), "requires_more")],
    "authorized": [lambda shop: shop.order(), lambda shop: shop.report(shop.announced(), "authorized", authorized=25)],
    "partially_authorized": [lambda shop: shop.report(shop.announced(), "authorized", authorized=24)],
    "awaiting": [lambda shop: shop.announced(), lambda shop: shop.report(shop.announced(), "pending")],
    "not_paid": [
        lambda shop: shop.report(shop.order(), "canceled"),
        lambda shop: shop.report(shop.announced(), "error"),
        lambda shop: shop.report(shop.announced(), "canceled"),
    ],
}


@pytest.mark.parametrize(
    ("status", "reach"),
    [
        pytest.param(status, reach, id=f"{status}-{number}")
        for status, ways in TABLE.items()
        for number, reach in enumerate(ways)
    ],
)
def test_each_row_of_the_table(shop: Shop, status: str, reach: Callable[[Shop], Order]) -> None:
    order = reach(shop)
    order.refresh_from_db()
    assert order.payment_status == status
    assert list(discrepancies()) == []


def test_a_total_above_the_collection_is_not_paid_by_it(shop: Shop) -> None:
    """The shipping of a return costs more than the unit that came back: 45 - 20 + 38."""
    for captured, status in ((45, "partially_captured"), (0, "partially_authorized")):
        order = shop.captured(*[captured] * bool(captured), units=2)
        deliver_all(order, 2)
        receive(request(order, 1, details=ReturnDetails(shipping=return_way(38))), 1)
        order.refresh_from_db()
        assert (order.total, order.payment_status) == (63, status)
        assert outstanding(pending_difference(balance_of(order)), payment_state_of(order.pk).held) == 18_0000
    assert list(discrepancies()) == []


@pytest.mark.parametrize(
    ("difference", "held", "left"), [(18, 0, 18), (78, 60, 18), (48, 60, 0), (0, 0, 0), (-12, 0, 0), (-12, 20, 0)]
)
def test_outstanding(difference: int, held: int, left: int) -> None:
    assert outstanding(difference, held) == left


def test_an_order_without_a_collection_is_not_paid(shop: Shop) -> None:
    order = shop.order()
    PaymentCollection.objects.filter(order_id=order.pk).update(order_id=None)
    assert list(recompute()) == [Recomputed(1, 1)]
    order.refresh_from_db()
    assert order.payment_status == "not_paid"
    assert [each for each in discrepancies() if "status" in each] == []


def test_return_shipping_is_due_from_the_first_receipt_on(shop: Shop) -> None:
    """A return that is requested and canceled again leaves the status as it is without it."""
    order = shop.captured(25, units=3)
    deliver_all(order, 3)
    receive(request(order, 1), 1)
    canceled = request(order, 1, details=ReturnDetails(shipping=return_way(5)))
    receive(request(order, 1), 1)
    order.refresh_from_db()
    assert (order.total, order.return_shipping_due, order.payment_status) == (30, 5, "captured")
    return_cancellation.cancel(actor=SYSTEM, return_id=canceled.pk)
    order.refresh_from_db()
    assert (order.total, order.return_shipping_due, order.payment_status) == (25, 0, "captured")
    assert list(discrepancies()) == []
