import pytest

from carts.lines.lines import NewLineItem
from giftcards.spending.cart_cards import add_card
from orders.fulfillments import delivery
from orders.models import Order
from tests.factories.carts import PromotionFactory, selling_region, shopper, sold_variant
from tests.factories.checkout import checked_out_cart
from tests.factories.giftcards import gift_card
from tests.factories.products import ProductFactory
from tests.orders.fulfillments.shop import STAFF, pack
from tests.orders.refunds.conftest import fake
from tests.orders.refunds.shop import refund
from tests.orders.reports.export.shop import completed
from tests.orders.returns.shop import receive, request
from tests.payments.providers import FAKE, FakeProvider

__all__ = ["fake", "returned"]


@pytest.fixture
def returned(fake: FakeProvider) -> Order:
    return returned_order()


def returned_order() -> Order:
    """3 x 10 and a fifth of tax, 10 % off, shipping 5, a card of 7: 31.40 paid. One came back, 10.80 is refunded."""
    code = PromotionFactory(code="SPRING").code
    variant = sold_variant(10, in_stock=9, product=ProductFactory(title="Mug"), title="Blue", sku="mug-blue")
    full = checked_out_cart(
        NewLineItem(variant.pk, 3),
        provider_id=FAKE,
        region_id=selling_region(name="Here", tax_rate=20).pk,
        promo_codes=[code],
    )
    add_card(actor=shopper(), cart_id=full.pk, code=gift_card(7).code)
    made = completed(full)
    delivery.deliver(actor=STAFF, fulfillment_id=pack(made, 3).pk)
    receive(request(made, 1), 1)
    refund(made, "10.80")
    return made
