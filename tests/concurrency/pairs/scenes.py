"""Orders in the states that verbs are for. All of them are in one database, and share customer, stock and account."""

from contextlib import suppress
from dataclasses import dataclass, field
from decimal import Decimal
from functools import partial

from carts.lines.lines import NewLineItem
from carts.models import Cart
from catalog.models import InventoryLevel, ProductVariant
from customers.models import Customer
from fulfillment.models import ShippingOption
from giftcards.models import GiftCard, StoreCreditAccount
from giftcards.spending.cart_cards import add_card
from giftcards.spending.cart_store_credit import add_store_credit
from kit.domain.actor import SYSTEM, Actor
from kit.messages.mails.tokens import mail_token
from orders.access.transfers import requesting
from orders.fulfillments import creation, delivery
from orders.fulfillments.requested_items import ItemQuantity
from orders.mails.transfers import KIND, render_transfer_mail
from orders.managing import cancellation, completion
from orders.models import CarrierRequest, Order, OrderTransfer
from orders.returns import arrivals, preparation
from orders.returns import creation as returns
from orders.returns.creation import NewReturnItem
from payments.models import Intent, Payment
from payments.movements import capturing, refunding
from payments.states import Act
from shop.errors import ProviderUnavailable
from tests.concurrency.pairs.changes import Owed, edited
from tests.concurrency.pairs.drafts import Drafts, drafted
from tests.concurrency.pairs.goods import Goods, exchanged
from tests.factories.carts import default_region, shopper
from tests.factories.checkout import checked_out_cart, pay, stocked
from tests.factories.customers import CustomerFactory
from tests.factories.fulfillment import option
from tests.factories.giftcards import gift_card, store_credit
from tests.factories.payments import PROVIDER as LOCAL_PROVIDER
from tests.factories.payments import refund_reason
from tests.orders.completing import order_of
from tests.orders.fulfillments.carrier import CARRIER, Carrier
from tests.orders.invoices.shop import sells
from tests.orders.managing.shop import staff
from tests.orders.placed import gift
from tests.payments.providers import FAKE, FakeProvider

PACKED, PAID, CANCELED, DELIVERED = "packed", "paid", "canceled", "delivered"
LOCAL = "paid locally"
EXCHANGED = "exchanged"
CLOSED = "closed"


@dataclass(frozen=True)
class Shop:
    """Who buys, who asks for orders of others, and what is sold: two variants, each at a location of its own.

    Documents are written.
    """

    fake: FakeProvider
    carrier: Carrier
    buyer: Customer = field(default_factory=CustomerFactory)
    strangers: list[Customer] = field(default_factory=lambda: [CustomerFactory(), CustomerFactory()])
    variants: list[ProductVariant] = field(default_factory=lambda: [stocked(50, 30), stocked(50, 30)])
    gift: ProductVariant = field(default_factory=partial(gift, 50))
    staff: Actor = field(default_factory=staff)
    reason_id: str = field(default_factory=lambda: refund_reason().pk)
    way_back: str = field(default_factory=lambda: option(5, rules=[("is_return", "eq", "true")]).pk)

    def __post_init__(self) -> None:
        sells()

    @property
    def levels(self) -> list[InventoryLevel]:
        return list(InventoryLevel.objects.order_by("-pk"))


@dataclass(frozen=True)
class Scene:
    """An order, and the ids of what its verbs are about."""

    shop: Shop
    state: str
    buyer: Customer
    order: Order
    line_ids: list[str]
    payment: Payment
    fulfillment_id: str
    booking_id: str
    return_id: str
    prepared_id: str
    token: str
    intent_id: str
    card: GiftCard
    owed: Owed
    goods: Goods
    drafts: Drafts

    @property
    def cart(self) -> Cart:
        found: Cart = Cart.objects.get(pk=self.order.cart_id)
        return found

    @property
    def account(self) -> StoreCreditAccount:
        found: StoreCreditAccount = StoreCreditAccount.objects.get(customer=self.buyer)
        return found

    @property
    def bought_card(self) -> GiftCard:
        """That of the order's gift card line; an unknown one before it is issued."""
        found = GiftCard.objects.filter(line_item_id__in=self.order.items.values("pk")).first()
        return found or GiftCard(pk="gcard_none", code="NONE")


