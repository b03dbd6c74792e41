"""What an order keeps of its promotions, whatever becomes of them."""

from decimal import Decimal

import pytest

from carts.models import Campaign, Promotion, PromotionRule
from carts.promotions.derived import keep_derived
from carts.promotions.promotion_editing import VERBS
from carts.states import BudgetType, PromotionTarget
from kit.domain.actor import SYSTEM
from orders.common.errors import TotalChanged
from orders.models import OrderPromotion, OrderShippingMethodAdjustment
from tests.factories.carts import PromotionFactory, sold_variant
from tests.factories.checkout import pay, ready_cart
from tests.orders.completing import completed, order_of

pytestmark = pytest.mark.django_db(transaction=True)


def free_shipping() -> Promotion:
    promotion = PromotionFactory(code="FREE", target="items", target_type=PromotionTarget.SHIPPING_METHODS, value=100)
    PromotionRule.objects.create(
        promotion=promotion, kind="rules", attribute="item_total", operator="gte", values=["20"]
    )
    keep_derived([promotion.pk])
    return promotion


def test_an_order_keeps_the_terms_of_its_promotions() -> None:
    promotion = free_shipping()
    order = order_of(ready_cart(sold_variant(25), promo_codes=[" free "], shipping=5))
    assert (order.total, order.discount_total) == (25, 5)
    PromotionRule.objects.all().delete()
    Promotion.objects.update(value=1, code="OTHER")
    kept = OrderPromotion.objects.values().get(order=order)
    assert {name: kept[name] for name in ("code", "target", "allocation", "value", "kind")} == {
        "code": "free", "target": "shipping_methods", "allocation": "each", "value": Decimal(100), "kind": "standard",
    }  # fmt: skip
    assert kept["rules"] == [{"kind": "rules", "attribute": "item_total", "operator": "gte", "values": ["20"]}]
    adjustment = OrderShippingMethodAdjustment.objects.get()
    assert (adjustment.amount, adjustment.code, adjustment.promotion_id) == (5, "free", promotion.pk)


def test_a_promotion_that_falls_away_is_asked_for_once() -> None:
    campaign = Campaign.objects.create(
        name="Spring", campaign_identifier="spring", budget_type=BudgetType.USAGE, budget_limit=5
    )
    PromotionFactory(code="OFF", campaign=campaign)
    for change in ({"status": "inactive"}, {"status": "active"}):
        Promotion.objects.update(status="active")
        Campaign.objects.update(budget_used=0)
        cart = ready_cart(sold_variant(10), promo_codes=["OFF"])
        Promotion.objects.update(**change)
        if change["status"] == "active":
            Campaign.objects.update(budget_used=5)
        with pytest.raises(TotalChanged):
            completed(cart)
        cart.refresh_from_db()
        pay(cart)
        assert order_of(cart).discount_total == 0


def test_an_offer_for_returning_customers_holds_for_each_of_their_orders() -> None:
    promotion = PromotionFactory(is_automatic=True, value=10)
    PromotionRule.objects.create(
        promotion=promotion, kind="rules", attribute="is_first_order", operator="eq", values=["false"]
    )
    keep_derived([promotion.pk])
    orders = [order_of(ready_cart(sold_variant(10), email="ann@example.com")) for _ in range(3)]
    assert [order.discount_total for order in orders] == [0, 1, 1]


def test_a_rule_in_the_place_of_another_is_the_only_one() -> None:
    first, second = sold_variant(10), sold_variant(10)
    promotion = PromotionFactory(is_automatic=True, value=10)
    for variant in (first, second):
        rule = {"attribute": "items.product.id", "operator": "in", "values": [variant.product_id]}
        VERBS.update(actor=SYSTEM, id=promotion.pk, target_rules=[rule])
    assert [order_of(ready_cart(variant)).discount_total for variant in (first, second)] == [0, 1]
