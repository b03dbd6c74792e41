"""`verify_ledger` is silent about what completion and payments write, and names each thing that they never would."""

from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

import pytest

from carts.checkout.closing import close_cart, reopen_cart
from carts.details import promotion_codes
from carts.models import Cart, Promotion, PromotionUsage
from catalog.models import Reservation
from giftcards.models import CreditHold, Transaction
from giftcards.spending.cart_cards import add_card
from giftcards.verification.verification import discrepancies, sizes
from kit.domain.actor import SYSTEM
from kit.errors import Unavailable
from kit.values.timestamps import now
from orders.models import CompletionAttempt, OrderCreditLine, OrderLineItem, OrderNumber, OrderTransaction, RefundPart
from payments.models import Capture, Payment, PaymentCollection
from payments.movements import capturing, refunding
from payments.states import Act
from tests.factories.carts import PromotionFactory, shopper
from tests.factories.checkout import checked_out_cart, pay, stocked
from tests.factories.giftcards import gift_card
from tests.giftcards.books import unguarded
from tests.orders.completing import completed, order_of
from tests.payments.providers import FAKE, FakeProvider, switched_on

pytestmark = pytest.mark.django_db(transaction=True)


class Shop:
    """Two orders, the first captured and partly refunded, and a cart whose provider is silent; all pay with cards."""

    def __init__(self, fake: FakeProvider) -> None:
        self.variant = stocked(5, 30)
        self.promotion: Promotion = PromotionFactory(code="TENTH")
        self.first, self.second = order_of(self.cart()), order_of(self.cart())
        payment = Payment.objects.get(collection__order_id=self.first.pk)
        capturing.capture(actor=SYSTEM, payment_id=payment.pk)
        refunding.refund(actor=SYSTEM, payment_id=payment.pk, amount=Decimal(4))
        self.first.refresh_from_db()
        fake.loses_answers(Act.AUTHORIZE)
        self.open_cart = self.cart()
        with pytest.raises(Unavailable):
            completed(self.open_cart)
        self.attempt: CompletionAttempt = CompletionAttempt.objects.get(status="open")

    def cart(self) -> Cart:
        """Goods of 27 and shipping of 5; a card pays 7."""
        cart = checked_out_cart(self.variant, provider_id=FAKE)
        promotion_codes.add(actor=shopper(), cart_id=cart.pk, promo_codes=["TENTH"])
        add_card(actor=shopper(), cart_id=cart.pk, code=gift_card(7).code)
        pay(cart, provider_id=FAKE)
        return Cart.objects.get(pk=cart.pk)


@pytest.fixture
def shop(transactional_db: None, settings: Any) -> Iterator[Shop]:
    with switched_on(settings) as fake:
        yield Shop(fake)


def change(row: Any, **values: Any) -> None:
    """By hand, past the verbs."""
    type(row)._base_manager.filter(pk=row.pk).update(**values)


def plain(value: object) -> str:
    """As text without the four zeros that some databases write at the end of an amount."""
    return str(value).replace(".0000", "")


def named() -> list[str]:
    return [plain(sentence) for sentence in discrepancies()]


def test_what_the_verbs_write_agrees(shop: Shop) -> None:
    assert (shop.first.paid_total, shop.first.refunded_total) == (25, 4)
    assert list(discrepancies()) == []
    assert sizes()["orders"] == 2


def a_total_is_changed(shop: Shop) -> list[str]:
    change(shop.first, total=24)
    return [
        "Order 1 has a total of 31, but its parts add up to 32",
        (
            "Order 1 has a total of 31, 35 before and 0 of tax, "
            "but its goods and shipping add up to 32, 35 before and 0 of tax"
        ),
    ]


def a_line_is_changed(shop: Shop) -> list[str]:
    line = shop.first.items.get()
    change(line, total=28)
    return [
        "Order 1 has goods of 27, but its lines add up to 28, 30 before and 0 of tax",
        f"Line {line.pk} of order 1 has a total of 28 with 0 of 1 units returned, but was placed with 27",
        f"Line {line.pk} of order 1 can be refunded 27 of 28 with 0 units requested for return",
        "Order 1 has 0 of requested returns, but its lines hold 1",
    ]


