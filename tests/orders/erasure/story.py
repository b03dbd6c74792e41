"""A person who does everything that a shopper can do. Each of their texts holds MARK."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import pytest
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.admin.utils import quote
from django.test import Client

from carts.models import CreditLine, ShippingMethod
from customers import customer_editing
from customers.models import Customer
from fulfillment.models import ShippingOption
from fulfillment.providers.base import Declined as Refused
from giftcards.ledger import adjustment
from giftcards.models import StoreCreditAccount, TransactionGroup
from kit.domain.actor import Actor
from kit.jobs.models import Job, Refusal, RowResult
from kit.messages.mails.sending import send_due
from kit.spreadsheets.declarations import Result
from kit.spreadsheets.models import Import, ImportResult
from orders.changes import lifecycle
from orders.changes import shipping as edited_shipping
from orders.changes.shipping import MethodTexts, NewMethod
from orders.common.summary import pending_difference_of
from orders.fulfillments import delivery, sending, shipping
from orders.fulfillments.labels import NewLabel
from orders.managing.notes import add_note
from orders.models import CarrierRequest, Fulfillment, Order
from orders.refunds import creation as refunds
from orders.returns import creation as returns
from orders.returns import preparation, receipt, shipping_choice
from orders.returns.creation import NewReturnItem, ReturnDetails
from orders.returns.receipt import ReceivedItem
from orders.returns.shipping import ReturnShipping
from payments.errors import PaymentProviderRefused
from payments.models import Payment, PaymentCollection
from payments.movements import capturing
from payments.providers.base import Declined, ProviderReport
from payments.states import Act, SessionStatus
from staff.models import User
from tests.contract.callers import Caller, importer, storefront
from tests.factories import payments as make
from tests.factories.apikeys import publishable_key, secret_key
from tests.factories.carts import PromotionFactory, selling_region, sold_variant
from tests.factories.checkout import ready_cart
from tests.factories.fulfillment import option
from tests.factories.giftcards import gift_card
from tests.factories.products import ProductFactory
from tests.factories.staff import UserFactory
from tests.orders.completing import order_of
from tests.orders.fulfillments.carrier import CARRIER, Carrier
from tests.orders.fulfillments.shop import lines, pack
from tests.orders.managing.shop import work
from tests.payments.providers import FAKE, FakeProvider

MARK = "xylomark"
EMAIL = f"pia@{MARK}.example"
PASSWORD = f"{MARK} battery staple"
TEXTS = {"note": f"Ring at {MARK}"}
ADDRESS = {
    "first_name": f"Pia {MARK}",
    "last_name": MARK.capitalize(),
    "company": f"{MARK} Ltd",
    "address_1": f"1 {MARK} Street",
    "address_2": f"{MARK} flat",
    "city": MARK.upper(),
    "country_code": "us",
    "province": f"{MARK} county",
    "postal_code": f"10{MARK}",
    "phone": f"+1 {MARK}",
    "metadata": TEXTS,
}


@dataclass
class Shop:
    """The shop. fake, carrier: its providers. user, staff: a staff user. stranger: somebody else's order."""

    fake: FakeProvider
    carrier: Carrier
    store: Caller
    user: User
    staff: Actor
    region: Any
    goods: Any
    card: Any
    option: Any
    stranger: Order

    @classmethod
    def opened(cls, fake: FakeProvider, carrier: Carrier) -> "Shop":
        stranger = order_of(ready_cart())
        region = selling_region()
        region.payment_providers.add(FAKE)
        goods = sold_variant(20, in_stock=50)
        card = sold_variant(30, product=ProductFactory(is_giftcard=True))
        user, chosen = UserFactory(is_superuser=True), option(5)
        ShippingOption.objects.filter(pk=chosen.pk).update(provider_id=CARRIER)
        PromotionFactory(code="ONEEACH", usage_limit_per_customer=1)
        staff = Actor("user", user.pk, permitted=lambda permission: True)
        return cls(fake, carrier, storefront(publishable_key()), user, staff, region, goods, card, chosen, stranger)


