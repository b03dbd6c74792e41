"""Carts that are completed at once never pass a limit of a promotion, its code or its campaign's budget."""

from collections import Counter
from collections.abc import Callable
from decimal import Decimal

import pytest

from carts.details import details
from carts.models import Campaign, Cart, Promotion, PromotionCode, PromotionRule
from carts.states import BudgetType, PromotionType
from giftcards.verification.verification import discrepancies
from kit.domain.actor import SYSTEM
from orders.managing import cancellation
from orders.models import Order
from tests.concurrency.crowd import at_once
from tests.concurrency.outcomes import outcome
from tests.factories.carts import PromotionFactory, default_region, shopper, sold_variant
from tests.factories.checkout import ready_cart
from tests.factories.customers import CustomerFactory
from tests.orders.completing import completed, order_of

pytestmark = pytest.mark.django_db(transaction=True)


def limited() -> Promotion:
    return PromotionFactory(code="LAST", usage_limit=1)


def of_campaign() -> Promotion:
    campaign = Campaign.objects.create(
        name="Spring", campaign_identifier="spring", budget_type=BudgetType.USAGE, budget_limit=1
    )
    return PromotionFactory(code="LAST", campaign=campaign)


def of_single_use_code() -> Promotion:
    promotion = PromotionFactory(code="LAST")
    promotion.codes.update(usage_limit=1)
    return promotion


@pytest.mark.parametrize("made", [limited, of_campaign, of_single_use_code])
def test_one_of_20_carts_has_what_is_left(made: Callable[[], Promotion]) -> None:
    promotion, region = made(), default_region().pk
    variant = sold_variant(10)
    carts = [ready_cart(variant, region_id=region, promo_codes=["last"]) for _ in range(20)]
    outcomes = Counter(at_once(lambda number: outcome(lambda: completed(carts[number])), threads=20))
    assert outcomes["done"] == Order.objects.count() == 1
    promotion.refresh_from_db()
    code = PromotionCode.objects.get()
    assert (promotion.used, code.used) == (1, 1)
    assert [*Campaign.objects.values_list("budget_used", flat=True)] in ([], [1])
    order = Order.objects.get()
    assert [each.code for each in order.promotions.all()] == ["last"]
    assert list(discrepancies()) == []


def test_forty_carts_reach_the_lowest_of_three_limits_which_cancellations_lower_once() -> None:
    campaign = Campaign.objects.create(
        name="Spring", campaign_identifier="spring", budget_type=BudgetType.USAGE, budget_limit=7
    )
    promotion = PromotionFactory(code="LAST", usage_limit=9, campaign=campaign)
    region, variant = default_region().pk, sold_variant(10)
    promotion.codes.update(usage_limit=8)
    carts = [ready_cart(variant, region_id=region, promo_codes=["last"]) for _ in range(40)]
    outcomes = Counter(at_once(lambda number: outcome(lambda: completed(carts[number])), threads=40))
    assert outcomes["done"] == Order.objects.count() == 7
    assert counts(promotion) == (7, 7, 7)
    order_id = Order.objects.earliest("pk").pk
    at_once(lambda _: outcome(lambda: cancellation.cancel(actor=SYSTEM, order_id=order_id)), threads=4)
    assert counts(promotion) == (6, 6, 6)
    assert list(discrepancies()) == []


def counts(promotion: Promotion) -> tuple[int, int, Decimal]:
    promotion.refresh_from_db()
    return promotion.used, PromotionCode.objects.get().used, Campaign.objects.get().budget_used


def test_a_spend_budget_is_never_exceeded_and_given_back_once() -> None:
    campaign = Campaign.objects.create(
        name="Spring", campaign_identifier="spring", budget_type=BudgetType.SPEND, budget_limit=100,
        budget_currency_id="usd",
    )  # fmt: skip
    region, variant = default_region().pk, sold_variant(50)
    PromotionFactory(code="OFF", type=PromotionType.FIXED, value="9.99", currency_id="usd", campaign=campaign)
    carts = [ready_cart(variant, region_id=region, promo_codes=["OFF"]) for _ in range(30)]
    at_once(lambda number: outcome(lambda: completed(carts[number])), threads=30)
    assert Order.objects.count() == 10
    assert used(campaign) == Decimal("99.90")
    order_id = Order.objects.order_by("pk").values_list("pk", flat=True)[0]
    for _ in range(2):
        outcome(lambda: cancellation.cancel(actor=SYSTEM, order_id=order_id))
        assert used(campaign) == Decimal("89.91")
    assert order_of(ready_cart(variant, region_id=region, promo_codes=["OFF"])).discount_total == Decimal("9.99")
    assert used(campaign) == Decimal("99.90")
    assert list(discrepancies()) == []


def used(campaign: Campaign) -> Decimal:
    campaign.refresh_from_db()
    return campaign.budget_used


def once_a_customer() -> Promotion:
    return PromotionFactory(code="ONCE", usage_limit_per_customer=1)


def for_first_orders() -> Promotion:
    promotion = PromotionFactory(code="ONCE")
    PromotionRule.objects.create(
        promotion=promotion, kind="rules", attribute="is_first_order", operator="eq", values=["true"]
    )
    return promotion


@pytest.mark.parametrize("made", [once_a_customer, for_first_orders])
def test_a_customer_with_two_carts_has_one_discount(made: Callable[[], Promotion]) -> None:
    made()
    customer, region, variant = CustomerFactory().pk, default_region().pk, sold_variant(10)
    pairs: list[list[Cart]] = [
        [ready_cart(variant, customer_id=customer, region_id=region, promo_codes=["ONCE"]) for _ in range(2)],
        [ready_cart(variant, region_id=region, promo_codes=["ONCE"]) for _ in range(2)],
    ]
    for cart, email in zip(pairs[1], ("bob@example.com", "Bob@Example.com"), strict=True):
        details.change(actor=shopper(), cart_id=cart.pk, email=email)
    for carts in pairs:
        outcomes = Counter(at_once(lambda number: outcome(lambda: completed(carts[number])), threads=2))  # noqa: B023
        assert outcomes["done"] == 1, outcomes
    assert Order.objects.filter(discount_total__gt=0).count() == 2
