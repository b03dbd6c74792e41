"""Carts of shops that state their prices with tax, without it, or some one way and some the other."""

from carts.lines.lines import NewLineItem
from carts.models import Cart
from shop.models import Currency
from tests.factories.carts import PromotionFactory, selling_region, sold_variant
from tests.factories.checkout import checked_out_cart
from tests.factories.pricing import price
from tests.factories.products import ProductFactory, VariantFactory


def stated_cart(terms: str) -> Cart:
    """Two mugs and their shipping at 20 % tax, with 10 % off the mugs. What is to be paid is 114.00 either way.

    terms: `with tax`, `without tax`, or `mixed`, where a pot of 12.00 is the only one whose price includes tax.
    """
    with_tax = terms == "with tax"
    Currency.objects.filter(pk="usd").update(is_tax_inclusive=with_tax)
    region = selling_region(tax_rate=20, is_tax_inclusive=terms != "without tax")
    items = [NewLineItem(sold_variant(60 if with_tax else 50, product=ProductFactory(title="Mug")).pk, 2)]
    if terms == "mixed":
        pot = VariantFactory(product=ProductFactory(title="Pot"), manage_inventory=False)
        price(pot, 12, region=region)
        items.append(NewLineItem(pot.pk, 1))
    code = PromotionFactory(code="TENTH").code
    return checked_out_cart(*items, region_id=region.pk, promo_codes=[code], shipping=6 if with_tax else 5)