def answered(response: Any) -> Any:
    assert response.status_code in (200, 201), response.content
    return response.json()


def registered(shop: Shop) -> tuple[Caller, Customer]:
    """The person's account, with an address; and a reset of the password that nobody has followed."""
    token = answered(shop.store.post("/auth/customer/emailpass/register", {"email": EMAIL, "password": PASSWORD}))
    details = {"first_name": MARK, "last_name": MARK, "phone": MARK, "company_name": MARK, "metadata": TEXTS}
    headers = {"Authorization": f"Bearer {token['token']}"}
    answered(shop.store.post("/store/customers", {"email": EMAIL, **details}, **headers))
    login = answered(shop.store.post("/auth/customer/emailpass", {"email": EMAIL, "password": PASSWORD}))
    caller = Caller(**{**shop.store.headers, "Authorization": f"Bearer {login['token']}"})
    answered(caller.post("/store/customers/me/addresses", {**ADDRESS, "address_name": MARK}))
    return caller, Customer.objects.get(email=EMAIL)


def ordered(shop: Shop, caller: Caller, *, number: int = 0) -> Order:
    """Goods and a gift card for somebody, which the provider refuses to authorize at first. Captured and delivered."""
    cart_id = _filled_cart(shop, caller, number)
    collection = answered(caller.post("/store/payment-collections", {"cart_id": cart_id}))["payment_collection"]
    reported = {"id": "pi_1", "name": MARK}
    shop.fake.says(Act.START, ProviderReport(SessionStatus.PENDING, reported))
    asked = {"provider_id": FAKE, "data": {"holder": MARK}}
    answered(caller.post(f"/store/payment-collections/{collection['id']}/payment-sessions", asked))
    shop.fake.says(Act.AUTHORIZE, Declined(f"{MARK} is not the holder"))
    path = f"/store/carts/{cart_id}/complete"
    refused = answered(caller.post(path))
    assert refused["type"] == "cart", refused
    work()
    done = answered(caller.post(path, idempotency_key=f"complete-the-cart-of-pia-{number}"))
    assert done["type"] == "order", done
    order = Order.objects.get(pk=done["order"]["id"])
    _delivered(shop, order)
    return order


def _filled_cart(shop: Shop, caller: Caller, number: int) -> str:
    given = {"region_id": shop.region.pk, "email": EMAIL, "metadata": TEXTS}
    cart_id: str = answered(caller.post("/store/carts", given, idempotency_key=f"the-cart-of-pia-no-{number:04}"))[
        "cart"
    ]["id"]
    path = f"/store/carts/{cart_id}"
    line = {"variant_id": shop.goods.pk, "quantity": 2, "metadata": TEXTS}
    answered(caller.post(f"{path}/line-items", line))
    gift = {"variant_id": shop.card.pk, "quantity": 1, "metadata": {"recipient_email": f"friend@{MARK}.example"}}
    answered(caller.post(f"{path}/line-items", gift))
    codes = [] if number else ["ONEEACH"]
    answered(caller.post(path, {"shipping_address": ADDRESS, "billing_address": ADDRESS, "promo_codes": codes}))
    answered(caller.post(f"{path}/shipping-methods", {"option_id": shop.option.pk, "data": TEXTS}))
    answered(caller.post(f"{path}/gift-cards", {"code": gift_card(1).code}))
    CreditLine.objects.filter(cart=cart_id).update(metadata=TEXTS)
    return cart_id


