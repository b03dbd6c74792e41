"""When a cart is exempt from taxes, and what it costs then.

Why: docs/decisions/taxes.md#exempt-customers-pay-net-prices,
docs/decisions/taxes.md#exemptions-are-checked-at-each-refresh.
"""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any
from unittest.mock import patch

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from carts.checkout import taxes
from carts.details import details, ownership
from carts.lines.lines import NewLineItem
from carts.models import Cart
from catalog.models import ProductVariant
from customers.models import Customer, CustomerGroup
from giftcards.verification.verification import discrepancies
from orders.common.errors import TotalChanged
from orders.models import OrderLineItem
from shop.models import Region
from tests.contract.callers import Caller
from tests.customers.conftest import signed_in
from tests.factories import carts as make
from tests.factories.carts import PromotionFactory, shopper
from tests.factories.checkout import pay, ready_cart
from tests.factories.customers import CustomerFactory
from tests.factories.fulfillment import option
from tests.factories.pricing import price
from tests.factories.products import ProductFactory, VariantFactory
from tests.factories.taxes import tax_rate
from tests.orders.completing import completed, order_of

pytestmark = pytest.mark.django_db

GROSS, NET = Decimal(30), Decimal(25)
"""3 x 10.00 including 20 %."""


@pytest.fixture
def eve(db: None) -> Customer:
    """Exempt everywhere, for ever."""
    return CustomerFactory(is_tax_exempt=True, tax_number="GB 1")


@pytest.fixture
def region(db: None) -> Region:
    """Two countries, so that none is the only one. 20 % in both, in the prices."""
    return make.selling_region(countries=["us", "gb"], tax_rate=20, is_tax_inclusive=True)


def gross(region: Region, amount: Any = 10, **given: Any) -> ProductVariant:
    variant = VariantFactory(manage_inventory=False, **given)
    price(variant, amount, region=region)
    return variant


def cart_of(customer: Customer | None, region: Region, amount: Any = 10, quantity: int = 3, **given: Any) -> Cart:
    piece = NewLineItem(gross(region, amount).pk, quantity)
    return make.cart(piece, actor=shopper(customer_id=customer.pk if customer else None), region_id=region.pk, **given)


def refreshed(cart: Cart) -> Decimal:
    taxes.calculate(actor=shopper(customer_id=cart.customer_id), cart_id=cart.pk)
    cart.refresh_from_db()
    return Decimal(cart.total)


class TestWhoIsExempt:
    def test_a_customer(self, eve: Customer, region: Region) -> None:
        assert [cart_of(each, region).total for each in (eve, CustomerFactory(), None)] == [NET, GROSS, GROSS]

    def test_a_member_of_a_group_that_is_not_deleted(self, region: Region) -> None:
        member = CustomerFactory()
        for name in ("Wholesale", "Museums"):
            member.groups.add(CustomerGroup.objects.create(name=name))
        cart = cart_of(member, region)
        assert cart.total == GROSS
        CustomerGroup.objects.filter(name="Museums").update(is_tax_exempt=True)
        assert refreshed(cart) == NET
        CustomerGroup.objects.filter(name="Museums").update(deleted_at=datetime.now(UTC))
        assert refreshed(cart) == GROSS

    def test_whoever_takes_over_a_guests_cart(self, eve: Customer, region: Region) -> None:
        cart = cart_of(None, region)
        ownership.take_over(actor=shopper(customer_id=eve.pk), cart_id=cart.pk)
        cart.refresh_from_db()
        assert cart.total == NET


class TestWhere:
    @pytest.mark.parametrize(
        ("countries", "expected"),
        [(None, [NET, NET, NET]), (["gb"], [GROSS, GROSS, NET]), (["us", "gb"], [GROSS, NET, NET])],
    )
    def test_it_is_for_listed_countries_or_for_all(
        self, countries: list[str] | None, expected: list[Decimal], eve: Customer, region: Region
    ) -> None:
        Customer.objects.filter(pk=eve.pk).update(tax_exempt_countries=countries)
        cart = cart_of(eve, region)
        found = [cart.total]
        for country in ("us", "gb"):
            details.change(
                actor=shopper(customer_id=eve.pk), cart_id=cart.pk, shipping_address={"country_code": country}
            )
            cart.refresh_from_db()
            found.append(cart.total)
        assert found == expected

    def test_the_only_country_of_a_region_counts_without_an_address(self, eve: Customer) -> None:
        Customer.objects.filter(pk=eve.pk).update(tax_exempt_countries=["gb"])
        tax_rate("gb", 20)
        region = make.selling_region(countries=["gb"], is_tax_inclusive=True)
        assert cart_of(eve, region).total == NET


