"""What the staff of `books_shop.Shop` do with orders, whichever there are by then."""

from decimal import Decimal

from kit.domain.actor import SYSTEM
from orders.fulfillments import cancellation as fulfillment_cancellation
from orders.fulfillments import creation, delivery, shipping
from orders.fulfillments.requested_items import ItemQuantity
from orders.managing import cancellation
from orders.models import Fulfillment, Order, OrderLineItem, Return
from orders.refunds import creation as refunds
from orders.refunds.sources import refundable_of
from orders.returns import creation as returns
from orders.returns import receipt
from orders.returns.creation import NewReturnItem
from orders.returns.receipt import ReceivedItem
from payments.models import RefundReason
from tests.properties.test_payments import one_of


class OrderDesk:
    """Each step is about one of the rows that there are; `number` says which, whatever their number."""

    reason: RefundReason

    def pack(self, number: int, units: int) -> None:
        for line in one_of(OrderLineItem.objects.all(), number):
            creation.create(actor=SYSTEM, order_id=line.order_id, items=[ItemQuantity(line.pk, units)])

    def ship(self, number: int) -> None:
        for fulfillment in one_of(Fulfillment.objects.all(), number):
            shipping.ship(actor=SYSTEM, fulfillment_id=fulfillment.pk)

    def deliver(self, number: int) -> None:
        for fulfillment in one_of(Fulfillment.objects.all(), number):
            delivery.deliver(actor=SYSTEM, fulfillment_id=fulfillment.pk)

    def unpack(self, number: int) -> None:
        for fulfillment in one_of(Fulfillment.objects.all(), number):
            fulfillment_cancellation.cancel(actor=SYSTEM, fulfillment_id=fulfillment.pk)

    def bring_back(self, number: int, units: int, undamaged: int, damaged: int) -> None:
        """So many units are to come back, and these of them do."""
        for line in one_of(OrderLineItem.objects.filter(delivered_quantity__gt=0), number):
            item = NewReturnItem(line.pk, units)
            return_id = returns.request(actor=SYSTEM, order_id=line.order_id, items=[item])
            receipt.receive(actor=SYSTEM, return_id=return_id, items=[ReceivedItem(line.pk, undamaged, damaged)])

    def receive_rest(self, number: int) -> None:
        """What is still to come of a return does, undamaged."""
        for back in one_of(Return.objects.all(), number):
            waiting = {
                row.item_id: row.quantity - row.received_quantity - row.damaged_quantity for row in back.items.all()
            }
            items = [ReceivedItem(line_id, units) for line_id, units in waiting.items() if units]
            receipt.receive(actor=SYSTEM, return_id=back.pk, items=items)

    def refund_order(self, number: int, amount: int | None, to_store_credit: bool, for_return: bool) -> None:
        """An amount, or all that can be refunded, for a reason or for the order's return."""
        for order in one_of(Order.objects.all(), number):
            back = order.returns.order_by("pk").last() if for_return else None
            refunds.create(
                actor=SYSTEM,
                order_id=order.pk,
                amount=refundable_of(order.pk) if amount is None else Decimal(amount),
                refund_reason_id=None if back else self.reason.pk,
                return_id=back.pk if back else None,
                to_store_credit=to_store_credit,
            )

    def cancel(self, number: int) -> None:
        for order in one_of(Order.objects.all(), number):
            cancellation.cancel(actor=SYSTEM, order_id=order.pk)
