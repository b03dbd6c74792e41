"""What the staff of `books_shop.Shop` do when goods are exchanged or claimed."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from catalog.models import ProductVariant
from kit.domain.actor import SYSTEM
from orders.changes.added_lines import NewItem
from orders.exchanges import cancellation, exchanging, inbound, lifecycle, outbound
from orders.exchanges.inbound import ReturnedUnits
from orders.exchanges.written_off import ClaimedUnits
from orders.models import OrderChange, OrderLineItem, Return
from orders.returns import cancellation as return_cancellation
from orders.states import ChangeKind, ClaimType
from tests.properties.test_payments import one_of

GOODS = ("exchange", "claim")


class GoodsDesk:
    """Each step is about one of the rows that there are; `number` says which, whatever their number."""

    variants: Sequence[ProductVariant]

    def exchange(self, number: int, units: int, added: int, price: int | None, carries_over: bool) -> None:
        """Units of a line that was sent are to come back, and so many of a variant go out, maybe at a price."""
        for line in self._sent(number):
            given = {"returned": [ReturnedUnits(line.pk, units)], "added": self._new(number, added, price)}
            exchanging.exchange(actor=SYSTEM, order_id=line.order_id, carry_over_promotions=carries_over, **given)

    def claim(self, number: int, written_off: int, returned: int, added: int) -> None:
        """Some units of a line stay with the customer, others are to come back; a line is replaced or refunded."""
        for line in self._sent(number):
            given: dict[str, Any] = {"claim_type": ClaimType.REPLACE if added else ClaimType.REFUND}
            if written_off:
                given["claimed"] = [ClaimedUnits(line.pk, written_off)]
            if returned:
                given["returned"] = [ReturnedUnits(line.pk, returned)]
            if added:
                given["added"] = [NewItem(line.variant_id, added)]
            exchanging.claim(actor=SYSTEM, order_id=line.order_id, **given)

    def begin_exchange(self, number: int, units: int, added: int) -> None:
        """An exchange stays open."""
        for line in self._sent(number):
            change_id = lifecycle.begin(actor=SYSTEM, order_id=line.order_id, kind=ChangeKind.EXCHANGE)
            inbound.add(actor=SYSTEM, change_id=change_id, items=[ReturnedUnits(line.pk, units)])
            outbound.add(actor=SYSTEM, change_id=change_id, items=self._new(number, added, None))

    def request_exchange(self, number: int) -> None:
        for change in self._changes(number, "pending"):
            lifecycle.request(actor=SYSTEM, change_id=change.pk)

    def cancel_goods(self, number: int) -> None:
        for change in self._changes(number, "confirmed"):
            cancellation.cancel(actor=SYSTEM, change_id=change.pk)

    def cancel_return(self, number: int) -> None:
        for back in one_of(Return.objects.all(), number):
            return_cancellation.cancel(actor=SYSTEM, return_id=back.pk)

    def _new(self, number: int, units: int, price: int | None) -> list[NewItem]:
        terms = {} if price is None else {"unit_price": Decimal(price)}
        return [NewItem(self.variants[number % len(self.variants)].pk, units, **terms)]

    def _sent(self, number: int) -> list[OrderLineItem]:
        return one_of(OrderLineItem.objects.not_deleted().filter(fulfilled_quantity__gt=0), number)

    def _changes(self, number: int, status: str) -> list[OrderChange]:
        return one_of(OrderChange.objects.filter(kind__in=GOODS, status=status), number)
