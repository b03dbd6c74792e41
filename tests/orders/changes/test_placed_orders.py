"""Orders of every kind cost, as they are read for a change, what their own columns say."""

from decimal import Decimal
from random import Random

import pytest
from django.db.models import F
from pytest_django import DjangoAssertNumQueries

from carts.arithmetic.totals import CartTotals
from carts.lines.lines import NewLineItem
from carts.models import PromotionRule
from carts.promotions.derived import keep_derived
from carts.rule_attributes import COLLECTION
from carts.states import Comparison, RuleKind
from kit.domain.actor import SYSTEM
from kit.values.money import stored
from kit.values.timestamps import now
from orders.changes.computation import ComputedOrder, computed
from orders.changes.order_rows import UpdateItem
from orders.changes.placed_orders import placed_order
from orders.common.summary import pending_difference_of
from orders.managing import cancellation
from orders.models import Order, OrderLineItem
from orders.returns.creation import ReturnDetails
from orders.returns.shipping import ReturnShipping
from orders.returns.totals import LINE_TOTALS
from tests.factories.carts import PromotionFactory, selling_region, sold_variant
from tests.factories.checkout import pay, ready_cart
from tests.factories.customers import CustomerFactory
from tests.factories.fulfillment import option
from tests.factories.orders import order
from tests.factories.pricing import price
from tests.factories.products import ProductCollectionFactory, ProductFactory, VariantFactory
from tests.old_version import old_process
from tests.orders.completing import order_of
from tests.orders.placed import gift, placed
from tests.orders.returns.random_orders import RandomCarts, left
from tests.orders.returns.shop import lines, receive, request

pytestmark = [pytest.mark.once, pytest.mark.django_db]
BACK = [("is_return", "eq", "true")]


def unchanged(made: Order, *, carry_over: bool = False, is_old: bool = False) -> ComputedOrder:
    """What the order is computed to cost without any action, after comparing it with all columns.

    is_old: whether an older version has placed it, which said of a unit what all refund on average.
    """
    made.refresh_from_db()
    after = computed(placed_order(made.pk, with_facts=carry_over), [], carry_over=carry_over)
    assert after.refusals == []
    assert after.totals._asdict() == {name: stored(getattr(made, name)) for name in CartTotals._fields}
    assert after.balance.requested == stored(made.requested_return_total)
    assert (after.pending_difference, after.difference) == (stored(pending_difference_of(made)), 0)
    rows = {row.pk: row for row in lines(made)}
    assert [each.line.id for each in after.lines] == sorted(rows)
    for each in after.lines:
        row = rows[each.line.id]
        assert not each.is_changed
        assert each.line.placed_total == stored(row.placed_total)
        for name in (*LINE_TOTALS, "refundable_total", *([] if is_old else ["refundable_total_per_unit"])):
            assert getattr(each.totals, name) == stored(getattr(row, name)), name
        taxes = row.tax_lines.filter(deleted_at=None).order_by("pk")
        assert each.totals.tax_lines == [(stored(tax.total), stored(tax.subtotal)) for tax in taxes]
    return after


def delivered(made: Order) -> Order:
    """Its counters say that it was delivered."""
    OrderLineItem.objects.filter(order=made).update(
        fulfilled_quantity=F("quantity"), shipped_quantity=F("quantity"), delivered_quantity=F("quantity")
    )
    return made


def returned(made: Order, random: Random, *, is_old: bool = False) -> None:
    """Some of its units are requested back, and some of these received."""
    units = [random.randint(0, left(line)) for line in lines(made)]
    if any(units):
        asked = request(made, *units)
        unchanged(made, is_old=is_old)
        arrived = [random.randint(0, number) for number in units]
        if any(arrived):
            receive(asked, *arrived)
            unchanged(made, is_old=is_old)


def test_random_orders_and_their_returns() -> None:
    random = Random(41)  # noqa: S311 - not for secrets
    shop = RandomCarts(random)
    for number in range(12):
        cart, _ = shop.shipped_cart(with_card=number % 3 == 0, with_credit=number % 4 == 0)
        made = delivered(order(cart=cart, captured=True))
        unchanged(made)
        returned(made, random)


