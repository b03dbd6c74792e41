"""Returns of orders of exempt customers: the tax goes out of what the kept units cost."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from decimal import Decimal
from typing import Any
from unittest.mock import patch

import pytest

from carts.arithmetic.line_totals import Line
from carts.checkout import taxes
from carts.lines.lines import NewLineItem
from carts.models import Cart
from carts.pricing import costs, refreshing, tax_lines
from carts.pricing.cart_context import CartContext
from carts.pricing.locked_cart import LockedCart
from carts.pricing.shippable_lines import shippable_contents
from customers.models import Customer
from fulfillment.methods import method_choice
from giftcards.verification.verification import discrepancies
from orders.common.order_context import order_goods
from orders.fulfillments import delivery
from orders.models import Order, OrderLineItem, OrderShippingMethod
from orders.returns.creation import ReturnDetails
from orders.returns.shipping import ReturnShipping
from shop.models import Currency
from tests.factories.carts import PromotionFactory, selling_region, shopper
from tests.factories.checkout import checked_out_cart, pay
from tests.factories.customers import CustomerFactory
from tests.factories.fulfillment import option
from tests.factories.pricing import price
from tests.factories.products import VariantFactory
from tests.orders.completing import order_of
from tests.orders.returns.shop import STAFF, lines, pack, receive, request

pytestmark = pytest.mark.django_db


def example(
    amount: str = "10.00", quantity: int = 3, *, rate: int = 20, code: str = "usd", is_exempt: bool = True, **given: Any
) -> Cart:
    """3 x 10.00 including 20 %, ready to be completed by a customer who is exempt; shipping costs 5.00 without tax."""
    Currency.objects.get_or_create(code=code)
    region = selling_region(currency_id=code, tax_rate=rate, is_tax_inclusive=True)
    variant = VariantFactory(manage_inventory=False)
    price(variant, amount, code, region=region)
    customer = CustomerFactory(is_tax_exempt=is_exempt)
    piece = NewLineItem(variant.pk, quantity)
    cart = checked_out_cart(piece, region_id=region.pk, customer_id=customer.pk, shipping=None, **given)
    way = option(0)
    price(way.price_set, 5, code, rules={"currency_code": code})
    method_choice.choose(actor=shopper(customer_id=customer.pk), cart_id=cart.pk, option_id=way.pk)
    pay(cart)
    return Cart.objects.get(pk=cart.pk)


def delivered(cart: Cart) -> Order:
    made = order_of(cart)
    delivery.deliver(actor=STAFF, fulfillment_id=pack(made, *(line.quantity for line in lines(made))).pk)
    return made


def refunds(made: Order) -> list[float]:
    """What each unit refunds, if all are returned one by one: said before, and gone from the total after."""
    found = []
    for _ in range(lines(made)[0].quantity):
        made.refresh_from_db()
        before, [line] = made.total, lines(made)
        said = line.refundable_total_per_unit
        receive(request(made, 1), 1)
        made.refresh_from_db()
        assert before - made.total == said
        assert list(discrepancies()) == []
        found.append(float(said))
    return found


class TestUnits:
    def test_of_3_x_10_including_20_percent(self) -> None:
        made = delivered(example())
        assert made.item_total == 25
        assert refunds(made) == [8.33, 8.34, 8.33]
        assert (made.item_total, made.total) == (0, 5)

    def test_of_5_x_7775_rials_including_5_percent_less_12_and_a_half(self) -> None:
        promotion = PromotionFactory(value="12.5").code
        made = delivered(example("7.775", 5, rate=5, code="omr", promo_codes=[promotion]))
        assert made.item_total == Decimal("32.396")
        assert refunds(made) == [6.479, 6.479, 6.48, 6.479, 6.479]

    def test_what_becomes_of_the_exemption_later_changes_nothing(self) -> None:
        made = delivered(example())
        Customer.objects.update(is_tax_exempt=False)
        assert refunds(made) == [8.33, 8.34, 8.33]

    def test_thresholds_count_kept_goods_as_stated(self) -> None:
        made = delivered(example())
        assert order_goods(made.pk) == 300_000
        receive(request(made, 1), 1)
        assert order_goods(made.pk) == 200_000


class TestShipping:
    @pytest.mark.parametrize(("is_exempt", "total", "tax"), [(True, "5.00", 0), (False, "6.00", 1)])
    def test_of_a_return_is_exempt_where_the_order_is(self, is_exempt: bool, total: str, tax: int) -> None:
        """6.00 including 20 %, whatever the customer is by now."""
        made = delivered(example(is_exempt=is_exempt))
        Customer.objects.update(is_tax_exempt=not is_exempt)
        way = option(1, rules=[("is_return", "eq", "true")])
        price(way.price_set, 6, region=made.region)
        before = made.shipping_total
        returned = request(made, 1, details=ReturnDetails(shipping=ReturnShipping(way.pk)))
        made.refresh_from_db()
        method = OrderShippingMethod.objects.get(of_return=returned)
        assert (method.total, method.tax_total, method.tax_lines.count()) == (Decimal(total), tax, int(not is_exempt))
        assert made.shipping_total - before == Decimal(total)
        receive(returned, 1)
        assert list(discrepancies()) == []


@contextmanager
def old_process() -> Iterator[None]:
    """The version before exemptions: it neither reads nor writes their columns, and everyone owes taxes."""

    def line(row: Any, quantity: int, amount: int, owed: Any) -> Line:
        return Line(quantity, amount, bool(row.is_tax_inclusive), [tax.rate for tax in owed])

    def taxes_of(cart: LockedCart, context: CartContext) -> Any:
        goods = [*map(tax_lines._goods, cart.lines), *map(tax_lines._shipping, cart.methods)]
        return context.tax_place.taxes_on(goods)

    with ExitStack() as stack:
        stack.enter_context(patch.object(refreshing, "taxes_of", taxes_of))
        stack.enter_context(patch.object(costs, "_line", line))
        yield


class TestTwoVersions:
    def test_an_order_that_the_older_one_has_placed_of_what_this_one_claimed(self) -> None:
        """It copies the total, but not the rate: returns refund all of it, and never more."""
        made = delivered(example())
        OrderLineItem.objects.update(exempt_rate=None, exempt_tax_total=None)
        Order.objects.update(is_tax_exempt=None, tax_number=None)
        assert refunds(made) == [8.33, 8.34, 8.33]

    def test_a_cart_that_the_older_one_has_priced_again(self) -> None:
        """It owes its taxes until this version prices it; a threshold counts 30.00 both times."""
        cart = example()
        actor = shopper(customer_id=cart.customer_id)
        with old_process():
            taxes.calculate(actor=actor, cart_id=cart.pk)
        stale = cart.items.get()
        assert (stale.total, stale.tax_total, stale.exempt_rate) == (30, 5, 20)
        assert goods_of(cart) == 300_000
        taxes.calculate(actor=actor, cart_id=cart.pk)
        cart.refresh_from_db()
        assert (cart.item_total, goods_of(cart)) == (25, 300_000)

    def test_an_order_of_such_a_cart_is_not_exempt(self) -> None:
        cart = example()
        with old_process():
            taxes.calculate(actor=shopper(customer_id=cart.customer_id), cart_id=cart.pk)
            pay(cart)
            made = delivered(cart)
        [line] = lines(made)
        assert (line.exempt_rate, line.tax_total) == (20, 5)
        OrderLineItem.objects.update(exempt_tax_total=5)  # as this version had left it
        assert (made.item_total, made.is_tax_exempt) == (30, False)
        assert order_goods(made.pk) == 300_000
        assert refunds(made) == [10, 10, 10]


def goods_of(cart: Cart) -> int:
    return shippable_contents(cart.pk).goods_total
