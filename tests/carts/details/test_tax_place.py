"""Where a cart is taxed: at the shipping address, or at the billing address if nothing in it is shipped."""

from decimal import Decimal
from typing import Any

import pytest
from django.db import transaction

from carts.details import details
from carts.lines import line_addition, line_removal
from carts.models import Cart, TaxLine
from carts.pricing.cart_context import cart_context_of
from carts.pricing.locked_cart import lock_open_cart
from carts.pricing.refreshing import refresh
from catalog.models import Product, ProductVariant
from kit.values import money
from shop.models import Region
from tests.contract.callers import storefront
from tests.factories.apikeys import publishable_key
from tests.factories.carts import cart, ebook, selling_region, shopper, sold_variant
from tests.factories.products import ProductFactory
from tests.factories.taxes import tax_rate

pytestmark = pytest.mark.django_db

DE, FR, AT = ({"country_code": code} for code in ("de", "fr", "at"))
ONTARIO = {"country_code": "ca", "province": "ca-on"}


@pytest.fixture
def region(db: None) -> Region:
    """With a rate of its own, two countries with rates, and one without; billing addresses may be anywhere."""
    for country, rate in (("de", "7"), ("fr", "5.5"), ("ca", "5")):
        tax_rate(country, rate)
    tax_rate("ca", "13", "ca-on")
    return selling_region(countries=["de", "fr", "at"], tax_rate=20)


def mug(amount: Any = 10) -> ProductVariant:
    return sold_variant(amount)


def rates(made: Cart) -> list[Decimal]:
    """Of the lines, in their order; once stored and refreshed contexts agree."""
    with transaction.atomic():
        locked = lock_open_cart(actor=shopper(), cart_id=made.pk)
        refresh(locked)
    assert locked.context is not None
    stored = cart_context_of(made.pk)
    assert stored.tax_place == locked.context.tax_place == stored.price_context.tax_place
    return [
        Decimal(rate)
        for rate in TaxLine.objects.filter(item__cart=made).order_by("item").values_list("rate", flat=True)
    ]


@pytest.mark.parametrize(
    ("shipping", "billing", "shipped", "unshipped"),
    [
        (None, None, "20", "20"),
        (DE, None, "7", "7"),
        (None, FR, "20", "5.5"),
        (DE, FR, "7", "5.5"),
        (DE, ONTARIO, "7", "13"),
        (DE, {"country_code": "ca"}, "7", "5"),
        (DE, {"first_name": "Ann"}, "7", "7"),
        (DE, AT, "7", "20"),
        (None, {"first_name": "Ann"}, "20", "20"),
    ],
    ids=str,
)
def test_the_place_of_each_kind_of_goods(
    region: Region, shipping: Any, billing: Any, shipped: str, unshipped: str
) -> None:
    given = {"region_id": region.pk, "shipping_address": shipping, "billing_address": billing}
    assert rates(cart(ebook(), **given)) == [Decimal(unshipped)]
    assert rates(cart(mug(), **given)) == [Decimal(shipped)]
    assert rates(cart(ebook(), mug(), **given)) == [Decimal(shipped)] * 2
    card = sold_variant(product=ProductFactory(is_giftcard=True))
    assert rates(cart(ebook(), card, **given)) == [Decimal(unshipped)]


def test_the_only_country_of_the_region_counts_before_its_own_rate() -> None:
    tax_rate("de", 7)
    one = selling_region(countries=["de"], tax_rate=20)
    assert rates(cart(ebook(), region_id=one.pk)) == [Decimal(7)]
    assert rates(cart(ebook(), region_id=one.pk, billing_address={"country_code": "us"})) == [Decimal(20)]


def test_the_amounts_follow_what_the_cart_holds(region: Region) -> None:
    """An e-book of 10.00 for France at 5.5 %, then beside a mug of 20.00 for Germany at 7 %, then alone again."""
    made = cart(ebook(), region_id=region.pk, shipping_address=DE, billing_address=FR)
    assert (made.total, made.tax_total) == (Decimal("10.55"), Decimal("0.55"))
    line_addition.add(actor=shopper(), cart_id=made.pk, variant_id=(other := mug(20)).pk, quantity=1)
    made.refresh_from_db()
    assert (made.total, made.tax_total) == (Decimal("32.10"), Decimal("2.10"))
    assert rates(made) == [7, 7]
    line_removal.remove(actor=shopper(), cart_id=made.pk, line_id=made.items.get(variant=other).pk)
    made.refresh_from_db()
    assert (made.total, made.tax_total) == (Decimal("10.55"), Decimal("0.55"))


def test_an_address_that_changes_and_goods_that_begin_to_ship_move_the_place(region: Region) -> None:
    made = cart(ebook(), region_id=region.pk, shipping_address=DE)
    details.change(actor=shopper(), cart_id=made.pk, billing_address=FR)
    made.refresh_from_db()
    assert made.tax_total == Decimal("0.55")
    Product.objects.update(requires_shipping=True)
    assert cart_context_of(made.pk).tax_place.country_code == "fr"
    assert rates(made) == [7]
    made.refresh_from_db()
    assert made.tax_total == Decimal("0.70")
    details.change(actor=shopper(), cart_id=made.pk, billing_address=None)
    Product.objects.update(requires_shipping=False)
    assert rates(made) == [7]


def test_an_emptied_cart_is_taxed_at_its_shipping_address(region: Region) -> None:
    made = cart(ebook(), region_id=region.pk, shipping_address=DE, billing_address=FR)
    line_removal.remove(actor=shopper(), cart_id=made.pk, line_id=made.items.get().pk)
    assert rates(made) == []
    assert cart_context_of(made.pk).tax_place.country_code == "de"


def test_the_catalogue_shows_the_tax_of_the_carts_place(region: Region) -> None:
    book = ebook()
    made = cart(book, region_id=region.pk, shipping_address=DE, billing_address=FR)
    query = f"cart_id={made.pk}&fields=*variants.calculated_price"
    answer = storefront(publishable_key()).get(f"/store/products/{book.product_id}", query).json()
    price = answer["product"]["variants"][0]["calculated_price"]
    assert money.exact(Decimal(str(price["calculated_amount_with_tax"])), "usd") == Decimal("10.55")