def at(moment: datetime) -> Any:
    """The clock by which Django says what day it is."""
    return patch.object(timezone, "now", lambda: moment)


class TestUntilWhen:
    """In Auckland, which is 13 hours ahead of UTC in March."""

    @pytest.fixture(autouse=True)
    def auckland(self, settings: Any) -> None:
        settings.TIME_ZONE = "Pacific/Auckland"

    @pytest.mark.parametrize(
        ("moment", "expected"),
        [
            (datetime(2027, 3, 30, 12, tzinfo=UTC), NET),
            (datetime(2027, 3, 31, 10, 59, tzinfo=UTC), NET),
            (datetime(2027, 3, 31, 11, tzinfo=UTC), GROSS),
        ],
    )
    def test_the_last_day_is_included(self, moment: datetime, expected: Decimal, eve: Customer, region: Region) -> None:
        Customer.objects.filter(pk=eve.pk).update(tax_exempt_until="2027-03-31")
        with at(moment):
            assert cart_of(eve, region).total == expected

    def test_one_that_has_ended_changes_the_total_which_completion_refuses(self, eve: Customer, region: Region) -> None:
        Customer.objects.filter(pk=eve.pk).update(tax_exempt_until="2027-03-31")
        piece = NewLineItem(gross(region).pk, 3)
        with at(datetime(2027, 3, 31, 10, 59, tzinfo=UTC)):
            cart = ready_cart(piece, region_id=region.pk, customer_id=eve.pk, shipping=0)
        assert cart.total == NET
        with at(datetime(2027, 3, 31, 11, 1, tzinfo=UTC)):
            with pytest.raises(TotalChanged):
                completed(cart)
            cart.refresh_from_db()
            assert (cart.total, cart.tax_total) == (GROSS, 5)
            pay(cart)
            order = order_of(cart)
        assert (order.total, order.tax_total, order.is_tax_exempt) == (GROSS, 5, False)


class TestWhatTheOrderKeeps:
    def test_that_it_was_exempt_and_the_number_whatever_comes_later(self, eve: Customer, region: Region) -> None:
        cart = ready_cart(NewLineItem(gross(region).pk, 3), region_id=region.pk, customer_id=eve.pk, shipping=0)
        order = order_of(cart)
        Customer.objects.update(is_tax_exempt=False, tax_number="GB 2")
        order.refresh_from_db()
        line = OrderLineItem.objects.get()
        assert (order.is_tax_exempt, order.tax_number, order.total, order.tax_total) == (True, "GB 1", NET, 0)
        assert (line.exempt_rate, line.exempt_tax_total) == (20, 5)
        assert not line.tax_lines.exists()
        assert list(discrepancies()) == []

    def test_the_number_of_one_who_is_not_exempt(self, region: Region) -> None:
        customer = CustomerFactory(tax_number="GB 3")
        cart = ready_cart(NewLineItem(gross(region).pk, 3), region_id=region.pk, customer_id=customer.pk, shipping=0)
        order = order_of(cart)
        assert (order.is_tax_exempt, order.tax_number) == (False, "GB 3")

    def test_nothing_of_a_guest(self, region: Region) -> None:
        order = order_of(ready_cart(NewLineItem(gross(region).pk, 3), region_id=region.pk, shipping=0))
        assert (order.is_tax_exempt, order.tax_number) == (False, None)
        assert OrderLineItem.objects.get().exempt_rate is None


