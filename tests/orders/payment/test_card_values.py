"""What bought gift cards cost and are worth: their unit price; on old orders what was paid, at most the unit price.

The amounts are worked out by hand. Why: docs/decisions/gift-cards.md#a-card-costs-what-it-is-worth.
"""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import pytest

from carts.checkout import taxes
from carts.lines.lines import NewLineItem
from carts.models import Adjustment, Cart, TaxLine
from carts.states import PromotionTarget, PromotionType
from giftcards.models import GiftCard
from giftcards.verification.verification import discrepancies
from kit.domain.actor import SYSTEM
from orders.common.errors import TotalChanged
from orders.models import Order, OrderTaxLine
from orders.payment.gift_card_issue import issue_bought_cards
from payments.models import Payment
from payments.movements import capturing
from tests.factories.carts import PromotionFactory, cart, selling_region, shopper, sold_variant
from tests.factories.checkout import pay, ready_cart
from tests.factories.pricing import price
from tests.factories.products import ProductFactory, VariantFactory
from tests.old_version import old_process
from tests.orders.completing import completed, order_of
from tests.orders.outbox import mails
from tests.orders.placed import GUEST, gift, placed
from tests.orders.refunds.shop import refund

pytestmark = pytest.mark.django_db


def bought(amount: Any, units: int, *, rate: Any, incl: bool = False, percentage: Any = None) -> Order:
    """A captured order of gift cards alone, whose cards are still to be issued."""
    region = selling_region(tax_rate=rate, is_tax_inclusive=incl)
    codes = [PromotionFactory(value=percentage).code] if percentage else []
    variant = VariantFactory(product=ProductFactory(is_giftcard=True), manage_inventory=False)
    price(variant, amount, region=region)
    made = cart(NewLineItem(variant.pk, units), region_id=region.pk, promo_codes=codes, email=GUEST)
    return placed(cart=made)


def values(order: Order) -> list[Decimal]:
    cards = GiftCard.objects.filter(line_item_id__in=order.items.values("pk"))
    return [card.value for card in cards.order_by("unit")]


def written(amounts: Sequence[str]) -> list[Decimal]:
    return [Decimal(amount) for amount in amounts]


@pytest.mark.parametrize(
    ("terms", "paid", "worth"),
    [
        ({"rate": 20, "incl": True}, "50.00", ["50.00"]),
        ({"rate": "8.875"}, "54.44", ["50.00"]),
        ({"rate": 20, "percentage": "33.33", "amount": 10, "units": 3}, "24.00", ["8.00"] * 3),
        ({"rate": 20, "percentage": 10, "amount": 10, "units": 3}, "32.40", ["10.00"] * 3),
        (
            {"rate": 20, "incl": True, "percentage": "33.33", "amount": 10, "units": 3},
            "20.00",
            ["6.67", "6.67", "6.66"],
        ),
        ({"rate": 20, "percentage": 100}, "0.00", []),
    ],
)
def test_a_card_of_an_old_order_is_worth_what_was_paid_and_at_most_its_unit_price(
    terms: dict[str, Any], paid: str, worth: list[str]
) -> None:
    with old_process():
        order = bought(**{"amount": 50, "units": 1, **terms})
    assert order.total == Decimal(paid)
    issue_bought_cards(order.pk)
    assert values(order) == written(worth)
    order.refresh_from_db()
    assert order.total == Decimal(paid)
    assert list(discrepancies()) == []


def test_cards_that_an_old_process_has_issued_stay_as_they_are() -> None:
    with old_process():
        order = bought(50, 2, rate=20, incl=True)
        issue_bought_cards(order.pk)
    issue_bought_cards(order.pk)
    assert values(order) == written(["41.67", "41.66"])
    assert len(mails()) == 2
    assert list(discrepancies()) == []


def test_an_old_process_issues_cards_of_a_new_order_as_this_one_does() -> None:
    order = bought(50, 2, rate=20, incl=True, percentage=10)
    with old_process():
        issue_bought_cards(order.pk)
    assert values(order) == written(["50.00", "50.00"])


