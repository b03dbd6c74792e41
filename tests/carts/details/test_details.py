"""What a cart says of itself, and promotions by their codes."""

import re
from datetime import timedelta
from typing import Any

import pytest

from carts.details import creation, details, promotion_codes
from carts.details.addresses import Address
from carts.errors import (
    CountryOutsideRegion,
    LinesWithoutPrice,
    NoRegion,
    PromotionCodeInvalid,
    SalesChannelClosed,
    SalesChannelNeeded,
)
from carts.lines.lines import NewLineItem
from carts.models import Cart, CartAddress, Promotion
from carts.states import PromotionTarget, PromotionType
from kit.domain.actor import Actor
from kit.errors import InvalidData
from kit.values.timestamps import now
from shop.models import Region
from tests.factories import carts as make
from tests.factories.customers import CustomerFactory
from tests.factories.pricing import price
from tests.factories.shop import SalesChannelFactory

pytestmark = pytest.mark.django_db


def change(cart: Cart, **values: Any) -> Cart:
    details.change(actor=make.shopper(), cart_id=cart.pk, **values)
    return Cart.objects.get(pk=cart.pk)


def codes(cart: Cart) -> set[str]:
    return set(cart.promotions.values_list("code", flat=True))


# --- Made ---


def test_a_cart_is_made_in_the_default_region_or_the_only_one() -> None:
    with pytest.raises(NoRegion):
        creation.create(actor=make.shopper())
    default = make.default_region()
    make.selling_region(currency_id="eur", countries=["de"])
    cart = Cart.objects.get(pk=creation.create(actor=make.shopper()))
    assert (cart.region_id, cart.currency_id, cart.email, cart.customer_id) == (default.pk, "usd", None, None)


def test_the_currency_is_the_regions() -> None:
    region = make.selling_region()
    made = creation.create(actor=make.shopper(), region_id=region.pk, currency_code="USD")
    assert Cart.objects.get(pk=made).currency_id == "usd"
    with pytest.raises(InvalidData, match="is not the currency of the region, 'usd'"):
        creation.create(actor=make.shopper(), region_id=region.pk, currency_code="eur")
    assert Cart.objects.count() == 1


def test_a_cart_is_of_one_channel_of_the_key() -> None:
    region, web, till = make.selling_region(), SalesChannelFactory(), SalesChannelFactory()
    both = Actor("anonymous", None, (web.pk, till.pk))
    with pytest.raises(SalesChannelNeeded):
        creation.create(actor=both, region_id=region.pk)
    with pytest.raises(SalesChannelNeeded):
        creation.create(actor=Actor("anonymous"), region_id=region.pk)
    with pytest.raises(SalesChannelClosed):
        creation.create(actor=both, region_id=region.pk, sales_channel_id=SalesChannelFactory().pk)
    made = creation.create(actor=both, region_id=region.pk, sales_channel_id=till.pk)
    assert Cart.objects.get(pk=made).sales_channel_id == till.pk


def test_a_customers_cart_is_theirs_from_the_beginning() -> None:
    customer = CustomerFactory(email="ann@example.com")
    cart = make.cart(actor=make.shopper(customer_id=customer.pk))
    other = make.cart(actor=make.shopper(customer_id=customer.pk), email="Other@Example.com")
    assert (cart.customer_id, cart.email) == (customer.pk, "ann@example.com")
    assert (other.customer_id, other.email) == (customer.pk, "other@example.com")


def test_what_is_refused_makes_no_cart() -> None:
    region = make.selling_region()
    for values in (
        {"email": "nobody"},
        {"items": [NewLineItem("nobody", 1)]},
        {"promo_codes": ["NOPE"]},
        {"shipping_address": {"country_code": "de"}},
        {"shipping_address": {"country_code": "zz"}},
        {"metadata": {"a": "\0"}},
    ):
        with pytest.raises(InvalidData):
            creation.create(actor=make.shopper(), region_id=region.pk, **values)
    assert (Cart.objects.count(), CartAddress.objects.count()) == (0, 0)


# --- Changed ---


