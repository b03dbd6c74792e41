"""Orders that the version before amounts as stated has placed keep every amount, and are returned as they were."""

from decimal import Decimal
from random import Random
from typing import Any

import pytest
from django.db.models import F, Model

from carts.arithmetic.line_totals import Line, LineTotals
from carts.models import Cart
from kit.domain.actor import SYSTEM
from kit.values.money import stored
from orders.common.placed_lines import PlacedLine
from orders.models import Order, OrderAdjustment, OrderLineItem, OrderTaxLine
from orders.refunds import creation as refunds
from orders.refunds.sources import refundable_of
from orders.returns.totals import LINE_TOTALS
from tests import old_arithmetic
from tests.factories.orders import order
from tests.factories.payments import refund_reason
from tests.old_version import old_process
from tests.orders.returns.random_orders import RandomCarts, left
from tests.orders.returns.shop import lines, receive, request
from tests.plugins.migrating import migrated_back

pytestmark = [pytest.mark.once, pytest.mark.django_db(transaction=True)]
ORDERS = 200


def delivered(cart: Cart) -> Order:
    """The captured order of the cart; its counters say that it was delivered."""
    made = order(cart=cart, captured=True)
    OrderLineItem.objects.filter(order=made).update(fulfilled_quantity=F("quantity"), delivered_quantity=F("quantity"))
    return made


def amounts() -> list[list[dict[str, Any]]]:
    """All that the tables of orders' amounts hold, without the columns that are new."""
    adjustments = {"stated_amount", "is_tax_inclusive", "beside_amount", "beside_total"}
    exemption = {"is_tax_exempt", "tax_number", "exempt_rate", "exempt_tax_total"}
    tables = {Order: exemption, OrderLineItem: exemption, OrderTaxLine: set[str](), OrderAdjustment: adjustments}
    return [
        list(model._default_manager.order_by("pk").values(*(each for each in columns_of(model) if each not in new)))
        for model, new in tables.items()
    ]


def columns_of(model: type[Model]) -> list[str]:
    return [each.attname for each in model._meta.concrete_fields]


def as_before(line: OrderLineItem, units: int) -> LineTotals:
    """What that version makes of so many kept units."""
    plain = Line(
        line.quantity,
        stored(line.unit_price),
        line.is_tax_inclusive,
        [stored(tax.rate) for tax in line.tax_lines.order_by("pk")],
        [stored(each.amount) for each in line.adjustments.all()],
    )
    return old_arithmetic.kept_totals(plain, units, currency_code="usd")


def check(made: Order) -> None:
    """Lines and order are what that version would have made of them."""
    made.refresh_from_db()
    kept_lines, requested = [], 0
    for line in lines(made):
        kept = as_before(line, left(line) + line.return_requested_quantity)
        fewer = as_before(line, left(line))
        assert {name: stored(getattr(line, name)) for name in LINE_TOTALS} == {
            name: getattr(kept, name) for name in LINE_TOTALS
        }
        assert stored(line.refundable_total) == fewer.total
        requested += kept.total - fewer.total
        kept_lines.append(kept)
    assert stored(made.item_total) == stored(made.total) == sum(each.total for each in kept_lines)
    assert stored(made.discount_subtotal) == sum(each.discount_subtotal for each in kept_lines)
    assert stored(made.tax_total) == sum(each.tax_total for each in kept_lines)
    assert stored(made.requested_return_total) == requested


@pytest.mark.every(4)
def test_200_orders_are_migrated_and_returned_and_refunded_as_before() -> None:
    random = Random(32)  # noqa: S311 - not for secrets
    with old_process():
        shop = RandomCarts(random)
        orders = [delivered(shop.cart()) for _ in range(ORDERS)]
        begun = [request(made, *[random.randint(1, left(line)) for line in lines(made)]) for made in orders[::3]]
        for returned in begun[::2]:
            receive(returned, *[units if (units := item.quantity) < 2 else 1 for item in items_by_line(returned)])
    before = amounts()
    with migrated_back("orders", "0019_search_ends"):
        pass
    with migrated_back("carts", "0007_of_email"):
        pass
    assert amounts() == before
    reason, discounted = refund_reason(), 0
    for made in orders:
        check(made)
        discounted += any(line.is_tax_inclusive and line.adjustments.exists() for line in lines(made))
        for returned in made.returns.exclude(status="received"):
            receive(returned, *[item.quantity - item.received_quantity for item in items_by_line(returned)])
            check(made)
        while any(left(line) for line in lines(made)):
            units = [min(left(line), random.randint(1, 3)) for line in lines(made)]
            returned = request(made, *units)
            check(made)
            receive(returned, *units)
            check(made)
        assert (made.total, made.original_order_total) == (0, made.paid_total)
        if made.paid_total:
            amount = refundable_of(made.pk)
            refunds.create(actor=SYSTEM, order_id=made.pk, amount=amount, refund_reason_id=reason.pk)
            made.refresh_from_db()
        assert Decimal(made.refunded_total) == made.paid_total
    assert discounted > ORDERS / 4


def items_by_line(returned: Any) -> list[Any]:
    """The items of the return, in the order of the order's lines."""
    return list(returned.items.order_by("item_id"))


def test_no_unit_refunds_less_than_nothing() -> None:
    """Of 3 x 0.64 less 1.61 net at 19 %, two units cost a cent by that version's arithmetic, and three nothing."""
    line = Line(3, stored(Decimal("0.64")), True, [stored(Decimal(19))], [stored(Decimal("1.61"))])
    placed = PlacedLine(line, "eur", is_net=True)
    assert [placed.kept(units).total for units in (3, 2)] == [0, 100]
    assert placed.kept(3).refundable_total_per_unit == 0
