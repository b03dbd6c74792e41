"""A shop that writes invoices, for random walks: orders of several rates, and all that changes their worth."""

from collections.abc import Callable
from decimal import Decimal
from random import Random

from carts.lines.lines import NewLineItem
from carts.models import Cart
from giftcards.cards.cancellation import cancel_bought_cards
from giftcards.spending.cart_cards import add_card
from kit.domain.actor import SYSTEM
from orders.changes.added_lines import NewItem
from orders.changes.editing import edit
from orders.changes.items import LineChange
from orders.changes.shipping import NewMethod
from orders.exchanges import cancellation as change_cancellation
from orders.exchanges import exchanging
from orders.exchanges.inbound import ReturnedUnits
from orders.exchanges.written_off import ClaimedUnits
from orders.fulfillments import creation, delivery
from orders.fulfillments.requested_items import ItemQuantity
from orders.invoices.correcting import correct
from orders.invoices.issuing import issue
from orders.managing import cancellation, payment_collections
from orders.models import Order, OrderChange, OrderLineItem, Return
from orders.refunds import creation as refunds
from orders.refunds.sources import refundable_of
from orders.returns import cancellation as return_cancellation
from orders.returns import creation as returns
from orders.returns import receipt
from orders.returns.creation import NewReturnItem, ReturnDetails
from orders.returns.receipt import ReceivedItem
from orders.returns.shipping import ReturnShipping
from orders.states import ClaimType
from payments.models import Payment, PaymentCollection
from payments.movements import capturing
from shop.models import Currency
from tests.factories.carts import PromotionFactory, selling_region, shopper
from tests.factories.checkout import checked_out_cart, pay
from tests.factories.customers import CustomerFactory
from tests.factories.fulfillment import option
from tests.factories.giftcards import gift_card
from tests.factories.payments import refund_reason
from tests.factories.taxes import tax_rate
from tests.orders.changes.shop import goods
from tests.orders.completing import order_of
from tests.orders.invoices.shop import sells
from tests.orders.placed import gift

RETURNS = [("is_return", "eq", "true")]


