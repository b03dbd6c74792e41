"""Conditions, shipping discounts and buy X get Y in stored carts."""

from datetime import timedelta
from typing import Any

import pytest

from carts.details import details, promotion_codes
from carts.lines import line_change
from carts.lines.lines import NewLineItem
from carts.models import Cart, CartPromotion, Promotion, PromotionRule, ShippingMethodAdjustment
from carts.promotions.derived import keep_derived
from carts.promotions.in_force import for_all_carts
from carts.promotions.promotions import applied_promotions
from carts.states import PromotionKind, PromotionTarget
from kit.domain.soft_deletion import delete
from kit.values.timestamps import now
from tests.architecture.test_query_budgets import statements
from tests.contract.callers import storefront
from tests.factories import carts as make
from tests.factories.apikeys import publishable_key
from tests.factories.checkout import checked_out_cart
from tests.factories.products import ProductCollectionFactory, ProductFactory

pytestmark = pytest.mark.django_db


def offer(code: str, *rules: tuple[str, ...], **given: Any) -> Promotion:
    """rules: kind, attribute, operator, values."""
    promotion = make.PromotionFactory(code=code, **given)
    for kind, attribute, operator, *values in rules:
        PromotionRule.objects.create(
            promotion=promotion, kind=kind, attribute=attribute, operator=operator, values=values
        )
    keep_derived([promotion.pk])
    return promotion


def shown(cart: Cart) -> dict[str, Any]:
    return storefront(publishable_key()).get(f"/store/carts/{cart.pk}").json()["cart"]


def test_a_code_waits_for_its_minimum_and_applies_without_being_sent_again() -> None:
    offer("THREE", ("rules", "target_quantity", "gte", "3"))
    cart = make.cart(NewLineItem(make.sold_variant(8).pk, 3), promo_codes=[" three "])
    seen = shown(cart)
    assert (seen["discount_total"], seen["skipped_promo_codes"]) == (2.4, [])
    line = cart.items.get()
    for quantity, discount, skipped in ((2, 0, [("three", "minimum_not_reached", 1)]), (3, 2.4, [])):
        line_change.change(actor=make.shopper(), cart_id=cart.pk, line_id=line.pk, quantity=quantity)
        seen = shown(cart)
        assert seen["discount_total"] == discount
        assert [(each["code"], each["reason"], each["missing"]) for each in seen["skipped_promo_codes"]] == skipped


def test_a_collection_of_an_automatic_promotion_opens_its_gate() -> None:
    spring = ProductCollectionFactory()
    offer("SPRING", ("target_rules", "items.product.collection_id", "in", spring.pk), is_automatic=True)
    inside = make.sold_variant(10, product=ProductFactory(collection=spring))
    cart, other = make.cart(inside, make.sold_variant(10)), make.cart(make.sold_variant(10))
    assert (cart.total, other.total) == (19, 10)
    assert [*CartPromotion.objects.values_list("cart_id", flat=True)] == [cart.pk]


def test_buy_two_get_one() -> None:
    offer("B", kind=PromotionKind.BUYGET, buy_rules_min_quantity=2, apply_to_quantity=1, value=100, is_automatic=True)
    cheap, dear = make.sold_variant(10), make.sold_variant(20)
    assert make.cart(NewLineItem(dear.pk, 2), cheap).total == 40


def test_members_alone_and_places() -> None:
    offer("FR", ("rules", "shipping_address.country_code", "in", "fr"))
    offer("VIP", ("rules", "customer.groups.id", "in", "cusgroup_1"))
    region = make.selling_region(countries=["us", "fr"])
    cart = make.cart(make.sold_variant(10), region_id=region.pk, promo_codes=["FR", "VIP"])
    assert [each["reason"] for each in shown(cart)["skipped_promo_codes"]] == ["not_for_place", "not_for_customer"]
    details.change(actor=make.shopper(), cart_id=cart.pk, shipping_address={"country_code": "fr"})
    seen = shown(cart)
    assert ([each["code"] for each in seen["skipped_promo_codes"]], seen["total"]) == (["VIP"], 9)


