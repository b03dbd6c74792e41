"""Orders whose goods were delivered, and what their returns leave in lines and stock."""

from typing import Any, NamedTuple

from carts.lines.lines import NewLineItem
from catalog.models import InventoryLevel, ProductVariant, StockMovement
from catalog.stock.stock_claims import LineClaim, claim_stock
from customers.models import Customer
from kit.domain.actor import Actor
from orders.fulfillments import delivery
from orders.models import Order, Return, ReturnItem
from orders.returns import creation, receipt
from orders.returns.creation import NewReturnItem, ReturnDetails
from orders.returns.receipt import ReceivedItem
from tests.factories.carts import sold_variant
from tests.factories.checkout import checked_out_cart
from tests.factories.orders import order
from tests.orders.fulfillments.shop import STAFF, lines, pack

__all__ = ["STAFF", "books", "delivered", "lines", "paid", "receive", "request", "return_of", "wanted"]


def paid(
    *pieces: tuple[ProductVariant, int], customer: Customer | None = None, captured: bool = True, **given: Any
) -> Order:
    """The captured order of so many of each variant; by default of five of one, of which there are ten, at 10 each.

    captured: whether the payment is captured, not only authorized.
    """
    items = [NewLineItem(variant.pk, units) for variant, units in pieces or ((sold_variant(10, in_stock=10), 5),)]
    made = order(
        cart=checked_out_cart(*items, customer_id=customer.pk if customer else None, **given), captured=captured
    )
    claims = [LineClaim(line.pk, str(line.variant_id), line.quantity) for line in lines(made)]
    claim_stock(claims, made.sales_channel_id)
    return made


def delivered(*pieces: tuple[ProductVariant, int], **given: Any) -> Order:
    """A captured order, fully delivered."""
    made = paid(*pieces, **given)
    delivery.deliver(actor=STAFF, fulfillment_id=pack(made, *(line.quantity for line in lines(made))).pk)
    return made


def wanted(made: Order, *units: int, **given: Any) -> list[NewReturnItem]:
    """So many units of each line, in their order; 0 leaves one out."""
    pairs = zip(lines(made), units, strict=False)
    return [NewReturnItem(line.pk, number, **given) for line, number in pairs if number]


def request(made: Order, *units: int, actor: Actor = STAFF, **given: Any) -> Return:
    """A return of so many units of each line."""
    found: Return = Return.objects.get(
        pk=creation.request(actor=actor, order_id=made.pk, items=wanted(made, *units), **given)
    )
    return found


def receive(returned: Return, *units: tuple[int, int] | int, actor: Actor = STAFF, **given: Any) -> None:
    """So many units of each line of the order, or of these so many undamaged and so many damaged."""
    counts = [(each, 0) if isinstance(each, int) else each for each in units]
    pairs = zip(lines(returned.order), counts, strict=False)
    items = [ReceivedItem(line.pk, *count) for line, count in pairs if any(count)]
    place = returned.order.fulfillments.values_list("location_id", flat=True).first()
    receipt.receive(actor=actor, return_id=returned.pk, items=items, **{"location_id": place, **given})
    returned.refresh_from_db()


def return_of(made: Order | None = None, **details: Any) -> Return:
    """A return of one unit of the order, or of a new one whose stock is not managed."""
    return request(made or delivered((sold_variant(10), 2)), 1, details=ReturnDetails(**details))


class Books(NamedTuple):
    """counters: of each line requested, received, dismissed. stock: of each level. restocked: of each movement."""

    counters: list[tuple[int, int, int]]
    stock: list[int]
    restocked: list[int]


def books(made: Order) -> Books:
    """What is written down, after comparing the counters with the items of all returns."""
    for line in lines(made):
        items = ReturnItem.objects.filter(item=line)
        assert line.return_received_quantity == sum(item.received_quantity for item in items)
        assert line.return_dismissed_quantity == sum(item.damaged_quantity for item in items)
    return Books(
        [
            (line.return_requested_quantity, line.return_received_quantity, line.return_dismissed_quantity)
            for line in lines(made)
        ],
        [level.stocked_quantity for level in InventoryLevel.objects.order_by("pk")],
        [movement.difference for movement in StockMovement.objects.filter(reason="return").order_by("level_id", "pk")],
    )