class TestThresholds:
    """They count the goods as stated, as if the customer were not exempt: shipping is free from 50.00."""

    @pytest.mark.parametrize(
        ("goods", "shipping", "total"),
        [(("50.00", None), 0, 41.67), (("49.99", None), 4.08, 45.74), (("53.00", 10), 4.08, 39.91)],
    )
    def test_free_shipping(
        self, goods: tuple[str, int | None], shipping: float, total: float, eve: Customer, region: Region
    ) -> None:
        amount, off = goods
        fixed = {"type": "fixed", "target": "order", "currency_id": "usd", "is_tax_inclusive": True}
        codes = [PromotionFactory(value=off, **fixed).code] if off else []
        way = option("4.90")
        price(way.price_set, "4.90", region=region)
        price(way.price_set, 0, region=region, rules={"item_total": ("gte", "50")})
        caller = signed_in(eve)
        cart = cart_of(eve, region, amount, quantity=1, promo_codes=codes, shipping_address={"country_code": "us"})
        [offered] = caller.get("/store/shipping-options", f"cart_id={cart.pk}").json()["shipping_options"]
        chosen = caller.post(f"/store/carts/{cart.pk}/shipping-methods", {"option_id": offered["id"]}).json()["cart"]
        assert (chosen["shipping_total"], chosen["total"]) == (shipping, total)
        shown = offered["calculated_price"]
        assert shown["calculated_amount"] == (4.9 if shipping else 0)
        assert shown["calculated_amount_with_tax"] == shown["calculated_amount_without_tax"] == shipping


class TestAdjustments:
    def test_are_shown_as_stated_and_stored_before_tax_beside_it(self, eve: Customer, region: Region) -> None:
        """7 x 7.99 less 5: 50.93 incl is 42.44; discount_total 4.17."""
        code = PromotionFactory(type="fixed", target="order", value=5, currency_id="usd", is_tax_inclusive=True).code
        cart = cart_of(eve, region, "7.99", quantity=7, promo_codes=[code])
        [item] = shown_items(signed_in(eve), cart)
        assert [(each["amount"], each["is_tax_inclusive"]) for each in item["adjustments"]] == [(5, True)]
        assert (item["total"], item["original_total"], item["discount_total"]) == (42.44, 46.61, 4.17)
        assert item["tax_lines"] == []
        adjustment = cart.items.get().adjustments.get()
        assert (adjustment.amount, adjustment.stated_amount) == (Decimal("4.17"), 5)

    def test_a_net_amount_off_a_gross_price_is_converted_by_the_rate_that_is_not_owed(
        self, eve: Customer, region: Region
    ) -> None:
        """5 net is 6.00 off the 30.00: 24.00 incl is 20.00."""
        code = PromotionFactory(type="fixed", target="order", value=5, currency_id="usd", is_tax_inclusive=False).code
        assert cart_of(eve, region, promo_codes=[code]).total == 20

    def test_gift_cards_keep_their_price(self, eve: Customer, region: Region) -> None:
        card = gross(region, 50, product=ProductFactory(is_giftcard=True))
        cart = make.cart(card, actor=shopper(customer_id=eve.pk), region_id=region.pk)
        assert (cart.total, cart.items.get().exempt_rate) == (50, 0)


def test_tax_lines_go_and_come_with_the_exemption(eve: Customer, region: Region) -> None:
    cart = cart_of(eve, region)
    Customer.objects.update(is_tax_exempt=False)
    assert (refreshed(cart), cart.tax_total) == (GROSS, 5)
    line = cart.items.get()
    assert (line.tax_lines.count(), line.exempt_rate, line.exempt_tax_total) == (1, None, 0)
    Customer.objects.update(is_tax_exempt=True)
    assert (refreshed(cart), cart.tax_total) == (NET, 0)
    assert not cart.items.get().tax_lines.exists()


def test_an_exemption_adds_no_query(eve: Customer, region: Region) -> None:
    counts = []
    for customer in (CustomerFactory(), eve):
        cart = cart_of(customer, region)
        with CaptureQueriesContext(connection) as statements:
            refreshed(cart)
        counts.append(len(statements))
    assert counts[0] == counts[1]


def shown_items(caller: Caller, cart: Cart) -> list[dict[str, Any]]:
    fields = "fields=*items,*items.tax_lines,*items.adjustments"
    items: list[dict[str, Any]] = caller.get(f"/store/carts/{cart.pk}", fields).json()["cart"]["items"]
    return items
