"""Orders for tests, each copied from a cart whose totals and payment were made by their own verbs."""

from decimal import Decimal
from typing import Any

from django.db.models import Max, Model

from carts.lines.lines import NewLineItem
from carts.models import Cart
from customers.models import Customer
from fulfillment.methods import method_choice
from giftcards.ledger.adjustment import adjust
from giftcards.spending.cart_cards import add_card
from kit.domain.actor import SYSTEM
from kit.values.timestamps import now
from orders.common.search.entries import refresh_entry
from orders.managing import payment_collections
from orders.models import (
    Order,
    OrderAddress,
    OrderAdjustment,
    OrderCreditLine,
    OrderLineItem,
    OrderPromotion,
    OrderShippingMethod,
    OrderShippingMethodTaxLine,
    OrderTaxLine,
    OrderTransaction,
    ReturnReason,
)
from orders.states import PaymentStatus, TransactionReference
from payments.models import Payment, PaymentCollection
from payments.movements import capturing
from payments.sessions import authorization
from payments.states import CollectionStatus
from tests.factories import carts, fulfillment, payments
from tests.factories.customers import CustomerFactory
from tests.factories.giftcards import gift_card
from tests.factories.products import ProductFactory

ADDRESS = {
    "first_name": "Ann",
    "last_name": "Lee",
    "company": "",
    "address_1": "1 Elm Street",
    "city": "New York",
    "country_code": "us",
    "province": "us-ny",
    "postal_code": "10001",
    "phone": "",
}


def full_cart(customer: Customer | None = None, *, lines: int = 2, email: str = "ann@example.com") -> Cart:
    """A cart with that many lines, taxes, a promotion, addresses, a shipping method and a gift card for a part."""
    actor = carts.shopper(customer_id=customer.pk if customer else None)
    code = carts.PromotionFactory().code
    shipping = fulfillment.option(10)
    region = carts.selling_region(tax_rate=5)
    region.payment_providers.add(payments.PROVIDER)
    product = ProductFactory(title="Mug", description="Holds tea", thumbnail="/static/mug.png")
    mug = carts.sold_variant(20, product=product, title="Blue")
    cart = carts.cart(
        *(NewLineItem(mug.pk, 3, {"number": number}) for number in range(lines)),
        actor=actor,
        region_id=region.pk,
        email=email,
        promo_codes=[code],
        shipping_address=ADDRESS,
        billing_address=ADDRESS,
        metadata={"gift": True},
    )
    method_choice.choose(actor=actor, cart_id=cart.pk, option_id=shipping.pk)
    add_card(actor=actor, cart_id=cart.pk, code=gift_card(5).code)
    return Cart.objects.get(pk=cart.pk)


def order(
    customer: Customer | None = None, *, cart: Cart | None = None, captured: bool = False, lines: int = 2, **given: Any
) -> Order:
    """The order of a full cart, or of that one, authorized by its provider, or captured in full.

    given: columns of the order in the place of the cart's.
    """
    source = cart or full_cart(customer, lines=lines)
    collection = _paid(source, captured=captured)
    number = (Order.objects.aggregate(last=Max("display_id"))["last"] or 0) + 1
    made = _copy(
        source,
        Order,
        cart_id=source.pk,
        display_id=number,
        payment_status=PaymentStatus.CAPTURED if captured or not source.total else PaymentStatus.AUTHORIZED,
        original_order_total=source.total,
        paid_total=source.total if captured else 0,
        shipping_address=_address(source.shipping_address),
        billing_address=_address(source.billing_address),
        **{"created_at": now(), "updated_at": now(), **given},
    )
    _copy_parts(source, made)
    PaymentCollection.objects.filter(pk=collection.pk).update(order_id=made.pk)
    for payment in Payment.objects.filter(collection=collection):
        for capture in payment.captures.all():
            OrderTransaction.objects.create(
                order=made,
                amount=capture.amount,
                currency_id=made.currency_id,
                reference=TransactionReference.CAPTURE,
                reference_id=capture.pk,
            )
    Cart.objects.filter(pk=source.pk).update(completed_at=now())
    refresh_entry(made.pk)
    return Order.objects.get(pk=made.pk)


def owing_order() -> Order:
    """A captured order that costs 18 more than was paid for it."""
    made = order(captured=True)
    dearer = made.paid_total + 18
    worth = {"item_total": 0, "shipping_total": dearer + made.credit_line_total, "total": dearer}
    Order.objects.filter(pk=made.pk).update(**worth)
    return Order.objects.get(pk=made.pk)


def with_credit(owing: Order) -> Order:
    """The same order, whose customer has store credit."""
    customer = owing.customer or CustomerFactory()
    Customer.objects.filter(pk=customer.pk).update(has_account=True)
    Order.objects.filter(pk=owing.pk).update(customer=customer)
    given = {"customer_id": customer.pk, "currency_code": owing.currency_id}
    adjust(actor=SYSTEM, amount=Decimal(25), reason="Sorry", **given)
    return Order.objects.get(pk=owing.pk)


def asked_for(owing: Order | None = None) -> PaymentCollection:
    """The collection of what such an order still has to pay."""
    dearer = owing or owing_order()
    made = payment_collections.create(actor=SYSTEM, order_id=dearer.pk, amount=Decimal(18))
    return PaymentCollection.objects.get(pk=made)


def return_reason(value: str | None = None, label: str = "Wrong size", **given: Any) -> ReturnReason:
    """A reason that shoppers may choose."""
    return ReturnReason.objects.create(value=value or f"reason_{ReturnReason.objects.count()}", label=label, **given)


def _paid(cart: Cart, *, captured: bool) -> PaymentCollection:
    if not cart.total:
        return PaymentCollection.objects.create(
            cart=cart, currency_id=cart.currency_id, amount=0, status=CollectionStatus.COMPLETED, completed_at=now()
        )
    collection = payments.collection(cart)
    session = payments.session(collection)
    authorization.authorize(actor=SYSTEM, session_id=session.pk)
    if captured:
        capturing.capture(actor=SYSTEM, payment_id=Payment.objects.get(session=session).pk, amount=None)
    return collection


def _copy_parts(cart: Cart, made: Order) -> None:
    for line in cart.items.all():
        line_id = f"ordli{line.pk.removeprefix('cali')}"
        item = _copy(line, OrderLineItem, id=line_id, order=made, placed_total=line.total)
        for tax in line.tax_lines.all():
            _copy(tax, OrderTaxLine, item=item)
        for adjustment in line.adjustments.all():
            _copy(adjustment, OrderAdjustment, item=item)
    for chosen in cart.shipping_methods.all():
        method = _copy(chosen, OrderShippingMethod, order=made)
        for tax in chosen.tax_lines.all():
            _copy(tax, OrderShippingMethodTaxLine, shipping_method=method)
    for line in cart.credit_lines.all():
        _copy(line, OrderCreditLine, order=made)
    for promotion in cart.promotions.all():
        _copy(promotion, OrderPromotion, order=made, promotion_id=promotion.pk, currency_code=promotion.currency_id)


def _address(address: Model | None) -> OrderAddress | None:
    return None if address is None else _copy(address, OrderAddress)


def _copy(source: Any, model: Any, **given: Any) -> Any:
    """A row of the model with the source's values in the columns that both have, and an id of its own."""
    own = {field.attname for field in model._meta.concrete_fields} - {model._meta.pk.attname}
    shared = own & {field.attname for field in source._meta.concrete_fields}
    replaced = {model._meta.get_field(name).attname for name in given}
    return model.objects.create(**{name: getattr(source, name) for name in shared - replaced}, **given)