class DocumentsShop:
    """One order, placed at random, and the steps of `STEPS`: each may be refused."""

    def __init__(self, random: Random) -> None:
        self.random = random
        sells()
        is_inclusive = random.random() < 0.5
        Currency.objects.filter(code="usd").update(is_tax_inclusive=is_inclusive)
        self.variants = [goods(f"piece {place}", price, in_stock=30) for place, price in enumerate(self._prices())]
        tax_rate("us", random.choice(["7", "5.5"]), products=[self.variants[0].product], code="reduced")
        tax_rate("us", 0, products=[self.variants[1].product], code="zero")
        if random.random() < 0.4:
            tax_rate("us", "9.975", "us-ny", code="local", is_combinable=True)
        tax_rate("us", random.choice(["19", "20", "8.875"]), code="standard")
        self.region = selling_region(tax_rate=19, is_tax_inclusive=is_inclusive)
        self.back = option(3, rules=RETURNS)
        self.reason = refund_reason()
        self.order = self._place()

    def _prices(self) -> list[Decimal]:
        return [Decimal(self.random.randint(1, 5000)) / 100 for _ in range(4)]

    def _place(self) -> Order:
        random = self.random
        chosen = random.sample(self.variants, random.randint(1, 4))
        pieces = [NewLineItem(each.pk, random.randint(1, 4)) for each in chosen]
        if random.random() < 0.3:
            pieces.append(NewLineItem(gift(random.choice([10, 25])).pk, random.randint(1, 2)))
        customer = CustomerFactory(is_tax_exempt=random.random() < 0.4) if random.random() < 0.5 else None
        codes = [PromotionFactory(value=random.choice([10, 33])).code] if random.random() < 0.4 else []
        customer_id = customer.pk if customer else None
        given = {"customer_id": customer_id, "region_id": self.region.pk, "promo_codes": codes}
        cart = checked_out_cart(*pieces, shipping=random.choice([0, "4.90", 5]), **given)
        if random.random() < 0.3:
            card = gift_card(random.choice([1, 20, 1000]))
            add_card(actor=shopper(customer_id=customer_id), cart_id=cart.pk, code=card.code)
        cart = Cart.objects.get(pk=cart.pk)
        if cart.total:
            pay(cart)
        return order_of(cart)

    def capture(self) -> None:
        payment = Payment.objects.filter(collection__order_id=self.order.pk).order_by("?").first()
        if payment is not None:
            part = self.random.choice([None, None, Decimal("1.23"), Decimal(10)])
            capturing.capture(actor=SYSTEM, payment_id=payment.pk, amount=part)

    def deliver(self) -> None:
        for line in self._lines():
            left = line.quantity - line.fulfilled_quantity
            units = self.random.choice([left, left, 1]) if left else 0
            if units:
                packed = creation.create(actor=SYSTEM, order_id=self.order.pk, items=[ItemQuantity(line.pk, units)])
                delivery.deliver(actor=SYSTEM, fulfillment_id=packed)

    def edit(self) -> None:
        line, random = self._line(), self.random
        price = Decimal(random.randint(0, 5000)) / 100 if random.random() < 0.3 else None
        changes = [LineChange(line.pk, random.randint(0, 5), price, {})] if random.random() < 0.8 else []
        added = self._added() if random.random() < 0.5 else []
        edit(
            actor=SYSTEM, order_id=self.order.pk, changed_items=changes, added_items=added,
            carry_over_promotions=random.random() < 0.3,
        )  # fmt: skip

    def exchange(self) -> None:
        units = [ReturnedUnits(self._line().pk, self.random.randint(1, 2))]
        exchanging.exchange(
            actor=SYSTEM, order_id=self.order.pk, returned=units, added=self._added(), inbound_shipping=self._inbound()
        )

    def claim(self) -> None:
        line, replaces = self._line(), self.random.random() < 0.5
        units = self.random.randint(1, 2)
        comes_back = self.random.random() < 0.5
        exchanging.claim(
            actor=SYSTEM,
            order_id=self.order.pk,
            claim_type=ClaimType.REPLACE if replaces else ClaimType.REFUND,
            claimed=[] if comes_back else [ClaimedUnits(line.pk, units)],
            returned=[ReturnedUnits(line.pk, units)] if comes_back else [],
            added=self._added() if replaces else [],
        )

    def request_return(self) -> None:
        item = NewReturnItem(self._line().pk, self.random.randint(1, 3))
        shipping = ReturnShipping(self.back.pk) if self.random.random() < 0.5 else None
        details = ReturnDetails(shipping=shipping)
        returns.request(actor=SYSTEM, order_id=self.order.pk, items=[item], details=details)

    def receive(self) -> None:
        back = self._return()
        items = []
        for row in back.items.all():
            left = row.quantity - row.received_quantity - row.damaged_quantity
            units = self.random.randint(0, left)
            damaged = self.random.randint(0, units)
            if units:
                items.append(ReceivedItem(row.item_id, units - damaged, damaged))
        receipt.receive(actor=SYSTEM, return_id=back.pk, items=items)

    def cancel_return(self) -> None:
        return_cancellation.cancel(actor=SYSTEM, return_id=self._return().pk)

    def cancel_change(self) -> None:
        change = OrderChange.objects.filter(order=self.order, kind__in=["exchange", "claim"]).order_by("?").first()
        if change is not None:
            change_cancellation.cancel(actor=SYSTEM, change_id=change.pk)

    def refund(self) -> None:
        most = refundable_of(self.order.pk)
        amount = self.random.choice([most, Decimal("0.01"), Decimal("1.15"), Decimal(5), round(most / 3, 2)])
        back = self.order.returns.exclude(status__in=["open", "canceled"]).order_by("?").first()
        named = {"return_id": back.pk} if back and self.random.random() < 0.5 else {"refund_reason_id": self.reason.pk}
        refunds.create(actor=SYSTEM, order_id=self.order.pk, amount=amount, **named)

    def mark_as_paid(self) -> None:
        row = PaymentCollection.objects.not_deleted().filter(cart=None, order_id=self.order.pk).first()
        if row is not None:
            payment_collections.mark_as_paid(actor=SYSTEM, collection_id=row.pk, order_id=self.order.pk)

    def void_cards(self) -> None:
        cancel_bought_cards([line.pk for line in self._lines() if line.is_giftcard])

    def correct(self) -> None:
        invoice = self.order.invoices.filter(kind="invoice").order_by("?").first()
        if invoice is not None:
            correct(actor=SYSTEM, invoice_id=invoice.pk)

    def issue(self) -> None:
        issue(actor=SYSTEM, order_id=self.order.pk)

    def cancel(self) -> None:
        cancellation.cancel(actor=SYSTEM, order_id=self.order.pk)

    def _lines(self) -> list[OrderLineItem]:
        return list(OrderLineItem.objects.not_deleted().filter(order=self.order).order_by("pk"))

    def _line(self) -> OrderLineItem:
        return self.random.choice(self._lines())

    def _return(self) -> Return:
        rows: list[Return] = list(Return.objects.filter(order=self.order).order_by("pk"))
        return self.random.choice(rows or [Return(pk="none")])

    def _added(self) -> list[NewItem]:
        return [NewItem(self.random.choice(self.variants).pk, self.random.randint(1, 2))]

    def _inbound(self) -> NewMethod | None:
        return NewMethod(self.back.pk) if self.random.random() < 0.5 else None


S = DocumentsShop
STEPS: tuple[Callable[[DocumentsShop], None], ...] = (
    *(S.capture, S.capture, S.deliver, S.deliver, S.deliver, S.edit, S.edit, S.exchange, S.exchange, S.claim),
    *(S.request_return, S.request_return, S.receive, S.receive, S.receive, S.cancel_return, S.cancel_change),
    *(S.refund, S.refund, S.refund),
    *(S.mark_as_paid, S.void_cards, S.correct, S.issue, S.cancel),
)