def card_and_mug(**given: Any) -> Cart:
    """New York, a card of 50.00 and a mug of 20.00 less 10 %."""
    region = selling_region(tax_rate="8.875")
    code = PromotionFactory(value=10, **given).code
    return ready_cart(gift(50), sold_variant(20), region_id=region.pk, promo_codes=[code], shipping=0)


@pytest.mark.parametrize("target", [PromotionTarget.ITEMS, PromotionTarget.ORDER])
def test_a_card_has_no_tax_and_no_part_of_a_discount(target: PromotionTarget) -> None:
    made = card_and_mug(target=target)
    card, mug = made.items.order_by("-is_giftcard")
    assert (card.total, card.tax_total, card.is_discountable) == (50, 0, False)
    assert (mug.total, mug.tax_total, mug.discount_total) == (Decimal("19.60"), Decimal("1.60"), Decimal("2.18"))
    assert made.total == Decimal("69.60")
    assert [each.item_id for each in TaxLine.objects.all()] == [each.item_id for each in Adjustment.objects.all()]
    order = order_of(made)
    capturing.capture(actor=SYSTEM, payment_id=Payment.objects.get().pk)
    assert values(order) == [50]
    assert [each.item.is_giftcard for each in OrderTaxLine.objects.all()] == [False]
    assert list(discrepancies()) == []


def test_a_fixed_amount_off_the_order_comes_off_the_goods_alone_and_at_most_their_price() -> None:
    made = card_and_mug(target=PromotionTarget.ORDER, type=PromotionType.FIXED, currency_id="usd")
    assert made.total == Decimal("50.00") + Decimal("10.89")
    code = PromotionFactory(value=40, type=PromotionType.FIXED, target=PromotionTarget.ORDER, currency_id="usd").code
    more = ready_cart(gift(50), sold_variant(20), promo_codes=[code], shipping=0)
    assert more.total == 50


def test_a_card_of_a_mixed_order_is_refunded_with_it_and_canceled() -> None:
    order = order_of(card_and_mug())
    capturing.capture(actor=SYSTEM, payment_id=Payment.objects.get().pk)
    order.refresh_from_db()
    refund(order, "19.60")
    assert [card.status for card in GiftCard.objects.all()] == ["pending"]
    refund(order, 50)
    assert [card.status for card in GiftCard.objects.all()] == ["canceled"]
    assert list(discrepancies()) == []


@pytest.mark.parametrize("column", ["placed_total", "unit_price"])
def test_the_ledgers_check_names_a_line_whose_cards_are_worth_more(column: str) -> None:
    order = bought(50, 2, rate=20)
    issue_bought_cards(order.pk)
    assert list(discrepancies()) == []
    order.items.update(**{column: getattr(order.items.get(), column) - Decimal("0.01")})
    found = f"Line {order.items.get().pk} of order {order.display_id} was bought for "
    assert [str(each).startswith(found) and "worth 100" in str(each) for each in discrepancies()].count(True) == 1


def refreshed(made: Cart) -> Decimal:
    taxes.calculate(actor=shopper(), cart_id=made.pk)
    made.refresh_from_db()
    return Decimal(made.total)


def test_a_cart_that_an_old_process_refreshed_is_asked_for_again() -> None:
    with old_process():
        made = card_and_mug()
        assert refreshed(made) == Decimal("48.99") + Decimal("19.60")
        assert TaxLine.objects.count() == 2
    with pytest.raises(TotalChanged):
        completed(made)
    assert refreshed(made) == Decimal("69.60")
    assert TaxLine.objects.count() == Adjustment.objects.count() == 1
    pay(made)
    assert order_of(made).total == Decimal("69.60")


def test_an_old_process_asks_again_for_a_cart_that_this_one_refreshed() -> None:
    made = card_and_mug()
    with old_process():
        with pytest.raises(TotalChanged):
            completed(made)
        made.refresh_from_db()
        pay(made)
        order = order_of(made)
    assert order.total == made.total == Decimal("54.44") + Decimal("19.60")
    issue_bought_cards(order.pk)
    assert values(order) == [50]
    assert list(discrepancies()) == []
