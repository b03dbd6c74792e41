"""What the staff of `books_shop.Shop` do with orders that change, and who pays what these then owe."""

from collections.abc import Sequence
from decimal import Decimal

from catalog.models import ProductVariant
from kit.domain.actor import SYSTEM
from kit.values.money import major
from orders.changes import confirmation, items, lifecycle
from orders.changes.added_lines import NewItem
from orders.changes.editing import edit
from orders.changes.items import LineChange
from orders.common.outstanding import outstanding_of
from orders.mails.payment_links import token_of
from orders.managing import credit_lines, payment_collections
from orders.managing.payment_links import creation as links
from orders.managing.payment_links import paying
from orders.models import Order, OrderChange, OrderLineItem
from payments.models import PaymentCollection
from tests.payments.providers import FAKE
from tests.properties.test_payments import one_of


class EditDesk:
    """Each step is about one of the rows that there are; `number` says which, whatever their number."""

    variants: Sequence[ProductVariant]

    def edit(self, number: int, quantity: int, price: int | None, added: int, carries_over: bool) -> None:
        """A line gets that quantity and maybe a price, and so many of a variant are added."""
        for line in one_of(OrderLineItem.objects.not_deleted(), number):
            change = LineChange(line.pk, quantity, None if price is None else Decimal(price), {})
            more = [NewItem(self.variants[number % len(self.variants)].pk, added)] if added else []
            given = {"changed_items": [change], "added_items": more, "carry_over_promotions": carries_over}
            edit(actor=SYSTEM, order_id=line.order_id, **given)

    def begin_edit(self, number: int, quantity: int) -> None:
        """An edit stays open."""
        for line in one_of(OrderLineItem.objects.not_deleted(), number):
            lifecycle.begin(actor=SYSTEM, order_id=line.order_id)
            items.change_line(actor=SYSTEM, order_id=line.order_id, line_id=line.pk, quantity=quantity)

    def confirm_edit(self, number: int) -> None:
        for change in self._open(number):
            confirmation.confirm(actor=SYSTEM, order_id=change.order_id)

    def cancel_edit(self, number: int) -> None:
        for change in self._open(number):
            lifecycle.cancel(actor=SYSTEM, order_id=change.order_id)

    def ask(self, number: int, amount: int) -> None:
        for order in one_of(Order.objects.all(), number):
            payment_collections.create(actor=SYSTEM, order_id=order.pk, amount=Decimal(amount))

    def mark_as_paid(self, number: int) -> None:
        for row in self._asked(number):
            payment_collections.mark_as_paid(actor=SYSTEM, collection_id=row.pk, order_id=str(row.order_id))

    def delete_collection(self, number: int) -> None:
        for row in self._asked(number):
            payment_collections.delete(actor=SYSTEM, collection_id=row.pk)

    def pay_by_link(self, number: int) -> None:
        for order in one_of(Order.objects.all(), number):
            link_id = links.create(actor=SYSTEM, order_id=order.pk, no_notification=True)
            left = major(outstanding_of(order))
            paying.pay(token=token_of(link_id), provider_id=FAKE, amount=left)

    def pay_by_credit(self, number: int, amount: int) -> None:
        """A negative amount is given back."""
        for order in one_of(Order.objects.all(), number):
            named = {"reference": "order_change", "reference_id": f"at version {order.version}"}
            credit_lines.create(actor=SYSTEM, order_id=order.pk, amount=Decimal(amount), **named)

    def _open(self, number: int) -> list[OrderChange]:
        return one_of(OrderChange.objects.filter(status="pending"), number)

    def _asked(self, number: int) -> list[PaymentCollection]:
        return one_of(PaymentCollection.objects.not_deleted().filter(cart=None), number)
