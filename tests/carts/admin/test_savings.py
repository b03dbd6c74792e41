"""What each promotion took off orders, in the list of promotions."""

import re

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from carts.lines.lines import NewLineItem
from carts.models import Cart, Promotion, PromotionUsage
from carts.promotions.promotion_usage import Claim, record_usage
from carts.states import PromotionTarget
from fulfillment.methods import method_choice
from giftcards.verification.verification import discrepancies
from kit.domain.actor import SYSTEM
from orders.managing import cancellation
from orders.models import Order, OrderAdjustment
from orders.reports.savings import recompute_savings
from shop.models import Currency
from tests.factories.carts import PromotionFactory, selling_region, shopper, sold_variant
from tests.factories.checkout import checked_out_cart, pay, ready_cart
from tests.factories.fulfillment import option
from tests.factories.pricing import price
from tests.factories.products import VariantFactory
from tests.kit.admin.visits import superuser, visitor
from tests.orders.completing import order_of

pytestmark = pytest.mark.django_db
LIST = "/admin/carts/promotion/"


def promotions() -> None:
    """Ten percent off products, and free shipping."""
    PromotionFactory(code="TENTH")
    PromotionFactory(code="FREE", target_type=PromotionTarget.SHIPPING_METHODS, value=100)


def in_dollars() -> Order:
    """2 x 25.00 without tax and shipping of 5.00."""
    return order_of(ready_cart(NewLineItem(sold_variant(25).pk, 2), promo_codes=["TENTH", "FREE"]))


def in_euros() -> Order:
    """16.00 including 19 %, of which a tenth is 1.60 as stated and 13.45 - 12.10 = 1.35 without tax; shipping 4.00."""
    Currency.objects.get_or_create(code="eur")
    region = selling_region(currency_id="eur", tax_rate=19, is_tax_inclusive=True)
    variant = VariantFactory(manage_inventory=False)
    price(variant, 16, "eur", region=region)
    cart = checked_out_cart(variant, region_id=region.pk, promo_codes=["TENTH", "FREE"], shipping=None)
    method_choice.choose(actor=shopper(), cart_id=cart.pk, option_id=option(4, currency_code="eur").pk)
    pay(cart)
    return order_of(Cart.objects.get(pk=cart.pk))


def shown(client: Client | None = None) -> dict[str, list[str]]:
    """The amounts in the row of each promotion."""
    page = (client or superuser()).get(LIST).content.decode()
    rows = re.findall(r"<tr.*?</tr>", page, re.DOTALL)
    codes = {
        code: row for row in rows for code in Promotion.objects.values_list("code", flat=True) if f">{code}<" in row
    }
    return {code: re.findall(r'whitespace-nowrap">([^<]*)</span>', row) for code, row in codes.items()}


def test_the_list_shows_what_promotions_took_off_orders_that_are_not_canceled() -> None:
    promotions()
    assert shown() == {"TENTH": [], "FREE": []}
    first, *_ = in_dollars(), in_dollars(), in_euros()
    assert shown() == {"TENTH": ["1,60\xa0€", "$10.00"], "FREE": ["4,00\xa0€", "$10.00"]}
    cancellation.cancel(actor=SYSTEM, order_id=first.pk)
    assert shown() == {"TENTH": ["1,60\xa0€", "$5.00"], "FREE": ["4,00\xa0€", "$5.00"]}
    for order in Order.objects.filter(canceled_at=None):
        cancellation.cancel(actor=SYSTEM, order_id=order.pk)
    assert shown() == {"TENTH": [], "FREE": []}
    assert list(discrepancies()) == []


def test_only_users_who_may_view_orders_see_it() -> None:
    promotions()
    in_dollars()
    assert shown(visitor("carts.view_promotion")) == {"TENTH": [], "FREE": []}
    may = visitor("carts.view_promotion", "orders.view_order")
    assert shown(may) == {"TENTH": ["$5.00"], "FREE": ["$5.00"]}
    assert "Savings" in may.get(LIST).content.decode()
    assert "Savings" not in visitor("carts.view_promotion").get(LIST).content.decode()


def test_it_costs_the_list_no_statement() -> None:
    """Whatever the number of uses: the sum is kept in the promotion's row."""
    promotions()
    counted = []
    for client in (visitor("carts.view_promotion"), visitor("carts.view_promotion", "orders.view_order")):
        client.get(LIST)
        for number in range(2):
            with CaptureQueriesContext(connection) as statements:
                client.get(LIST)
            counted.append(len(statements))
            claim = Claim(amount=10_000, currency_code="usd")
            keys = list(Promotion.objects.values_list("pk", flat=True))
            record_usage(f"cart_{client.user.pk}_{number}", keys, "ann", dict.fromkeys(keys, claim))
    assert len(set(counted)) == 1
    assert shown() == {"TENTH": ["$4.00"], "FREE": ["$4.00"]}


def test_they_are_summed_again_from_orders_as_far_as_these_are_uses() -> None:
    """After uses that an older version counted. Its adjustments have an amount without tax alone."""
    promotions()
    canceled, *_ = in_dollars(), in_dollars(), in_euros()
    cancellation.cancel(actor=SYSTEM, order_id=canceled.pk)
    record_usage("cart_of_an_attempt", [Promotion.objects.get(code="TENTH").pk], "ann")
    kept = dict(Promotion.objects.values_list("code", "saved"))
    assert kept == {"TENTH": {"usd": 50_000, "eur": 16_000}, "FREE": {"usd": 50_000, "eur": 40_000}}
    assert recompute_savings() == 0
    PromotionUsage.objects.update(saved=None, currency_code=None)
    Promotion.objects.filter(code="FREE").update(saved=None)
    assert recompute_savings() == 1
    assert dict(Promotion.objects.values_list("code", "saved")) == kept
    PromotionUsage.objects.exclude(cart_id="cart_of_an_attempt").update(saved=None, currency_code=None)
    written_by_it = {"stated_amount": None, "is_tax_inclusive": None, "beside_amount": None, "beside_total": None}
    OrderAdjustment.objects.filter(item__order__currency="eur").update(**written_by_it)
    call_command("recount_orders", verbosity=0)
    assert Promotion.objects.get(code="TENTH").saved == {"usd": 50_000, "eur": 13_500}
    PromotionUsage.objects.all().delete()
    assert recompute_savings() == 2
    assert shown() == {"TENTH": [], "FREE": []}
