"""A small shop with something of everything that a product, a price list and a fulfillment set can hold."""

import copy
from typing import Any

GREEN = {
    "title": "50 g / Green",
    "sku": "SENCHA-50",
    "barcode": "4006381333931",
    "ean": "4006381333931",
    "upc": "036000291452",
    "allow_backorder": True,
    "manage_inventory": True,
    "weight": 62.5,
    "material": "paper",
    "options": {"Size": "50 g", "Tin": "Green"},
    "inventory": {"Dock": 12, "Attic": 0},
    "prices": [
        {"currency_code": "EUR", "amount": 9.5},
        {"currency_code": "eur", "amount": 8, "min_quantity": 10, "max_quantity": 99},
        {"currency_code": "usd", "amount": 11, "region": "America"},
        {
            "currency_code": "usd",
            "amount": 5,
            "rules": [{"attribute": "customer.groups.id", "operator": "eq", "value": "staff"}],
        },
    ],
    "metadata": {"harvest": 2026},
}
BLACK = {"title": "50 g / Black", "sku": "SENCHA-50-B", "options": {"Size": "50 g", "Tin": "Black"}}
SENCHA: dict[str, Any] = {
    "title": "Sencha Asamushi",
    "subtitle": "First flush",
    "description": "Grassy and clear.",
    "thumbnail": "/media/sencha-1.jpg",
    "status": "published",
    "is_giftcard": False,
    "discountable": False,
    "external_id": "s-1",
    "width": 8,
    "hs_code": "0902.10",
    "origin_country": "jp",
    "type": "Leaf",
    "collection": "spring-picks",
    "tags": ["organic", "new"],
    "categories": ["tea"],
    "sales_channels": ["Web", "App"],
    "shipping_profile": "Parcel",
    "images": ["/media/sencha-1.jpg", "/media/sencha-2.jpg"],
    "options": [{"title": "Size", "values": ["50 g", "100 g"]}, {"title": "Tin", "values": ["Green", "Black"]}],
    "metadata": {"steep": [1, 2.5]},
    "variants": [GREEN, BLACK],
}
CUP = {"title": "Cup", "variants": [{"title": "Cup", "inventory": {"Dock": 3}}]}
SALE: dict[str, Any] = {
    "title": "Harvest sale",
    "description": "A week in May",
    "type": "sale",
    "status": "active",
    "starts_at": "2026-05-01T00:00:00Z",
    "ends_at": "2026-05-08T00:00:00Z",
    "rules": {"customer.groups.id": ["regulars", "staff"]},
    "prices": [
        {"sku": "SENCHA-50", "currency_code": "eur", "amount": 7.25},
        {"sku": "SENCHA-50", "currency_code": "eur", "amount": 7, "min_quantity": 5},
        {"sku": "SENCHA-50-B", "currency_code": "usd", "amount": 6, "region": "America"},
    ],
}
EXPRESS: dict[str, Any] = {
    "name": "Express",
    "price_type": "flat",
    "provider": "manual_manual",
    "shipping_profile": "Parcel",
    "type": {"label": "Express", "description": "Tomorrow", "code": "express"},
    "data": {"carrier": "dhl"},
    "prices": [
        {"currency_code": "eur", "amount": 9.9},
        {
            "currency_code": "eur",
            "amount": 0,
            "region": "Europe",
            "rules": [{"attribute": "item_total", "operator": "gte", "value": "50"}],
        },
    ],
    "rules": [
        {"attribute": "enabled_in_store", "operator": "eq", "value": "true"},
        {"attribute": "customer.groups.id", "operator": "in", "value": ["a", "b"]},
    ],
    "metadata": {"a": 1},
}
SHIPPING: dict[str, Any] = {
    "name": "From the dock",
    "type": "shipping",
    "location": "Dock",
    "service_zones": [
        {
            "name": "Germany and New York",
            "geo_zones": [
                {"type": "country", "country_code": "DE"},
                {"type": "province", "country_code": "us", "province_code": "New York"},
                {"type": "city", "country_code": "fr", "city": "Lyon"},
                {"type": "zip", "country_code": "fr", "postal_expression": {"from": "75000", "to": "75999"}},
            ],
            "shipping_options": [EXPRESS, {"name": "Pickup"}],
            "metadata": {"b": 2},
        }
    ],
    "metadata": {"c": 3},
}
GERMANY: dict[str, Any] = {
    "country_code": "DE",
    "rates": [
        {"name": "Standard", "rate": 19, "is_default": True},
        {
            "name": "Reduced",
            "code": "reduced",
            "rate": 7,
            "products": ["cup"],
            "product_types": ["Leaf"],
            "shipping_options": ["Pickup"],
            "metadata": {"d": 4},
        },
    ],
}
ADDRESS: dict[str, Any] = {"first_name": "Ann", "address_1": "Dock 1", "city": "Bremen", "country_code": "de"}
ANN: dict[str, Any] = {
    "email": "ann.reader@example.com",
    "password": "steeped twice",
    "first_name": "Ann",
    "addresses": [{**ADDRESS, "address_name": "Home", "is_default_shipping": True}],
}
SPRING: dict[str, Any] = {
    "code": "SPRING",
    "type": "percentage",
    "value": 10,
    "target": "items",
    "product_handles": ["sencha-asamushi"],
}
EASTER: dict[str, Any] = {"name": "Easter", "campaign_identifier": "easter"}
CART: dict[str, Any] = {
    "id": "cart_tea",
    "region": "Europe",
    "sales_channel": "Web",
    "customer": "ann.reader@example.com",
    "shipping_address": ADDRESS,
    "billing_address": ADDRESS,
    "items": [{"variant": "SENCHA-50", "quantity": 2}],
}
CARD: dict[str, Any] = {
    "code": "TEA-FOR-ANN",
    "value": 20,
    "currency_code": "usd",
    "status": "redeemed",
    "customer": "ann.reader@example.com",
}
DAMAGED: dict[str, Any] = {"code": "damaged", "label": "Arrived damaged"}
TOO_SMALL: dict[str, Any] = {"value": "too_small", "label": "Too small"}
ACCOUNT: dict[str, Any] = {
    "customer": "ann.reader@example.com",
    "currency_code": "usd",
    "transactions": [{"type": "debit", "amount": 5, "reference": "order", "reference_id": "1"}],
}
SHOP: dict[str, Any] = {
    "sales_channels": [{"name": "Web"}, {"name": "App"}],
    "regions": [
        {"name": "Europe", "currency_code": "eur", "countries": ["de", "fr"]},
        {"name": "America", "currency_code": "usd", "countries": ["us"]},
    ],
    "stock_locations": [{"name": "Dock"}, {"name": "Attic"}],
    "shipping_profiles": [{"name": "Parcel"}],
    "product_types": [{"value": "Leaf", "metadata": {"kind": 1}}],
    "product_tags": [{"value": "organic"}, {"value": "new"}],
    "product_collections": [{"title": "Spring Picks"}],
    "product_categories": [{"name": "Tea"}],
    "products": [SENCHA, CUP],
    "price_lists": [SALE],
    "fulfillment_sets": [SHIPPING],
}


def shop(**sections: Any) -> dict[str, Any]:
    """The shop, with these sections in place of its own."""
    return {**copy.deepcopy(SHOP), **sections}


def with_a_buyer() -> dict[str, Any]:
    """The shop, with taxes, a customer who has a cart and store credit, a campaign and a promotion."""
    own = {
        "tax_regions": GERMANY,
        "customer_groups": {"name": "Museums", "is_tax_exempt": True},
        "customers": ANN,
        "gift_cards": CARD,
        "store_credit_accounts": ACCOUNT,
        "campaigns": EASTER,
        "promotions": SPRING,
        "carts": CART,
        "refund_reasons": DAMAGED,
        "return_reasons": TOO_SMALL,
    }
    return shop(**{key: [copy.deepcopy(one)] for key, one in own.items()})


def with_sencha(**fields: Any) -> dict[str, Any]:
    """A file of Sencha alone, with these fields in place of its own."""
    return {"products": [{**copy.deepcopy(SENCHA), **fields}]}