def a_shipping_method_is_gone(shop: Shop) -> list[str]:
    change(shop.first.shipping_methods.get(), deleted_at=now())
    return ["Order 1 has shipping of 5, but its methods add up to 0, 0 before and 0 of tax"]


def a_credit_line_is_changed(shop: Shop) -> list[str]:
    change(OrderCreditLine.objects.get(order=shop.first), amount=6)
    return ["Order 1 has credit of 7, but its lines add up to 6"]


def a_debit_is_booked_for_another_order(shop: Shop) -> list[str]:
    with unguarded():
        Transaction.objects.filter(reference="order", reference_id=shop.first.pk).update(reference_id="order_none")
    return ["Order 1 has credit of 7, but accounts were debited 0 for it"]


def a_paid_total_is_changed(shop: Shop) -> list[str]:
    change(shop.first, paid_total=26)
    return ["Order 1 has 26 paid and 4 refunded, but its transactions add up to 25 and 4"]


def a_capture_is_counted_by_another_order(shop: Shop) -> list[str]:
    counted = OrderTransaction.objects.get(reference="capture")
    capture_id = counted.reference_id
    change(counted, order=shop.second)
    return [
        "Order 1 has 25 paid and 4 refunded, but its transactions add up to 0 and 4",
        "Order 2 has 0 paid and 0 refunded, but its transactions add up to 25 and 0",
        f"Transaction {counted.pk} of order 2 is 25, but no capture {capture_id} of that amount belongs to it",
    ]


def a_transaction_is_deleted(shop: Shop) -> list[str]:
    capture = Capture.objects.get()
    OrderTransaction.objects.filter(reference="capture").delete()
    return [
        "Order 1 has 25 paid and 4 refunded, but its transactions add up to 0 and 4",
        f"Capture {capture.pk} of 25 is not a transaction of its order",
    ]


def a_refund_is_unknown_to_its_order(shop: Shop) -> list[str]:
    counted = OrderTransaction.objects.get(reference="refund")
    change(counted, reference_id="ref_none")
    refund = counted.reference_id
    return [
        f"Transaction {counted.pk} of order 1 is -4, but no refund ref_none of that amount belongs to it",
        f"Refund {refund} of 4 is not a transaction of its order",
    ]


def a_payment_is_anothers(shop: Shop) -> list[str]:
    """The collections of two orders are swapped."""
    one, other = PaymentCollection.objects.filter(order_id__in=[shop.first.pk, shop.second.pk]).order_by("pk")
    change(one, order_id=shop.second.pk)
    change(other, order_id=shop.first.pk)
    part = RefundPart.objects.get()
    return [
        *(
            f"Transaction {own_id} of order 1 is {plain(amount)}, but no {kind} {moved} of that amount belongs to it"
            for own_id, amount, kind, moved in OrderTransaction.objects.order_by("reference").values_list(
                "pk", "amount", "reference", "reference_id"
            )
        ),
        f"Part {part.pk} of a refund of order 1 is 4, but its payment or intent is of another refund",
        "Order 1 has the payment status partially_refunded, but its payments make it authorized",
        "Order 2 has the payment status authorized, but its payments make it partially_refunded",
    ]


def a_payment_status_is_changed(shop: Shop) -> list[str]:
    change(shop.first, payment_status="refunded")
    return ["Order 1 has the payment status refunded, but its payments make it partially_refunded"]


def a_collection_is_gone(shop: Shop) -> list[str]:
    change(PaymentCollection.objects.get(order_id=shop.second.pk), deleted_at=now())
    return ["Order 2 has the payment status authorized, but its payments make it not_paid"]