def _delivered(shop: Shop, order: Order) -> None:
    """The carrier refuses the first parcel."""
    for payment in Payment.objects.filter(collection__order_id=order.pk):
        shop.fake.says(Act.CAPTURE, Declined(f"{MARK} called"))
        with pytest.raises(PaymentProviderRefused, match=MARK):
            capturing.capture(actor=shop.staff, payment_id=payment.pk)
        capturing.capture(actor=shop.staff, payment_id=payment.pk)
    units = [0 if line.is_giftcard else line.quantity for line in lines(order)]
    shop.carrier.says(Refused(f"No {MARK} Street"))
    pack(order, *units, actor=shop.staff, metadata=TEXTS)
    _ask_carrier()
    parcel = pack(order, *units, actor=shop.staff, metadata=TEXTS, delivery_address=ADDRESS)
    _ask_carrier()
    Fulfillment.objects.filter(pk=parcel.pk).update(data=TEXTS)
    label = NewLabel(MARK, f"https://carrier.example/{MARK}", f"https://carrier.example/label/{MARK}")
    shipping.ship(actor=shop.staff, fulfillment_id=parcel.pk, labels=[label])
    delivery.deliver(actor=shop.staff, fulfillment_id=parcel.pk)
    rest = [line.quantity if line.is_giftcard else 0 for line in lines(order)]
    if any(rest):
        delivery.deliver(actor=shop.staff, fulfillment_id=pack(order, *rest, actor=shop.staff).pk)
        _ask_carrier()


def _ask_carrier() -> None:
    for request in CarrierRequest.objects.filter(done_at=None):
        sending.send_request(request.pk)


def returned(shop: Shop, caller: Caller, order: Order) -> None:
    """The person returns one piece, staff another one for them. What is owed is refunded."""
    goods = next(line for line in lines(order) if not line.is_giftcard)
    items = [{"id": goods.pk, "quantity": 1, "note": MARK}]
    first = answered(caller.post("/store/returns", {"order_id": order.pk, "items": items, "note": MARK}))["return"][
        "id"
    ]
    details = ReturnDetails(note=MARK, internal_note=MARK, metadata=TEXTS)
    item = NewReturnItem(goods.pk, 1, metadata=TEXTS)
    second = returns.request(actor=shop.staff, order_id=order.pk, items=[item], details=details)
    place = order.fulfillments.exclude(location=None).values_list("location_id", flat=True).first()
    for return_id in (first, second):
        received = [ReceivedItem(goods.pk, 1, 0)]
        receipt.receive(actor=shop.staff, return_id=return_id, items=received, location_id=place)
    _discarded(shop, order)
    _edited(shop, order)
    order.refresh_from_db()
    owed = -pending_difference_of(order)
    reason_id = make.refund_reason().pk
    refunds.create(actor=shop.staff, order_id=order.pk, amount=owed, refund_reason_id=reason_id, note=MARK)


def _discarded(shop: Shop, order: Order) -> None:
    """A return that staff begin and discard, with a description of its shipping."""
    begun = returns.begin(actor=shop.staff, order_id=order.pk)
    way = option(5, rules=[("is_return", "eq", "true")])
    shipping_back = ReturnShipping(way.pk, description=f"Box from {MARK}", metadata=TEXTS)
    shipping_choice.choose(actor=shop.staff, return_id=begun, shipping=shipping_back)
    preparation.discard(actor=shop.staff, return_id=begun)


def _edited(shop: Shop, order: Order) -> None:
    """An edit that staff begin and cancel."""
    given: dict[str, Any] = {"actor": shop.staff, "order_id": order.pk}
    lifecycle.begin(**given, description=MARK, internal_note=MARK, metadata=TEXTS)
    texts: MethodTexts = {"internal_note": MARK, "metadata": TEXTS}
    edited_shipping.add(**given, method=NewMethod(shop.option.pk, description=f"Box for {MARK}", texts=texts))
    lifecycle.cancel(**given)


def importer_of(shop: Shop) -> Caller:
    """A program of the shop."""
    return importer(secret_key(shop.user))