def test_an_address_becomes_what_is_given_in_the_form_that_is_kept() -> None:
    cart = change(make.cart(), shipping_address={"first_name": "Ann", "country_code": "US", "province": "ny"})
    address = cart.shipping_address
    assert address is not None
    assert (address.first_name, address.country_code, address.province, address.phone) == ("Ann", "us", "us-ny", None)
    again = change(cart, shipping_address={"last_name": "", "country_code": "", "province": " Somewhere "})
    address = again.shipping_address
    assert address is not None
    assert again.shipping_address_id == cart.shipping_address_id
    assert (address.first_name, address.last_name, address.country_code, address.province) == (
        None,
        "",
        None,
        " Somewhere ",
    )
    assert change(cart, shipping_address=None).shipping_address_id is None
    assert not CartAddress.objects.exists()


@pytest.mark.parametrize(("country", "typed", "kept"), [
    ("us", "N.Y.", "us-ny"), ("us", "california", "us-ca"), ("us", "Anywhere", "Anywhere"), ("us", " ", None),
])  # fmt: skip
def test_a_province_is_that_of_the_customers_book(country: str, typed: str, kept: str | None) -> None:
    cart = change(make.cart(), shipping_address={"country_code": country, "province": typed})
    assert cart.shipping_address is not None
    assert cart.shipping_address.province == kept


def test_a_province_code_of_another_country_becomes_its_name() -> None:
    cart = make.cart(shipping_address={"country_code": "us", "province": "NY"})
    billed = change(cart, billing_address={"id": cart.shipping_address_id, "country_code": "de"})
    assert billed.billing_address is not None
    assert (billed.billing_address.country_code, billed.billing_address.province) == ("de", "New York")


def test_goods_go_to_the_regions_countries_bills_anywhere() -> None:
    cart = make.cart()
    with pytest.raises(CountryOutsideRegion, match="Country with code de is not within the region of the cart"):
        change(cart, shipping_address={"country_code": "de"})
    billed = change(cart, billing_address={"country_code": "DE"})
    assert billed.billing_address is not None
    assert billed.billing_address.country_code == "de"


def test_another_region_means_its_prices_and_its_countries() -> None:
    europe = make.selling_region(currency_id="eur", countries=["de"], tax_rate=20)
    mug = make.sold_variant(10)
    price(mug, 15, "eur")
    boston: Address = {"city": "Boston", "country_code": "us", "province": "us-ma"}
    cart = change(make.cart(mug), shipping_address=boston, billing_address=boston)
    moved = change(cart, region_id=europe.pk)
    assert (moved.region_id, moved.currency_id, moved.item_subtotal, moved.tax_total) == (europe.pk, "eur", 15, 3)
    for address in (moved.shipping_address, moved.billing_address):
        assert address is not None
        assert (address.city, address.country_code, address.province) == ("Boston", None, None)


def test_an_address_in_the_new_region_or_sent_with_it_keeps_its_country() -> None:
    europe = make.selling_region(currency_id="usd", countries=["de", "fr"])
    cart = change(make.cart(), shipping_address={"country_code": "us"}, billing_address={"country_code": "de"})
    moved = change(cart, region_id=europe.pk, shipping_address={"country_code": "fr"})
    assert moved.shipping_address is not None
    assert moved.billing_address is not None
    assert (moved.shipping_address.country_code, moved.billing_address.country_code) == ("fr", "de")
    again = change(moved, region_id=make.selling_region(countries=["us"]).pk, billing_address={"country_code": "ch"})
    assert again.billing_address is not None
    assert again.billing_address.country_code == "ch"


def test_a_region_in_which_a_line_has_no_price_is_refused() -> None:
    europe, mug = make.selling_region(currency_id="eur", countries=["de"]), make.sold_variant(10)
    cart = make.cart(mug)
    with pytest.raises(LinesWithoutPrice, match=re.escape(make.title_of(mug))):
        change(cart, region_id=europe.pk)
    cart.refresh_from_db()
    assert (cart.currency_id, cart.total) == ("usd", 10)


def test_an_unknown_region_is_refused() -> None:
    with pytest.raises(InvalidData, match="Region with id: nobody was not found, given by field 'region_id'"):
        change(make.cart(), region_id="nobody")


def test_metadata_is_merged_and_the_rest_replaced() -> None:
    cart = change(make.cart(metadata={"a": 1, "b": 2}), metadata={"a": "", "c": 3}, email="X@y.co", locale="de-DE")
    assert (cart.metadata, cart.email, cart.locale) == ({"b": 2, "c": 3}, "x@y.co", "de-DE")
    cleared = change(cart, metadata=None, email=None, locale=None)
    assert (cleared.metadata, cleared.email, cleared.locale) == (None, None, None)