def a_reservation_has_no_order(shop: Shop) -> list[str]:
    line: OrderLineItem = shop.first.items.get()
    reservation = Reservation.objects.get(line_item_id=line.pk)
    change(reservation, line_item_id="ordli_none")
    item = reservation.inventory_item_id
    return [
        f"Reservation {reservation.pk} of 1 is for line ordli_none, of which there is neither order nor open attempt",
        f"Line {line.pk} of order 1 has 0 of item {item} reserved for 1 units to pack, instead of 1",
    ]


def an_attempt_is_ended(shop: Shop) -> list[str]:
    reservation = Reservation.objects.latest("pk")
    line_id = reservation.line_item_id
    use, hold = PromotionUsage.objects.latest("pk"), CreditHold.objects.get()
    change(shop.attempt, status="released", ended_at=now())
    closed_at = Cart.objects.get(pk=shop.open_cart.pk).closed_at
    return [
        f"Reservation {reservation.pk} of 1 is for line {line_id}, of which there is neither order nor open attempt",
        f"Use {use.pk} of promotion {shop.promotion.pk} is of a cart with neither an order nor an open attempt",
        f"Hold {hold.pk} of 7 is of attempt {shop.attempt.pk}, which has ended",
        f"Cart {shop.open_cart.pk[:12]}… was closed at {closed_at}, but no attempt to complete it is open",
    ]


def a_use_is_not_counted(shop: Shop) -> list[str]:
    change(shop.promotion, used=2)
    return ["Promotion TENTH counts 2 uses, but there are 3"]


def savings_are_changed(shop: Shop) -> list[str]:
    """Each of the three uses took 3.00 off goods of 30.00."""
    change(shop.promotion, saved={"usd": 80_000})
    return ["Promotion TENTH has taken off 80000/10,000 usd, but its uses took 90000: run recount_orders"]


def savings_lack_a_currency(shop: Shop) -> list[str]:
    change(shop.promotion, saved=None)
    return ["Promotion TENTH has taken off 0/10,000 usd, but its uses took 90000: run recount_orders"]


def an_attempted_cart_is_reopened(shop: Shop) -> list[str]:
    reopen_cart(shop.open_cart.pk)
    return [f"Attempt {shop.attempt.pk} is open, but its cart is not closed"]


def an_ordered_cart_is_reopened(shop: Shop) -> list[str]:
    reopen_cart(shop.first.cart_id)
    return ["Order 1 was made, but its cart is not completed"]


def a_cart_is_closed(shop: Shop) -> list[str]:
    other = shop.cart()
    close_cart(other.pk)
    closed_at = Cart.objects.get(pk=other.pk).closed_at
    return [f"Cart {other.pk[:12]}… was closed at {closed_at}, but no attempt to complete it is open"]


def a_number_is_left_out(shop: Shop) -> list[str]:
    change(shop.second, display_id=3)
    change(OrderNumber.objects.get(), last=3)
    return ["Order 3 has no order with the number before it"]


def the_counter_is_ahead(shop: Shop) -> list[str]:
    change(OrderNumber.objects.get(), last=7)
    return ["The last order has number 2, but the counter says 7"]


BY_HAND: list[Callable[[Shop], list[str]]] = [
    *(a_total_is_changed, a_line_is_changed, a_shipping_method_is_gone, a_credit_line_is_changed),
    *(a_debit_is_booked_for_another_order, a_paid_total_is_changed),
    *(a_capture_is_counted_by_another_order, a_transaction_is_deleted),
    *(a_refund_is_unknown_to_its_order, a_payment_is_anothers, a_payment_status_is_changed, a_collection_is_gone),
    *(a_reservation_has_no_order, an_attempt_is_ended),
    *(a_use_is_not_counted, savings_are_changed, savings_lack_a_currency),
    *(an_attempted_cart_is_reopened, an_ordered_cart_is_reopened, a_cart_is_closed),
    *(a_number_is_left_out, the_counter_is_ahead),
]


@pytest.mark.parametrize("deed", BY_HAND, ids=lambda deed: deed.__name__)
def test_what_is_done_by_hand_is_named(shop: Shop, deed: Callable[[Shop], list[str]]) -> None:
    expected = deed(shop)
    assert sorted(named()) == sorted(expected)
