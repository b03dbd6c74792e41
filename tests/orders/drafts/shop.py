"""Drafts for tests, made by their own verbs."""

from decimal import Decimal
from typing import Any

from carts.details.line_replacement import WantedLine
from carts.models import Cart
from catalog.models import ProductVariant
from orders.drafts import creation
from orders.drafts.methods import DraftMethod
from tests.factories.actors import staff_actor
from tests.factories.carts import selling_region
from tests.factories.fulfillment import option
from tests.factories.payments import PROVIDER

STAFF = staff_actor("carts.manage_draft", "orders.set_price", "orders.add_order")
ADDRESS: dict[str, Any] = {
    "first_name": "Ann",
    "last_name": "Lee",
    "address_1": "1 Elm",
    "city": "New York",
    "country_code": "us",
    "postal_code": "10001",
}
EMAIL = "ann@example.com"


def wanted(variant: ProductVariant, quantity: int = 1, price: Any = None, **given: Any) -> WantedLine:
    """A line; price: of staff's."""
    unit_price = None if price is None else Decimal(str(price))
    return WantedLine(quantity, variant_id=variant.pk, unit_price=unit_price, **given)


def draft(*items: WantedLine | ProductVariant, shipping: Any = 5, custom: Any = None, **given: Any) -> Cart:
    """A draft in a region without taxes, ready to be converted. custom: what staff set for shipping."""
    region = given.pop("region", None) or selling_region()
    region.payment_providers.add(PROVIDER)
    methods = []
    if shipping is not None:
        amount = None if custom is None else Decimal(str(custom))
        chosen = option(shipping, currency_code=region.currency_id, of=given.pop("zone", None))
        methods = [DraftMethod(chosen.pk, custom_amount=amount)]
    made = creation.create(
        actor=given.pop("actor", STAFF),
        region_id=region.pk,
        items=[each if isinstance(each, WantedLine) else wanted(each) for each in items],
        **{"email": EMAIL, "shipping_address": dict(ADDRESS), "shipping_methods": methods, **given},
    )
    return Cart.objects.get(pk=made)