def test_orders_of_the_version_before_amounts_as_stated() -> None:
    random = Random(42)  # noqa: S311 - not for secrets
    with old_process():
        shop = RandomCarts(random)
        orders = [delivered(order(cart=shop.cart(), captured=True)) for _ in range(12)]
    for made in orders:
        unchanged(made, is_old=True)
        returned(made, random, is_old=True)


def test_an_order_with_shipping_and_a_gift_card_before_and_after_it_is_canceled() -> None:
    made = order(captured=True)
    unchanged(made)
    cancellation.cancel(actor=SYSTEM, order_id=made.pk)
    assert unchanged(made).pending_difference == 0


def test_an_order_of_a_gift_card_beside_goods() -> None:
    unchanged(placed(gift(), sold_variant(10)))


@pytest.mark.parametrize(("is_tax_inclusive", "one"), [(True, "2.43"), (False, "2.91")])
def test_exempt_orders(is_tax_inclusive: bool, one: str) -> None:
    """Of 3 x 3.33, 12.5 % is 1.25, and 0.42 of one: it costs 2.91, of which the tax of 20 % is not charged."""
    region = selling_region(tax_rate=20, is_tax_inclusive=is_tax_inclusive)
    customer = CustomerFactory(is_tax_exempt=True)
    given = {"region_id": region.pk, "customer_id": customer.pk, "promo_codes": [PromotionFactory(value="12.5").code]}
    variant = VariantFactory(manage_inventory=False)
    price(variant, "3.33", region=region)
    made = order_of(ready_cart(NewLineItem(variant.pk, 3), **given))
    unchanged(made)
    unchanged(made, carry_over=True)
    after = computed(placed_order(made.pk), [UpdateItem(lines(made)[0].pk, 1)])
    assert (after.totals.item_total, after.totals.item_tax_total) == (stored(Decimal(one)), 0)


def test_the_shipping_of_a_return_counts_once_it_is_requested() -> None:
    way = option(5, name="By post", rules=BACK)
    made = delivered(order(captured=True))
    request(made, 1, details=ReturnDetails(shipping=ReturnShipping(way.pk)))
    unchanged(made)


def test_promotions_that_are_carried_over_change_nothing_of_an_order_as_it_was_placed() -> None:
    shop = RandomCarts(Random(43))  # noqa: S311 - not for secrets
    for _ in range(8):
        cart, _ = shop.shipped_cart(with_card=False, with_credit=False)
        pay(cart)
        unchanged(order_of(cart), carry_over=True)


def test_collections_are_those_of_today_and_discounts_stay_where_they_are(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    spring, code = ProductCollectionFactory(), PromotionFactory()
    PromotionRule.objects.create(
        promotion=code, kind=RuleKind.TARGET_RULES, attribute=COLLECTION, operator=Comparison.IN, values=[spring.pk]
    )
    keep_derived([code.pk])
    first, second, third = (ProductFactory(collection=each) for each in (spring, None, None))
    pieces = [NewLineItem(sold_variant(10, product=each).pk, 2) for each in (first, second, third)]
    made = order_of(ready_cart(*pieces, promo_codes=[code.code]))
    assert [line.discount_total for line in lines(made)] == [2, 0, 0]
    type(first).objects.filter(pk=first.pk).update(collection=None)
    type(first).objects.filter(pk=second.pk).update(collection=spring)
    with django_assert_num_queries(7):
        read = placed_order(made.pk, with_facts=True)
    after = computed(read, [], carry_over=True)
    assert [each.totals.discount_total for each in after.lines] == [20000, 20000, 0]
    assert [each.is_changed for each in after.lines] == [False, True, False]
    [discount] = after.lines[1].line.discounts
    assert (discount.id, discount.promotion_id, discount.code) == (None, code.pk, code.code)


@pytest.mark.parametrize("count", [1, 5])
def test_any_number_of_lines_is_read_by_six_statements(
    count: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    made = order(lines=count)
    with django_assert_num_queries(6):
        assert len(placed_order(made.pk).lines) == count


def test_a_line_knows_whether_its_variant_still_exists() -> None:
    kept, gone = sold_variant(10), sold_variant(10)
    made = placed(kept, gone)
    gone.product.deleted_at = now()
    gone.product.save(update_fields=["deleted_at"])
    living = {line.id: line.has_variant for line in placed_order(made.pk).lines}
    assert living == {line.pk: line.variant_id == kept.pk for line in lines(made)}