def scene(shop: Shop, state: str) -> Scene:
    """An order of 175 that store credit, a gift card and one payment pay. Before it is `paid`, 100 are captured.

    Packed, paid and delivered ones owe 30 more since an edit, and another edit is open. Beside the paid one are drafts.

    The buyer of the closed order has no other, so that they can be erased.
    """
    buyer = CustomerFactory() if state == CLOSED else shop.buyer
    order = _placed(shop, buyer, LOCAL_PROVIDER if state == LOCAL else FAKE)
    if state != CLOSED:
        chosen = order.shipping_methods.get().shipping_option_id
        ShippingOption.objects.filter(pk=chosen).update(provider_id=CARRIER)
    payment = Payment.objects.get(collection__order_id=order.pk)
    part = Decimal(100) if state in (PACKED, CANCELED, LOCAL) else None
    capturing.capture(actor=SYSTEM, payment_id=payment.pk, amount=part)
    line_ids = [order.items.get(variant_id=variant.pk).pk for variant in shop.variants]
    fulfillment_id, return_id, prepared_id = _pack(shop, order, line_ids[0], 1), "return_none", "return_none"
    if state == DELIVERED:
        delivery.deliver(actor=SYSTEM, fulfillment_id=fulfillment_id)
        delivery.deliver(actor=SYSTEM, fulfillment_id=_pack(shop, order, line_ids[1], 2))
        return_id, prepared_id = _arrived(order, line_ids[1]), _prepared(order, line_ids[0])
        fulfillment_id = _pack(shop, order, line_ids[0], 1)
    goods, drafts = Goods(), Drafts()
    if state == EXCHANGED:
        for parcel in (fulfillment_id, _pack(shop, order, line_ids[0], 1), _pack(shop, order, line_ids[1], 2)):
            delivery.deliver(actor=SYSTEM, fulfillment_id=parcel)
        goods = exchanged(order, shop.staff, shop.variants, line_ids)
    if state == PAID:
        drafts = drafted(shop.staff, buyer, shop.variants)
    token, intent_id = _asked_for(shop, order), "payint_none"
    if state in (PACKED, PAID, CANCELED, DELIVERED, EXCHANGED):
        intent_id = _unanswered(shop, payment)
    owed = Owed()
    if state in (PACKED, PAID, DELIVERED):
        owed = edited(order, shop.staff, shop.variants, None if state == DELIVERED else line_ids[1])
    if state == CANCELED:
        cancellation.cancel(actor=SYSTEM, order_id=order.pk)
    if state == CLOSED:
        completion.complete(actor=SYSTEM, order_id=order.pk, note="Enough")
    order.refresh_from_db()
    booking = CarrierRequest.objects.filter(fulfillment=fulfillment_id).first()
    ids = (fulfillment_id, booking.pk if booking else "none", return_id, prepared_id, token, intent_id)
    return Scene(shop, state, buyer, order, line_ids, payment, *ids, gift_card(3), owed, goods, drafts)


def _placed(shop: Shop, buyer: Customer, provider_id: str) -> Order:
    units = (NewLineItem(variant.pk, 2) for variant in shop.variants)
    actor, given = shopper(customer_id=buyer.pk), {"region_id": default_region().pk, "provider_id": provider_id}
    cart = checked_out_cart(*units, NewLineItem(shop.gift.pk, 1), customer_id=buyer.pk, **given)
    store_credit(buyer, 100)
    add_store_credit(actor=actor, cart_id=cart.pk, amount=Decimal(20))
    add_card(actor=actor, cart_id=cart.pk, code=gift_card(7).code)
    pay(Cart.objects.get(pk=cart.pk), provider_id=provider_id)
    return order_of(Cart.objects.get(pk=cart.pk))


def _pack(shop: Shop, order: Order, line_id: str, units: int) -> str:
    return creation.create(actor=SYSTEM, order_id=order.pk, items=[ItemQuantity(line_id, units)])


def _arrived(order: Order, line_id: str) -> str:
    """A return of a unit that staff have counted, but not received."""
    made = returns.request(actor=SYSTEM, order_id=order.pk, items=[NewReturnItem(line_id, 1)])
    arrivals.count_damaged(actor=SYSTEM, return_id=made, items=[ItemQuantity(line_id, 1)])
    return made


def _prepared(order: Order, line_id: str) -> str:
    """A return of a unit that staff have not requested yet."""
    made = returns.begin(actor=SYSTEM, order_id=order.pk)
    preparation.add_items(actor=SYSTEM, return_id=made, items=[NewReturnItem(line_id, 1)])
    return made


def _asked_for(shop: Shop, order: Order) -> str:
    """The token of a transfer that a customer who does not own the order has requested."""
    stranger = shop.strangers[0].pk
    requesting.request_transfer(actor=shopper(customer_id=stranger), order_id=order.pk)
    transfer = OrderTransfer.objects.get(order=order)
    assert render_transfer_mail(transfer.pk, 1) is not None
    return mail_token(KIND, transfer.pk, 1)


def _unanswered(shop: Shop, payment: Payment) -> str:
    """A refund of 5 that the provider has not answered yet."""
    shop.fake.says(Act.REFUND, ConnectionError())
    with suppress(ProviderUnavailable):
        refunding.refund(actor=SYSTEM, payment_id=payment.pk, amount=Decimal(5))
    return str(Intent.objects.get(session=payment.session_id, act=Act.REFUND, done_at=None).pk)