def test_what_is_not_given_stays() -> None:
    cart = make.cart(email="a@b.co", shipping_address={"city": "Boston"})
    assert Cart.objects.values().get(pk=change(cart).pk) == Cart.objects.values().get(pk=cart.pk)


# --- Promotions ---


def test_codes_are_set_given_and_taken() -> None:
    for code in ("A", "B", "C"):
        make.PromotionFactory(code=code)
    cart = make.cart(make.sold_variant(10), promo_codes=["A"])
    assert (codes(cart), cart.discount_total) == ({"A"}, 1)
    promotion_codes.add(actor=make.shopper(), cart_id=cart.pk, promo_codes=["B", "A"])
    assert codes(cart) == {"A", "B"}
    promotion_codes.remove(actor=make.shopper(), cart_id=cart.pk, promo_codes=["A", "NOPE"])
    assert codes(cart) == {"B"}
    cart = change(cart, promo_codes=["C"])
    assert (codes(cart), cart.discount_total) == ({"C"}, 1)
    cart = change(cart, promo_codes=[])
    assert (codes(cart), cart.discount_total, cart.items.get().adjustments.count()) == (set(), 0, 0)


def _spoilt() -> dict[str, dict[str, Any]]:
    day, fixed = timedelta(days=1), {"type": PromotionType.FIXED, "value": 1}
    return {
        "not begun": {"starts_at": now() + day},
        "ended": {"ends_at": now() - day},
        "used up": {"usage_limit": 2, "used": 2},
        "of another money": {**fixed, "currency_id": "eur"},
        "deleted": {"deleted_at": now()},
    }


@pytest.mark.parametrize("why", list(_spoilt()))
def test_a_code_that_does_not_hold_is_as_unknown_and_one_that_no_longer_does_is_dropped(why: str) -> None:
    promotion = make.PromotionFactory(code="SAVE")
    had = make.cart(make.sold_variant(10), promo_codes=["SAVE"])
    Promotion.objects.filter(pk=promotion.pk).update(**_spoilt()[why])
    cart = make.cart(make.sold_variant(10))
    for given in ("SAVE", "save", "", "\0"):
        with pytest.raises(PromotionCodeInvalid) as refusal:
            change(cart, promo_codes=[given])
        assert refusal.value.message == f"The promotion code {given} is invalid"
    refreshed = change(had, email="a@b.co")
    assert (refreshed.discount_total, refreshed.items.get().adjustments.count()) == (0, 0)
    assert why == "deleted" or codes(refreshed) == set()


def test_a_code_holds_within_its_dates_and_below_its_limit() -> None:
    day = timedelta(days=1)
    make.PromotionFactory(code="SAVE", starts_at=now() - day, ends_at=now() + day, usage_limit=2, used=1)
    assert make.cart(make.sold_variant(10), promo_codes=["SAVE"]).total == 9


def test_automatic_promotions_show_where_they_take_something_off() -> None:
    mug, tea = make.sold_variant(10), make.sold_variant(4)
    make.PromotionFactory(
        code="AUTO",
        is_automatic=True,
        type=PromotionType.FIXED,
        target=PromotionTarget.ORDER,
        value=3,
        currency_id="usd",
        products=[mug.product],
    )
    without, cart = make.cart(tea), make.cart(tea, mug)
    assert (codes(without), without.total) == (set(), 4)
    assert (codes(cart), cart.total) == ({"AUTO"}, 11)
    assert codes(change(cart, promo_codes=["AUTO"])) == codes(change(cart, promo_codes=[])) == {"AUTO"}
    adjustment = cart.items.get(variant=mug).adjustments.get()
    assert (adjustment.code, adjustment.amount) == ("AUTO", 3)


def test_prices_and_taxes_follow_the_shop_when_a_cart_is_added_up_again() -> None:
    region, mug = make.selling_region(), make.sold_variant(10)
    cart = make.cart(mug, region_id=region.pk)
    Region.objects.filter(pk=region.pk).update(tax_rate=10)
    mug.price_set.prices.update(amount=20)
    assert change(cart).total == 22
