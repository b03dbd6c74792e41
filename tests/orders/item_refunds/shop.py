"""Orders whose units are refunded, and what that leaves."""

from typing import Any, NamedTuple

from catalog.models import InventoryLevel, ProductVariant
from kit.domain.actor import Actor
from orders.exchanges.refunds_by_item import ItemRefund, RefundedUnits, preview, refund_items
from orders.fulfillments import delivery
from orders.models import GrantedRefund, Order
from payments.models import RefundReason
from shop.models import Currency, StockLocation
from tests.factories.carts import selling_region
from tests.factories.inventory import StockLocationFactory, stock
from tests.factories.payments import refund_reason
from tests.orders.changes.shop import goods, line, outcome, reserved
from tests.orders.fulfillments.shop import STAFF, pack
from tests.orders.returns.shop import paid


def order_b(*, shipping: Any = "4.90", **given: Any) -> Order:
    """3 bags at 11.90, a box at 29.99 and post of 4.90, with 19 % in them: 70.59. Of each there are 10."""
    Currency.objects.filter(pk="usd").update(is_tax_inclusive=True)
    region = selling_region(tax_rate=19)
    main = StockLocationFactory()
    pieces = ((_stocked("bag", "11.90", main), 3), (_stocked("box", "29.99", main), 1))
    return paid(*pieces, region_id=region.pk, shipping=shipping, **given)


def _stocked(title: str, amount: str, location: StockLocation) -> ProductVariant:
    variant = goods(title, amount, in_stock=None)
    variant.manage_inventory, variant.title = True, ""
    variant.save()
    stock(variant, 10, location=location)
    return variant


def reason() -> str:
    found = RefundReason.objects.first() or refund_reason()
    return str(found.pk)


def deliver(order: Order, *units: int) -> None:
    """So many units of each line."""
    delivery.deliver(actor=STAFF, fulfillment_id=pack(order, *units).pk)


def units(order: Order, title: str = "bag", **given: Any) -> RefundedUnits:
    return RefundedUnits(line(order, title).pk, **given)


def refund(order: Order, *wanted: RefundedUnits, actor: Actor = STAFF, **terms: Any) -> GrantedRefund | None:
    """Refund these units of the order, for a reason unless one is given; the refund, if there is one."""
    if "refund_reason_id" not in terms:
        terms["refund_reason_id"] = reason()
    refund_id = refund_items(actor=actor, order_id=order.pk, units=wanted, **terms)
    return GrantedRefund.objects.filter(pk=refund_id).first()


def shown(order: Order, *wanted: RefundedUnits, actor: Actor = STAFF, **terms: Any) -> ItemRefund:
    """What the preview says, which leaves nothing."""
    before = left(order)
    told = preview(actor=actor, order_id=order.pk, units=wanted, refund_reason_id=reason(), **terms)
    assert left(order) == before
    return told


class Left(NamedTuple):
    """stock: pieces at each level. reserved: pieces by the title of their line."""

    total: str
    pending: str
    payment: str
    refunded: str
    version: int
    stock: list[int]
    reserved: dict[str, int]


def left(order: Order) -> Left:
    total, pending, payment, _, version, _ = outcome(order)
    stock = list(InventoryLevel.objects.order_by("pk").values_list("stocked_quantity", flat=True))
    return Left(total, pending, payment, f"{order.refunded_total:.2f}", version, stock, reserved(order))
