"""Orders that are edited over HTTP, and what the edits leave of totals, money and stock."""

from typing import Any, NamedTuple

from django.db.models import Sum

from catalog.models import ProductVariant, Reservation
from giftcards.verification.verification import discrepancies
from orders.common.summary import pending_difference_of
from orders.models import Order, OrderLineItem
from payments.models import PaymentCollection
from tests.contract.callers import Caller
from tests.factories.carts import selling_region, sold_variant
from tests.factories.products import ProductFactory
from tests.orders.returns.shop import paid


def goods(title: str, amount: Any, *, in_stock: int | None = 10) -> ProductVariant:
    """A variant whose product has that title."""
    return sold_variant(amount, in_stock=in_stock, product=ProductFactory(title=title))


def order_a(*, captured: bool = True, **given: Any) -> Order:
    """2 mugs at 10.00, a tee at 25.00 and post of 5.00, at 20 % on top: 60.00. Of each there are 10."""
    region = selling_region(tax_rate=20)
    pieces = ((goods("mug", 10), 2), (goods("tee", 25), 1))
    return paid(*pieces, captured=captured, region_id=region.pk, **given)


def line(order: Order, title: str) -> OrderLineItem:
    found: OrderLineItem = OrderLineItem.objects.get(order=order, title=title)
    return found


def sent(caller: Caller, path: str, body: Any = None, *, method: str = "POST") -> Any:
    """The answer to what must succeed."""
    response = caller.send(method, f"/admin/{path}", {} if body is None else body)
    assert response.status_code == 200, response.content
    return response.json()


class Edit:
    """The edit of an order, begun over HTTP."""

    def __init__(self, caller: Caller, order: Order, **given: Any) -> None:
        self.caller, self.order = caller, order
        self.change = sent(caller, "order-edits", {"order_id": order.pk, **given})["order_change"]
        self.path = f"order-edits/{order.pk}"

    def add(self, variant: ProductVariant, quantity: int = 1, **given: Any) -> Any:
        items = [{"variant_id": variant.pk, "quantity": quantity, **given}]
        return sent(self.caller, f"{self.path}/items", {"items": items})["order_preview"]

    def set(self, title: str, quantity: int, **given: Any) -> Any:
        path = f"{self.path}/items/item/{line(self.order, title).pk}"
        return sent(self.caller, path, {"quantity": quantity, **given})["order_preview"]

    def confirm(self, **given: Any) -> Any:
        return sent(self.caller, f"{self.path}/confirm", given)["order_preview"]


class Outcome(NamedTuple):
    """collections: the amounts and statuses of the living ones."""

    total: str
    pending: str
    payment: str
    fulfillment: str
    version: int
    collections: list[tuple[str, str]]


def outcome(order: Order) -> Outcome:
    order.refresh_from_db()
    assert list(discrepancies()) == []
    rows = PaymentCollection.objects.not_deleted().filter(order_id=order.pk).order_by("pk")
    return Outcome(
        f"{order.total:.2f}",
        f"{pending_difference_of(order):.2f}",
        order.payment_status,
        order.fulfillment_status,
        order.version,
        [(f"{row.amount:.2f}", row.status) for row in rows],
    )


def reserved(order: Order) -> dict[str, int]:
    """Pieces by the title of their line, also of removed lines."""
    titles = dict(OrderLineItem.objects.filter(order=order).values_list("pk", "title"))
    held = Reservation.objects.not_deleted().filter(line_item_id__in=titles).order_by()
    sums = dict(held.values_list("line_item_id").annotate(sum=Sum("quantity")))
    return {title: sums.get(key, 0) for key, title in sorted(titles.items())}
