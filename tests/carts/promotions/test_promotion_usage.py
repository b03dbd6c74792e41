"""Counting the uses of promotions, and refusing those beyond their limits."""

from typing import Any

import pytest

from carts.details import promotion_codes
from carts.errors import PromotionCodeInvalid, PromotionUsedUp
from carts.models import Cart, Promotion, PromotionUsage
from carts.promotions.promotion_usage import customer_key, record_usage, release_usage
from kit.domain.soft_deletion import delete
from tests.factories import carts as make
from tests.factories.customers import CustomerFactory

pytestmark = pytest.mark.django_db

ANN, BOB = "ann@example.com", "bob@example.com"


def used(*promotions: Promotion) -> list[int]:
    """How often each was used, after comparing that with the rows of its uses."""
    for promotion in promotions:
        promotion.refresh_from_db()
        assert promotion.used == PromotionUsage.objects.filter(promotion=promotion).count()
    return [promotion.used for promotion in promotions]


def has(cart: Cart, *, after_a_change: bool = True) -> list[str]:
    """The codes that the cart has after its next change."""
    if after_a_change:
        promotion_codes.remove(actor=make.shopper(), cart_id=cart.pk, promo_codes=["NONE"])
    return list(cart.promotions.order_by("code").values_list("code", flat=True))


def test_a_use_counts_once_for_a_cart_and_is_taken_back_once() -> None:
    one, two, other = make.PromotionFactory(), make.PromotionFactory(usage_limit=5), make.PromotionFactory()
    for _ in range(2):
        record_usage("cart_1", [one.pk, two.pk], ANN)
        assert used(one, two, other) == [1, 1, 0]
    record_usage("cart_2", [two.pk, other.pk], ANN)
    for _ in range(2):
        release_usage("cart_1")
        assert used(one, two, other) == [0, 1, 1]
    release_usage("cart_unknown")
    record_usage("cart_3", [], ANN)
    assert used(one, two, other) == [0, 1, 1]


def test_none_is_counted_where_one_is_used_up() -> None:
    free, last = make.PromotionFactory(), make.PromotionFactory(code="LAST", usage_limit=1)
    record_usage("cart_1", [last.pk], ANN)
    with pytest.raises(PromotionUsedUp, match="LAST") as error:
        record_usage("cart_2", [free.pk, last.pk], BOB)
    assert error.value.type == "not_allowed"
    assert used(free, last) == [0, 1]
    release_usage("cart_1")
    record_usage("cart_2", [free.pk, last.pk], BOB)
    assert used(free, last) == [1, 1]


def test_a_customer_uses_a_promotion_as_often_as_it_says() -> None:
    twice = make.PromotionFactory(code="TWICE", usage_limit_per_customer=2)
    for number in range(2):
        record_usage(f"cart_{number}", [twice.pk], ANN)
    with pytest.raises(PromotionUsedUp, match="TWICE"):
        record_usage("cart_2", [twice.pk], ANN)
    record_usage("cart_2", [twice.pk], BOB)
    release_usage("cart_0")
    record_usage("cart_3", [twice.pk], ANN)
    assert used(twice) == [3]


@pytest.mark.parametrize(
    ("account_id", "email", "key"),
    [
        (None, "ANN@Example.com ", ANN),
        (None, ANN, ANN),
        ("cus_1", ANN, "cus_1"),
        ("cus_1", None, "cus_1"),
        (None, None, None),
        (None, "", None),
    ],
)
def test_the_letter_case_of_an_address_makes_no_other_customer(
    account_id: str | None, email: str | None, key: str | None
) -> None:
    assert customer_key(account_id, email) == key


def test_the_carts_own_use_leaves_it_its_promotion() -> None:
    promotion = make.PromotionFactory(code="LAST", usage_limit=1, usage_limit_per_customer=1)
    own, other = (make.cart(make.sold_variant(10), promo_codes=["LAST"], email=ANN) for _ in range(2))
    record_usage(own.pk, [promotion.pk], ANN)
    assert (has(own), has(other)) == (["LAST"], [])


@pytest.mark.parametrize("email", [ANN, "ANN@Example.com"])
def test_a_promotion_that_a_customer_has_used_up_is_inactive_for_their_carts(email: str) -> None:
    promotion = make.PromotionFactory(code="ONCE", usage_limit_per_customer=1)
    anns, bobs, nobodys = (
        make.cart(make.sold_variant(10), promo_codes=["ONCE"], email=each) for each in (email, BOB, None)
    )
    record_usage("cart_before", [promotion.pk], ANN)
    assert (has(anns), has(bobs), has(nobodys)) == ([], ["ONCE"], ["ONCE"])
    with pytest.raises(PromotionCodeInvalid, match="ONCE"):
        promotion_codes.add(actor=make.shopper(), cart_id=anns.pk, promo_codes=["ONCE"])
    with pytest.raises(PromotionCodeInvalid, match="ONCE"):
        make.cart(make.sold_variant(10), promo_codes=["ONCE"], email=email)
    release_usage("cart_before")
    promotion_codes.add(actor=make.shopper(), cart_id=anns.pk, promo_codes=["ONCE"])
    assert has(anns) == ["ONCE"]


def test_a_customers_uses_are_counted_by_the_account_whatever_the_address() -> None:
    ann = CustomerFactory(email=ANN)
    promotion = make.PromotionFactory(code="ONCE", usage_limit_per_customer=1, is_automatic=True)
    mine = make.shopper(customer_id=ann.pk)
    cart = make.cart(make.sold_variant(10), actor=mine, email=BOB)
    assert cart.total == 9
    record_usage("cart_before", [promotion.pk], ann.pk)
    promotion_codes.remove(actor=mine, cart_id=cart.pk, promo_codes=["NONE"])
    cart.refresh_from_db()
    assert cart.total == 10
    assert make.cart(make.sold_variant(10), email=ANN).total == 9


def test_a_promotion_that_was_deleted_since_is_counted_still() -> None:
    promotion = make.PromotionFactory()
    delete(promotion)
    record_usage("cart_1", [promotion.pk], ANN)
    assert used(promotion) == [1]
    release_usage("cart_1")
    assert used(promotion) == [0]


def test_uses_take_as_many_statements_for_ten_promotions_as_for_one(django_assert_num_queries: Any) -> None:
    promotions = [make.PromotionFactory(usage_limit=3, usage_limit_per_customer=2).pk for _ in range(10)]
    for ids in (promotions[:1], promotions):
        with django_assert_num_queries(4):
            record_usage("cart_1", ids, ANN)
        with django_assert_num_queries(4):
            release_usage("cart_1")
    with django_assert_num_queries(2):
        release_usage("cart_1")
