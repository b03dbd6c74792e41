"""The version before amounts as stated serves the same database: no order has a total that its shopper was not shown.

Of the worked example, 2 x 100.00 including 20 % less 50 %, that version asks for 99.99, this one for 100.00. Both store
a discount of 83.34 without tax.
"""

from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from decimal import Decimal
from itertools import pairwise
from typing import Any

import pytest

from carts.checkout import taxes
from carts.details import promotion_codes
from carts.lines import line_removal
from carts.lines.lines import NewLineItem
from carts.models import Adjustment, Cart
from giftcards.verification.verification import discrepancies
from kit.errors import Unavailable
from orders.common.errors import TotalChanged
from orders.completion.resuming import resume_all
from orders.fulfillments import delivery
from orders.models import Order
from orders.returns import cancellation
from payments.states import Act
from tests.contract.callers import storefront
from tests.factories.apikeys import publishable_key
from tests.factories.carts import PromotionFactory, selling_region, shopper
from tests.factories.checkout import pay, ready_cart
from tests.factories.pricing import price
from tests.factories.products import VariantFactory
from tests.old_version import old_process
from tests.orders.completing import completed, order_of
from tests.orders.returns.shop import STAFF, lines, pack, receive, request
from tests.payments.providers import FAKE, FakeProvider, switched_on

pytestmark = pytest.mark.django_db(transaction=True)
OLD, NEW = Decimal("99.99"), Decimal("100.00")
SHOWN = {OLD: (83.34, False), NEW: (100, True)}
UNITS = {OLD: [Decimal("50.00"), Decimal("49.99")], NEW: [Decimal("50.00"), Decimal("50.00")]}


def new_process() -> AbstractContextManager[None]:
    return nullcontext()


PROCESS = {OLD: old_process, NEW: new_process}


@pytest.fixture
def fake(transactional_db: None, settings: Any) -> Iterator[FakeProvider]:
    with switched_on(settings) as made:
        yield made


def example(*, amount: Any = 100, quantity: int = 2, percent: int = 50, **given: Any) -> Cart:
    region = selling_region(tax_rate=20, is_tax_inclusive=True)
    variant = VariantFactory(manage_inventory=False)
    price(variant, amount, region=region)
    code = PromotionFactory(value=percent).code
    pieces = NewLineItem(variant.pk, quantity)
    return ready_cart(pieces, region_id=region.pk, promo_codes=[code], shipping=0, **given)


def refreshed(cart: Cart) -> Decimal:
    taxes.calculate(actor=shopper(), cart_id=cart.pk)
    cart.refresh_from_db()
    return Decimal(cart.total)


def adjustment_of(cart: Cart) -> tuple[float, bool]:
    """As the cart shows it, in the terms of its line."""
    response = storefront(publishable_key()).get(f"/store/carts/{cart.pk}", "fields=*items.adjustments")
    [item] = response.json()["cart"]["items"]
    [shown] = item["adjustments"]
    return shown["amount"], shown["is_tax_inclusive"]


def returned_one_by_one(order: Order) -> list[Decimal]:
    """What each unit refunds. A request that is canceled changes nothing."""
    delivery.deliver(actor=STAFF, fulfillment_id=pack(order, *(line.quantity for line in lines(order))).pk)
    cancellation.cancel(actor=STAFF, return_id=request(order, 1).pk)
    order.refresh_from_db()
    totals = [order.total]
    for _ in range(lines(order)[0].quantity):
        [line] = lines(order)
        before = line.refundable_total_per_unit
        receive(request(order, 1), 1)
        order.refresh_from_db()
        totals.append(order.total)
        assert totals[-2] - totals[-1] == before
    assert list(discrepancies()) == []
    return [before - after for before, after in pairwise(totals)]


@pytest.mark.parametrize(("first", "then"), [(OLD, NEW), (NEW, OLD)])
def test_a_total_that_the_other_version_refreshed_is_asked_for_again(first: Decimal, then: Decimal) -> None:
    with PROCESS[first]():
        cart = example()
        assert refreshed(cart) == first
    with PROCESS[then]():
        with pytest.raises(TotalChanged):
            completed(cart)
        cart.refresh_from_db()
        assert cart.total == then
        pay(cart)
        order = order_of(cart)
    assert (order.total, order.paid_total + order.total) == (then, then)
    assert adjustment_of(cart) == SHOWN[then]
    assert returned_one_by_one(order) == UNITS[then]


