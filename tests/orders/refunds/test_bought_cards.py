"""Refunding orders of gift cards."""

from decimal import Decimal

import pytest

from carts.lines.lines import NewLineItem
from giftcards.cards.redemption import redeem
from giftcards.models import GiftCard
from giftcards.states import CardStatus
from giftcards.verification.verification import discrepancies
from orders.models import Order
from orders.refunds.errors import BoughtCardsSpendable
from payments.errors import NothingToRefund
from payments.movements import capturing, refunding
from tests.factories.actors import staff_actor
from tests.factories.carts import cart, shopper
from tests.factories.customers import CustomerFactory
from tests.factories.giftcards import redeemer
from tests.factories.orders import order as order_of
from tests.factories.payments import PROVIDER
from tests.orders.managing.shop import refusal
from tests.orders.placed import gift
from tests.orders.refunds.shop import payment_of, refund

pytestmark = pytest.mark.django_db


def gift_order(*, captured: bool = True) -> Order:
    """Of a gift card of 50."""
    made = cart(NewLineItem(gift().pk, 1), actor=shopper(), email="ann@example.com")
    made.region.payment_providers.add(PROVIDER)
    order = order_of(cart=made, captured=False)
    if captured:
        capturing.capture(actor=staff_actor("payments.add_capture"), payment_id=payment_of(order).pk)
        order.refresh_from_db()
    return order


def test_the_price_of_a_card_is_refunded_whole_and_cancels_it() -> None:
    order = gift_order()
    with pytest.raises(BoughtCardsSpendable, match=r"at most 0\.00 usd .* or all 50\.00 usd, which cancels them"):
        refund(order, 20)
    with pytest.raises(NothingToRefund):
        refunding.refund(actor=staff_actor("payments.add_refund"), payment_id=payment_of(order).pk, amount=Decimal(50))
    assert GiftCard.objects.get().status == CardStatus.PENDING
    refund(order, 50)
    assert (GiftCard.objects.get().status, order.payment_status) == (CardStatus.CANCELED, "refunded")
    assert list(discrepancies()) == []


def test_that_of_a_redeemed_card_is_not_refunded() -> None:
    order = gift_order()
    customer = CustomerFactory(has_account=True)
    redeem(actor=redeemer(customer), id_or_code=GiftCard.objects.get().code)
    kind, message = refusal(refund, order=order, amount=50)
    assert (kind, "redeemed" in message) == ("not_allowed", True)
    order.refresh_from_db()
    assert (order.refunded_total, order.payment_status) == (0, "captured")


def test_cards_are_issued_although_something_was_refunded_before_the_last_capture() -> None:
    order = gift_order(captured=False)
    capture = {"actor": staff_actor("payments.add_capture"), "payment_id": payment_of(order).pk}
    capturing.capture(**capture, amount=Decimal(30))
    order.refresh_from_db()
    refund(order, 5)
    assert not GiftCard.objects.exists()
    capturing.capture(**capture)
    order.refresh_from_db()
    assert (order.payment_status, GiftCard.objects.get().value) == ("partially_refunded", 50)
