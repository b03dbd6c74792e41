"""Orders that were paid by cards, credit and payments, for tests of their refunds."""

from decimal import Decimal
from typing import Any

from carts.lines import line_change
from carts.models import Cart, LineItem
from customers.models import Customer
from giftcards.models import StoreCreditAccount
from giftcards.spending.cart_cards import add_card
from giftcards.spending.cart_store_credit import add_store_credit
from kit.domain.actor import SYSTEM
from kit.values.money import major
from orders.common.summary import balance_of, pending_difference
from orders.models import GrantedRefund, Order
from orders.refunds import creation
from payments.models import Payment, RefundReason
from payments.movements import capturing
from payments.sessions import authorization
from tests.factories import payments as make
from tests.factories.actors import staff_actor
from tests.factories.carts import shopper
from tests.factories.checkout import checked_out_cart, pay, stocked
from tests.factories.giftcards import gift_card, store_credit
from tests.orders.completing import order_of
from tests.payments.providers import FAKE

STAFF = staff_actor("payments.add_refund")


def paid_order(*, card: Any = 0, credit: Any = 0, customer: Customer | None = None, provider_id: str = FAKE) -> Order:
    """Goods of 30 and shipping of 5. A new card and the customer's credit of 100 pay so much, a payment the rest."""
    cart = checked_out_cart(stocked(5, 30), customer_id=customer.pk if customer else None, provider_id=provider_id)
    actor = shopper(customer_id=cart.customer_id)
    if credit:
        assert customer is not None
        store_credit(customer, 100)
        add_store_credit(actor=actor, cart_id=cart.pk, amount=Decimal(credit))
    if card:
        add_card(actor=actor, cart_id=cart.pk, code=gift_card(card).code)
    return captured(order_of(paid(cart, provider_id)))


def paid(cart: Cart, provider_id: str) -> Cart:
    """With a session for what is due."""
    cart.refresh_from_db()
    if cart.total:
        pay(cart, provider_id=provider_id)
    return cart


def captured(order: Order) -> Order:
    for payment in Payment.objects.filter(collection__order_id=order.pk):
        if payment.captured_amount < payment.authorized_amount:
            capturing.capture(actor=SYSTEM, payment_id=payment.pk)
    order.refresh_from_db()
    return order


def twice_paid_order() -> tuple[Order, Payment, Payment]:
    """Of 65: 35 were captured first, and 30 after another piece had been added."""
    cart = checked_out_cart(stocked(5, 30), provider_id=FAKE)
    first = captured_payment(cart)
    line = LineItem.objects.get(cart=cart)
    line_change.change(actor=shopper(), cart_id=cart.pk, line_id=line.pk, quantity=2)
    second = captured_payment(cart)
    return order_of(cart), first, second


def captured_payment(cart: Cart, provider_id: str = FAKE) -> Payment:
    session = pay(cart, provider_id=provider_id)
    authorization.authorize(actor=SYSTEM, session_id=session.pk)
    payment = Payment.objects.get(session=session)
    capturing.capture(actor=SYSTEM, payment_id=payment.pk)
    return payment


def reason() -> RefundReason:
    found: RefundReason | None = RefundReason.objects.filter(code="damaged").first()
    return found or make.refund_reason()


def refund(order: Order, amount: Any, **given: Any) -> GrantedRefund:
    """By staff, for goods that arrived damaged."""
    terms = {"actor": STAFF, "order_id": order.pk, "refund_reason_id": reason().pk, **given}
    refund_id = creation.create(amount=Decimal(str(amount)), **terms)
    order.refresh_from_db()
    return GrantedRefund.objects.get(pk=refund_id)


def parts(made: GrantedRefund) -> list[tuple[str, Decimal]]:
    """In their order, where each went, and how much."""
    return [(part.payment_id or part.account_id or "", part.amount) for part in made.parts.order_by("rank")]


def pending(order: Order) -> Decimal:
    """What the customer owes."""
    return major(pending_difference(balance_of(order)))


def sums(order: Order) -> tuple[Decimal, Decimal, Decimal, str, Decimal]:
    """What was refunded to payments and to credit, the allowance, the payment status, and what the customer owes."""
    given_back = (order.refunded_total, order.credit_refunded_total, order.allowance_total)
    return (*given_back, order.payment_status, pending(order))


def payment_of(order: Order) -> Payment:
    found: Payment = Payment.objects.get(collection__order_id=order.pk)
    return found


def account_of(order: Order) -> StoreCreditAccount:
    """The one account that the order took from."""
    entries = StoreCreditAccount.objects.filter(transaction_groups__transactions__reference_id=order.pk).distinct()
    found: StoreCreditAccount = entries.get()
    return found
