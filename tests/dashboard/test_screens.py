"""Each screen of the official dashboard opens: nothing is refused, and its console complains of nothing but itself."""

import pytest

from catalog.models import InventoryItem, PriceList, Product, ProductTag, ProductType
from fulfillment.models import ShippingOptionType
from payments.models import RefundReason
from shop.models import Region, SalesChannel, ShippingProfile, StockLocation
from staff.models import User
from taxes.models import TaxRegion
from tests.dashboard import needs_dashboard
from tests.dashboard.clerk import Clerk

pytestmark = [
    *(pytest.mark.browser, pytest.mark.servers("nginx"), pytest.mark.django_db(transaction=True)),
    needs_dashboard,
]
ROWS = {
    "product": Product,
    "item": InventoryItem,
    "list": PriceList,
    "region": Region,
    "channel": SalesChannel,
    "location": StockLocation,
    "profile": ShippingProfile,
    "shipping_type": ShippingOptionType,
    "tag": ProductTag,
    "type": ProductType,
    "tax_region": TaxRegion,
    "user": User,
    "reason": RefundReason,
}
SCREENS = """
products products/{product} products/{product}/edit products/{product}/sales-channels products/{product}/organization
products/{product}/media products/{product}/prices products/{product}/stock products/{product}/metadata/edit
product-options categories categories/organize collections
inventory inventory/create inventory/{item} inventory/{item}/edit inventory/{item}/locations reservations
reservations/create customers customer-groups price-lists price-lists/create price-lists/{list} price-lists/{list}/edit
price-lists/{list}/products/add price-lists/{list}/products/edit orders
settings/profile settings/regions settings/regions/{region} settings/regions/{region}/edit settings/store
settings/store/edit settings/sales-channels settings/sales-channels/{channel} settings/locations
settings/locations/{location} settings/locations/{location}/edit settings/locations/shipping-profiles
settings/locations/shipping-profiles/{profile} settings/locations/shipping-option-types
settings/locations/shipping-option-types/{shipping_type} settings/product-tags settings/product-tags/{tag}
settings/product-types settings/product-types/{type} settings/publishable-api-keys
settings/secret-api-keys settings/tax-regions settings/tax-regions/{tax_region}
settings/users settings/users/{user} settings/users/invite
settings/return-reasons settings/refund-reasons settings/refund-reasons/{reason}/edit
""".split()


def test_each_screen_opens(clerk: Clerk) -> None:
    rows = {name: model._default_manager.order_by("pk").first() for name, model in ROWS.items()}
    ids = {name: row.pk for name, row in rows.items() if row is not None}
    faults = {}
    for screen in SCREENS:
        clerk.open(screen.format(**ids))
        clerk.picture(screen.format(**dict.fromkeys(ROWS, "one")).replace("/", "-"))
        if found := clerk.faults():
            faults[screen] = found
    assert faults == {}
