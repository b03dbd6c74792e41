"""An order with everything that its page can show."""

from decimal import Decimal
from typing import NamedTuple

from carts.lines.lines import NewLineItem
from catalog.models import ProductVariant
from customers.models import Customer
from giftcards.models import GiftCard
from giftcards.spending.cart_cards import add_card
from orders.fulfillments import delivery, shipping
from orders.fulfillments.labels import NewLabel
from orders.managing import notes
from orders.models import Fulfillment, Order, Return
from orders.refunds import creation as refunds
from orders.returns import creation as returns
from orders.returns.creation import NewReturnItem, ReturnDetails
from staff.actors import staff_actor
from staff.models import User
from tests.factories.carts import shopper, sold_variant
from tests.factories.checkout import checked_out_cart, pay
from tests.factories.customers import CustomerFactory
from tests.factories.giftcards import gift_card
from tests.factories.orders import return_reason
from tests.factories.products import ProductFactory
from tests.orders.completing import order_of
from tests.orders.fulfillments.shop import lines, pack
from tests.orders.refunds.shop import captured
from tests.orders.returns.shop import receive


class ExampleOrder(NamedTuple):
    """An order of three mugs and one pot, packed, shipped and delivered by Ann; a mug came back and was refunded."""

    order: Order
    ann: User
    customer: Customer
    card: GiftCard
    fulfillment: Fulfillment
    returned: Return


def goods() -> tuple[tuple[ProductVariant, int], ...]:
    """Three mugs and a pot, in stock."""
    mug = sold_variant(20, product=ProductFactory(title="Mug"), title="Blue", sku="MUG-BLUE", in_stock=10)
    pot = sold_variant(30, product=ProductFactory(title="Pot"), title="Large", sku="POT-L", in_stock=10)
    return (mug, 3), (pot, 1)


def example_order(ann: User) -> ExampleOrder:
    customer = CustomerFactory(has_account=True, first_name="Zoe", last_name="Kent", email="zoe@example.com")
    items = [NewLineItem(variant.pk, units) for variant, units in goods()]
    cart = checked_out_cart(*items, customer_id=customer.pk)
    card = gift_card(15)
    add_card(actor=shopper(customer_id=customer.pk), cart_id=cart.pk, code=card.code)
    cart.refresh_from_db()
    pay(cart)
    order = captured(order_of(cart))
    actor = staff_actor(ann)
    first = pack(order, 3, 0, actor=actor)
    label = NewLabel("1Z999", "https://carrier.example/1Z999")
    shipping.ship(actor=actor, fulfillment_id=first.pk, labels=[label])
    delivery.deliver(actor=actor, fulfillment_id=first.pk)
    pack(order, 0, 1, actor=actor)
    item = NewReturnItem(lines(order)[0].pk, 1, reason_id=return_reason(label="Too small").pk)
    return_id = returns.request(
        actor=actor, order_id=order.pk, items=[item], details=ReturnDetails(internal_note="Box is torn")
    )
    returned = Return.objects.get(pk=return_id)
    receive(returned, 1, actor=actor)
    refunds.create(actor=actor, order_id=order.pk, amount=Decimal(20), return_id=return_id, note="By phone")
    notes.add_note(actor=actor, order_id=order.pk, text="Calls on Fridays only")
    order.refresh_from_db()
    first.refresh_from_db()
    return ExampleOrder(order, ann, customer, card, first, returned)
