"""Orders that cost more than was agreed to be paid for them.

Two units at 20 and shipping of 5 are paid; one comes back, and its return shipping of 38 counts: 18 are outstanding.
"""

from decimal import Decimal

from carts.lines.lines import NewLineItem
from carts.models import Cart
from customers.models import Customer
from giftcards.ledger.adjustment import adjust
from giftcards.models import StoreCreditAccount
from kit.domain.actor import SYSTEM
from orders.fulfillments import delivery
from orders.models import Order
from orders.returns.creation import ReturnDetails
from orders.returns.shipping import ReturnShipping
from payments.models import Payment, PaymentCollection
from payments.movements import capturing
from tests.factories.carts import sold_variant
from tests.factories.checkout import checked_out_cart, pay
from tests.factories.customers import CustomerFactory
from tests.factories.fulfillment import option
from tests.orders.completing import order_of
from tests.orders.fulfillments.shop import pack
from tests.orders.returns.shop import receive, request
from tests.payments.providers import FAKE


def return_way(price: int) -> ReturnShipping:
    return ReturnShipping(option(price, rules=[("is_return", "eq", "true")]).pk)


def owing(*, is_captured: bool = True) -> Order:
    """is_captured: of the 45; otherwise they are authorized."""
    cart = checked_out_cart(NewLineItem(sold_variant(20).pk, 2), provider_id=FAKE)
    pay(Cart.objects.get(pk=cart.pk), provider_id=FAKE)
    order = order_of(Cart.objects.get(pk=cart.pk))
    if is_captured:
        capturing.capture(actor=SYSTEM, payment_id=Payment.objects.get(collection__order_id=order.pk).pk)
    delivery.deliver(actor=SYSTEM, fulfillment_id=pack(order, 2).pk)
    receive(request(order, 1, details=ReturnDetails(shipping=return_way(38))), 1)
    order.refresh_from_db()
    return order


def owing_with_credit(credit: int) -> tuple[Order, StoreCreditAccount]:
    """An order of which 18 are outstanding, and the account of its customer."""
    order = owing()
    customer = order.customer or CustomerFactory()
    Customer.objects.filter(pk=customer.pk).update(has_account=True)
    Order.objects.filter(pk=order.pk).update(customer=customer)
    given = {"customer_id": customer.pk, "currency_code": order.currency_id}
    account_id = adjust(actor=SYSTEM, amount=Decimal(credit), reason="Sorry", **given)
    return order, StoreCreditAccount.objects.get(pk=account_id)


def second(order: Order) -> PaymentCollection:
    """The collection that the order has besides that of its cart."""
    found: PaymentCollection = PaymentCollection.objects.get(order_id=order.pk, cart=None)
    return found


def asked(order: Order) -> list[tuple[int, str]]:
    """The amounts and statuses of the order's living collections."""
    rows = PaymentCollection.objects.not_deleted().filter(order_id=order.pk).order_by("pk")
    return [(int(row.amount), str(row.status)) for row in rows]
