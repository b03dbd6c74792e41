"""Replacing a cart at once."""

from typing import Any

import pytest

from carts.details.faults import CartFaults
from carts.details.line_replacement import WantedLine
from carts.details.replacement import WantedMethod, replace
from carts.lines.lines import NewLineItem
from carts.models import Cart
from carts.states import PromotionTarget
from tests.factories import carts as make
from tests.factories.checkout import ADDRESS, checked_out_cart
from tests.factories.fulfillment import option

pytestmark = pytest.mark.django_db


def put(cart: Cart, **parts: Any) -> Cart:
    replace(actor=make.shopper(), cart_id=cart.pk, **parts)
    return Cart.objects.get(pk=cart.pk)


def lines(cart: Cart) -> list[tuple[int, str]]:
    return [(line.quantity, line.variant_id) for line in cart.items.order_by("pk")]


def faults(cart: Cart, **parts: Any) -> list[tuple[str, str]]:
    with pytest.raises(CartFaults) as refused:
        put(cart, **parts)
    return [(each["field"], each["message"]) for each in refused.value.details["faults"]]


def test_all_parts_are_replaced_at_once() -> None:
    mug, tee, lamp = make.sold_variant(10), make.sold_variant(25), make.sold_variant(40)
    cart = checked_out_cart(NewLineItem(mug.pk, 2), tee)
    old, new = make.PromotionFactory(), make.PromotionFactory()
    put(cart, promo_codes=[old.code])
    kept = cart.items.get(variant=mug)
    post = option(7)
    changed = put(
        cart,
        items=[WantedLine(3, line_id=kept.pk), WantedLine(1, variant_id=lamp.pk, metadata={"text": "Ann"})],
        promo_codes=[new.code],
        email="bob@example.com",
        shipping_address={**ADDRESS, "city": "Boston"},
        billing_address=None,
        shipping_methods=[WantedMethod(post.pk, "Post")],
    )
    assert lines(changed) == [(3, mug.pk), (1, lamp.pk)]
    assert (changed.email, changed.shipping_address.city, changed.billing_address) == (
        "bob@example.com",
        "Boston",
        None,
    )
    assert [each.code for each in changed.promotions.all()] == [new.code]
    assert [(each.name, each.amount) for each in changed.shipping_methods.all()] == [("Post", 7)]
    assert changed.total == 70 - 7 + 7


def test_parts_that_are_left_out_stay() -> None:
    cart = checked_out_cart()
    before = (lines(cart), cart.total)
    changed = put(cart, email="bob@example.com")
    assert (lines(changed), changed.total, changed.shipping_address.city) == (*before, "New York")


def test_a_method_that_the_cart_has_stays() -> None:
    cart = checked_out_cart()
    method = cart.shipping_methods.get()
    changed = put(cart, shipping_methods=[WantedMethod(str(method.shipping_option_id), "", method_id=method.pk)])
    assert changed.shipping_methods.get().pk == method.pk
    assert put(cart, shipping_methods=[]).total == 50


def test_all_faults_are_named_and_nothing_changes() -> None:
    few, unsold, unpriced = make.sold_variant(10, in_stock=2), make.sold_variant(10), make.sold_variant(10)
    unsold.product.sales_channels.clear()
    unpriced.price_set.prices.all().delete()
    cart, post = checked_out_cart(), option(5)
    post.service_zone.geo_zones.all().delete()
    before = (lines(cart), cart.email, cart.total)
    found = faults(
        cart,
        email="nobody",
        items=[
            WantedLine(3, variant_id=few.pk),
            WantedLine(0, variant_id=few.pk),
            WantedLine(1, variant_id=unsold.pk),
            WantedLine(1, variant_id=unpriced.pk),
            WantedLine(1, line_id="cali_none"),
        ],
        promo_codes=["NOPE", "NEVER"],
        shipping_address={**ADDRESS, "country_code": "de"},
        shipping_methods=[WantedMethod(post.pk, "Post")],
    )
    assert found == [
        ("email", "Value for field 'email' is not an email address"),
        ("shipping_address", "Country with code de is not within the region of the cart"),
        ("items[1]", "Value for field 'quantity' too small, expected at least: '1'"),
        ("items[2]", f"Product variant with id: {unsold.pk} was not found in the cart's sales channel"),
        ("items[4]", "Line item with id: cali_none was not found"),
        ("items[0]", f"Not enough stock available for {make.title_of(few)}"),
        ("promo_codes[0]", "The promotion code NOPE is invalid"),
        ("promo_codes[1]", "The promotion code NEVER is invalid"),
        ("items[3]", f"No price in this quantity and region for {make.title_of(unpriced)}"),
        ("shipping_methods[0]", "The shipping option 'Post' does not deliver this cart, or has no price for it"),
    ]
    after = Cart.objects.get(pk=cart.pk)
    assert (lines(after), after.email, after.total) == before


def test_the_message_names_each_field() -> None:
    with pytest.raises(CartFaults, match=r"^Invalid request: promo_codes\[0\]: The promotion code NOPE is invalid$"):
        put(make.cart(), promo_codes=["NOPE"])


def test_codes_that_wait_leave_with_the_others() -> None:
    cart = make.cart(make.sold_variant(10))
    waiting = make.PromotionFactory(target_type=PromotionTarget.SHIPPING_METHODS)
    put(cart, promo_codes=[waiting.code])
    assert put(cart, promo_codes=[]).promotions.count() == 0