def written_down(shop: Shop, order: Order) -> None:
    """What staff and programs leave: a note, stored answers, history, emails, a refused job, a file."""
    add_note(actor=shop.staff, order_id=order.pk, text=f"{MARK} called")
    erp = importer_of(shop)
    answered(erp.post(f"/admin/orders/{order.pk}", {"metadata": TEXTS, "email": EMAIL}, idempotency_key="erp-1"))
    PaymentCollection.objects.filter(order_id=order.pk).update(metadata=TEXTS)
    ShippingMethod.objects.filter(cart=order.cart_id).update(description=f"Box for {MARK}")
    LogEntry.objects.log_actions(shop.user.pk, [order], CHANGE, f"Refunded: {MARK} was angry", single_object=True)
    job = Job.objects.create(kind="bulk_action", title="Mails", actor=shop.user, total=1, refused=1)
    Refusal.objects.create(job=job, label=EMAIL, reason=f"{EMAIL} has no account")
    parcels = {"ful_1": [order.pk, str(order), MARK]}
    shipping_job = Job.objects.create(
        kind="bulk_orders", title="Parcels", actor=shop.user, total=1, parameters={"work": "ship", "parcels": parcels}
    )
    RowResult.objects.create(
        job=shipping_job, about=order.pk, label=str(order), status="done", text=f"Shipped, {MARK}."
    )
    _brought(shop)
    send_due()


def _brought(shop: Shop) -> None:
    """A spreadsheet of customers with the person in it, of which a row could not be applied."""
    one = Import.objects.create(
        spreadsheet="customers",
        name=f"{MARK}.csv",
        owner=shop.user,
        format="csv",
        digest="0" * 64,
        headers=["Email", f"{MARK} remarks"],
        problems=[[3, "Country", f"{MARK} is no country."]],
    )
    ImportResult.objects.create(of=one, row=2, label=EMAIL, action=Result.PROBLEM, text=f"{MARK} is taken.")


def described(shop: Shop, customer: Customer) -> None:
    """Staff's own note about the person, and their tax number."""
    given = {"note": f"{MARK} likes her tea strong", "tax_number": f"GB {MARK}"}
    customer_editing.VERBS.put(actor=shop.staff, states=[customer_editing.VERBS.state(id=customer.pk, **given)])


def written_again(shop: Shop, order: Order) -> None:
    """What staff add to an order that is erased."""
    add_note(actor=shop.staff, order_id=order.pk, text=f"{MARK} called again")
    answered(importer_of(shop).post(f"/admin/orders/{order.pk}", {"metadata": TEXTS, "email": EMAIL}))


def credited(shop: Shop, caller: Caller, customer: Customer) -> None:
    """Store credit from staff, a card that was redeemed, and one that waits for the customer."""
    adjustment.adjust(
        actor=shop.staff, customer_id=customer.pk, currency_code="usd", amount=Decimal(7), reason=f"For {MARK}"
    )
    redeemed = gift_card(5, note=MARK, metadata=TEXTS)
    answered(caller.post(f"/store/gift-cards/{redeemed.pk}/redeem"))
    gift_card(5, note=MARK, customer_id=customer.pk)
    StoreCreditAccount.objects.update(metadata=TEXTS)
    TransactionGroup.objects.update(metadata=TEXTS)


def left_behind(shop: Shop, caller: Caller) -> None:
    """A cart that was never completed."""
    _filled_cart(shop, caller, 99)


def transferred(caller: Caller, order: Order) -> None:
    """The person has asked for somebody's order."""
    path = f"/store/orders/{order.pk}/transfer/request"
    answered(caller.post(path, {"description": f"It is {MARK}'s"}))


def asked_for_a_password(shop: Shop, *, unfinished: bool = False) -> None:
    """unfinished: the person has also begun to register."""
    shop.store.post("/auth/customer/emailpass/reset-password", {"identifier": EMAIL})
    if unfinished:
        answered(shop.store.post("/auth/customer/emailpass/register", {"email": EMAIL, "password": PASSWORD}))


def looked_at(admin: Client, customer: Customer) -> None:
    """Staff have sent the customer an email, by a button of the admin site."""
    admin.post(f"/admin/customers/customer/{quote(customer.pk)}/send_password_mail/", {"post": "yes"})
    assert LogEntry.objects.filter(object_repr=EMAIL).exists()
