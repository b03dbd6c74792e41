"""What a claim replaces costs what was paid, whatever the catalogue says; staff may set another price."""

from decimal import Decimal
from typing import Any

import pytest

from catalog.models import ProductVariant
from giftcards.verification.verification import discrepancies
from orders.changes.added_lines import NewItem
from orders.changes.editing import edit
from orders.changes.items import LineChange
from orders.exchanges import cancellation, exchanging, lifecycle, outbound, written_off
from orders.exchanges.written_off import ClaimedUnits
from orders.models import Order, OrderAdjustment
from orders.states import ChangeKind, ClaimType
from tests.factories.carts import PromotionFactory, selling_region
from tests.factories.customers import CustomerFactory
from tests.orders.changes.shop import goods, line, outcome
from tests.orders.exchanges.shop import action_of, begun, delivered_a, exchanged
from tests.orders.fulfillments.shop import STAFF, lines
from tests.orders.returns.shop import delivered

pytestmark = pytest.mark.django_db


def replaced(order: Order, units: int = 1, **given: Any) -> Order:
    """A claim of units of the first line, which are sent again."""
    first = lines(order)[0]
    exchanging.claim(
        actor=STAFF, order_id=order.pk, claim_type=ClaimType.REPLACE, claimed=[ClaimedUnits(first.pk, units)],
        added=[NewItem(str(first.variant_id), units, **given)],
    )  # fmt: skip
    return order


def of_three(**given: Any) -> Order:
    """3 mugs at 10.00 and 20 % tax."""
    return delivered((goods("mug", 10), 3), region_id=selling_region(tax_rate=20).pk, **given)


def test_a_share_of_an_amount_off_the_order_goes_with_the_units() -> None:
    """10.00 off three: 6.67 off two, and 3.33 off the last; so the replacement of one is less 3.33."""
    code = PromotionFactory(target="order", type="fixed", value=10, currency_id="usd").code
    order = replaced(of_three(promo_codes=[code]))
    assert outcome(order)[:2] == ("30.00", "0.00")
    last = lines(order)[-1]
    adjustment = OrderAdjustment.objects.get(item=last)
    assert (last.total, adjustment.code, adjustment.amount) == (Decimal("8.00"), code, Decimal("3.33"))


def test_a_price_that_staff_set_has_no_discount() -> None:
    code = PromotionFactory().code
    order = replaced(of_three(promo_codes=[code]), unit_price=Decimal(5))
    last = lines(order)[-1]
    assert (last.total, last.is_custom_price, last.adjustments.count()) == (6, True, 0)
    assert outcome(order)[1] == "-4.80"


def test_a_price_that_staff_set_later_has_none_either() -> None:
    order = of_three(promo_codes=[PromotionFactory().code])
    to: dict[str, Any] = {"actor": STAFF, "change_id": begun(order, ChangeKind.CLAIM, ClaimType.REPLACE)}
    first = lines(order)[0]
    written_off.add(**to, items=[ClaimedUnits(first.pk, 1)])
    outbound.add(**to, items=[NewItem(str(first.variant_id), 1)])
    action = action_of(to["change_id"], "item_add")
    assert (action.replaces, action.unit_price) == (first.pk, 10)
    outbound.change(**to, action_id=action.pk, unit_price=Decimal(5))
    assert lifecycle.request(**to).pending_difference == -4_8000


def test_an_exempt_order_stays_exempt() -> None:
    customer = CustomerFactory(is_tax_exempt=True)
    order = of_three(customer=customer)
    before = outcome(order)[0]
    type(customer).objects.filter(pk=customer.pk).update(is_tax_exempt=False)
    replaced(order)
    assert outcome(order)[:2] == (before, "0.00")
    assert not lines(order)[-1].tax_lines.exists()


def test_what_is_no_longer_priced_is_replaced() -> None:
    order = of_three()
    variant = lines(order)[0].variant_id
    ProductVariant.objects.get(pk=variant).price_set.prices.all().delete()
    assert outcome(replaced(order))[1] == "0.00"


def test_more_units_than_are_claimed_cost_the_same_each() -> None:
    order = of_three(promo_codes=[PromotionFactory().code])
    first = lines(order)[0]
    exchanging.claim(
        actor=STAFF, order_id=order.pk, claim_type=ClaimType.REPLACE, claimed=[ClaimedUnits(first.pk, 1)],
        added=[NewItem(str(first.variant_id), 2)],
    )  # fmt: skip
    assert (lines(order)[-1].total, outcome(order)[1]) == (Decimal("21.60"), "10.80")


def test_a_later_edit_of_an_added_line_is_undone_with_the_exchange() -> None:
    order, blue = delivered_a(), goods("blue", 10)
    change = exchanged(order, blue)
    edit(actor=STAFF, order_id=order.pk, changed_items=[LineChange(line(order, "blue").pk, 3, None, {})])
    assert outcome(order)[:2] == ("96.00", "24.00")
    cancellation.cancel(actor=STAFF, change_id=change.pk)
    assert outcome(order)[:4] == ("60.00", "0.00", "captured", "delivered")
    again = exchanged(order, blue)
    edit(actor=STAFF, order_id=order.pk, changed_items=[LineChange(_living(order).pk, 0, None, {})])
    assert outcome(order)[:2] == ("60.00", "-12.00")
    cancellation.cancel(actor=STAFF, change_id=again.pk)
    assert outcome(order)[:2] == ("60.00", "0.00")
    assert list(discrepancies()) == []


def _living(order: Order) -> Any:
    return next(each for each in lines(order) if each.title == "blue" and each.deleted_at is None)