def test_a_second_code_of_a_promotion_replaces_the_first_and_drafts_are_unknown() -> None:
    promotion = make.PromotionFactory(code="ONE")
    promotion.codes.create(code="Two", code_key="TWO")
    make.PromotionFactory(code="DRAFT", status="draft")
    cart = make.cart(make.sold_variant(10), promo_codes=["one"])
    promotion_codes.add(actor=make.shopper(), cart_id=cart.pk, promo_codes=["two"])
    assert CartPromotion.objects.get().entered == "two"
    store = storefront(publishable_key())
    draft, unknown = (
        store.post(f"/store/carts/{cart.pk}/promotions", {"promo_codes": [code]}) for code in ("DRAFT", "WRONG")
    )
    assert draft.status_code == unknown.status_code == 400
    assert draft.json()["message"].replace("DRAFT", "WRONG") == unknown.json()["message"]
    promotion_codes.remove(actor=make.shopper(), cart_id=cart.pk, promo_codes=["Two"])
    assert not CartPromotion.objects.exists()


def test_a_cart_has_ten_codes() -> None:
    codes = [make.PromotionFactory().code for _ in range(11)]
    cart = make.cart(make.sold_variant(10), promo_codes=codes[:10])
    answer = storefront(publishable_key()).post(f"/store/carts/{cart.pk}/promotions", {"promo_codes": codes[10:]})
    assert (answer.status_code, answer.json()["message"]) == (400, "A cart can have at most 10 promotion codes")


def test_the_catalogue_is_read_once_for_any_number_of_lines() -> None:
    spring = ProductCollectionFactory()
    offer("SPRING", ("target_rules", "items.product.collection_id", "in", spring.pk))
    counts = []
    for lines in (2, 20):
        variants = [make.sold_variant(10, product=ProductFactory(collection=spring)) for _ in range(lines)]
        cart = make.cart(*variants, promo_codes=["SPRING"])
        with statements() as texts:
            details.change(actor=make.shopper(), cart_id=cart.pk, locale="en")
        counts.append(len(texts))
    assert counts[0] == counts[1]


def test_promotions_are_read_only_where_one_may_apply_to_the_cart() -> None:
    spring, other = ProductCollectionFactory(), ProductCollectionFactory()
    cart = make.cart(make.sold_variant(10, product=ProductFactory(collection=spring)))

    def reads() -> int:
        with statements() as texts:
            details.change(actor=make.shopper(), cart_id=cart.pk, locale="en")
        return sum(text.lstrip("(").startswith('SELECT "carts_promotion"."id"') for text in texts)

    assert reads() == 0
    offer("DRAFT", is_automatic=True, status="draft")
    offer("ENDED", is_automatic=True, ends_at=now() - timedelta(days=1))
    offer("CODE")
    offer("OTHER", ("target_rules", "items.product.collection_id", "in", other.pk), is_automatic=True)
    assert reads() == 0
    sale = offer("SPRING", ("target_rules", "items.product.collection_id", "in", spring.pk), is_automatic=True)
    assert reads() == 1
    Promotion.objects.filter(pk=sale.pk).update(status="inactive")
    assert (reads(), reads()) == (1, 0)  # the cart had it
    offer("ALL", is_automatic=True)
    assert reads() == 1


def test_no_parameter_is_compared_with_a_column_of_a_partial_index() -> None:
    """SQLite would plan the statement again at each run, which costs more than running it."""
    assert for_all_carts().query.sql_with_params()[1] == ()


def test_free_shipping_is_kept_with_its_adjustment() -> None:
    offer("FREE", target="items", target_type=PromotionTarget.SHIPPING_METHODS, value=100)
    cart = checked_out_cart(make.sold_variant(10), promo_codes=["FREE"], shipping=5)
    cart.refresh_from_db()
    assert (cart.total, cart.shipping_total) == (10, 0)
    assert [each.amount for each in ShippingMethodAdjustment.objects.all()] == [5]
    promotion_codes.remove(actor=make.shopper(), cart_id=cart.pk, promo_codes=["FREE"])
    assert not ShippingMethodAdjustment.objects.exists()


def test_a_deleted_promotion_is_copied_to_an_order_and_leaves_the_cart_with_its_next_change() -> None:
    promotion = offer("GONE")
    cart = make.cart(make.sold_variant(10), promo_codes=["GONE"])
    delete(promotion)
    assert [each.code for each in applied_promotions(cart.pk)] == ["GONE"]
    promotion_codes.remove(actor=make.shopper(), cart_id=cart.pk, promo_codes=["NONE"])
    assert shown(cart)["discount_total"] == 0
    assert not CartPromotion.objects.exists()