def test_the_columns_of_this_version_do_not_count_beside_what_the_other_wrote() -> None:
    cart = example()
    assert adjustment_of(cart) == SHOWN[NEW]
    with old_process():
        refreshed(cart)
    assert Adjustment.objects.get().stated_amount == 100
    assert adjustment_of(cart) == SHOWN[OLD]
    with old_process():
        promotion_codes.add(actor=shopper(), cart_id=cart.pk, promo_codes=[PromotionFactory(value=10).code])
    assert {each.stated_amount for each in Adjustment.objects.all()} == {100, None}
    refreshed(cart)
    assert [each.stated_amount for each in Adjustment.objects.order_by("pk")] == [100, 10]


@pytest.mark.parametrize("opened", [OLD, NEW])
@pytest.mark.parametrize("settled", [OLD, NEW])
@pytest.mark.parametrize("is_refreshed_before", [False, True])
def test_an_open_attempt_completes_with_what_it_claimed(
    fake: FakeProvider, opened: Decimal, settled: Decimal, is_refreshed_before: bool
) -> None:
    """is_refreshed_before: whether the other version has refreshed the cart first, and left its columns behind."""
    with PROCESS[opened]():
        cart = example(provider_id=FAKE)
    if is_refreshed_before:
        with PROCESS[NEW if opened == OLD else OLD]():
            refreshed(cart)
        with PROCESS[opened]():
            refreshed(cart)
            pay(cart, provider_id=FAKE)
    with PROCESS[opened]():
        fake.loses_answers(Act.AUTHORIZE)
        with pytest.raises(Unavailable):
            completed(cart)
    with PROCESS[settled]():
        resume_all()
    order = Order.objects.get(cart_id=cart.pk)
    assert order.total == order.original_order_total == opened
    assert returned_one_by_one(order) == UNITS[opened]


def cent_off() -> Cart:
    """1.42 including 20 % less 1 %: 1.41 in both versions. Both are 1.18 without tax; the older one takes off 0.01."""
    return example(amount="1.42", quantity=1, percent=1)


def stored_adjustments() -> list[tuple[Decimal, Decimal | None]]:
    return list(Adjustment.objects.order_by("pk").values_list("amount", "stated_amount"))


CENT = Decimal("0.01")


def test_a_discount_without_a_net_amount_stands_twice_until_the_next_refresh() -> None:
    """The version before looks for no adjustments where no line has a discount without tax."""
    cart = cent_off()
    assert stored_adjustments() == [(0, CENT)]
    with old_process():
        assert refreshed(cart) == Decimal("1.41")
    assert sorted(amount for amount, _ in stored_adjustments()) == [0, cart.discount_subtotal] == [0, CENT]
    assert refreshed(cart) == Decimal("1.41")
    assert stored_adjustments() == [(0, CENT)]


@pytest.mark.parametrize("completed_by", [OLD, NEW])
def test_no_order_gets_it_twice(completed_by: Decimal) -> None:
    """The refresh that added it has changed the tax, so it places no order, and the next one removes it."""
    cart = cent_off()
    with old_process():
        with pytest.raises(TotalChanged):
            completed(cart)
        assert len(stored_adjustments()) == 2
    with PROCESS[completed_by]():
        if completed_by == NEW:
            with pytest.raises(TotalChanged):
                completed(cart)
        order = order_of(cart)
    [line] = lines(order)
    [taken] = line.adjustments.values_list("amount", "stated_amount")
    assert taken == ((CENT, None) if completed_by == OLD else (0, CENT))
    assert (order.total, line.discount_subtotal) == (Decimal("1.41"), taken[0])
    assert returned_one_by_one(order) == [Decimal("1.41")]


@pytest.mark.parametrize("is_line_removed", [True, False])
def test_an_adjustment_that_the_version_before_left_goes_with_the_next_change(is_line_removed: bool) -> None:
    cart = cent_off()
    with old_process():
        codes = list(cart.promotions.values_list("code", flat=True))
        promotion_codes.remove(actor=shopper(), cart_id=cart.pk, promo_codes=codes)
    assert stored_adjustments() == [(0, CENT)]
    if is_line_removed:
        line_removal.remove(actor=shopper(), cart_id=cart.pk, line_id=cart.items.get().pk)
    else:
        assert refreshed(cart) == Decimal("1.42")
    assert stored_adjustments() == []
