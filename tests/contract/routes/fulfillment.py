"""Stock locations, service zones and shipping options."""

from fulfillment.models import ShippingOptionType
from tests.contract.routes.carts import cart_path
from tests.contract.routes.examples import Example, maintained
from tests.factories import carts, fulfillment
from tests.factories.fulfillment import ProfileFactory
from tests.factories.inventory import (
    StockLocationFactory,
)


def _zone_path() -> str:
    zone = fulfillment.zone()
    return f"/admin/fulfillment-sets/{zone.fulfillment_set_id}/service-zones/{zone.pk}"


def _shipping_options_path() -> str:
    """Those of a cart that may choose from one."""
    fulfillment.option()
    return f"/store/shipping-options?cart_id={carts.cart().pk}"


def _calculation_path() -> str:
    return f"/store/shipping-options/{fulfillment.option().pk}/calculate"


EXAMPLES = {
    "/store/carts/<str:id>/shipping-methods": Example(
        cart_path("/shipping-methods"),
        {"choose": lambda: {"option_id": fulfillment.option().pk, "data": {"a": 1}}, "remove": {}},
    ),
    "/store/shipping-options": Example(_shipping_options_path),
    "/store/shipping-options/<str:id>/calculate": Example(
        _calculation_path, {"calculate": lambda: {"cart_id": carts.cart().pk, "data": {"a": 1}}}
    ),
    **maintained("/admin/stock-locations", StockLocationFactory, {"name": "Berlin"}, {"name": "Bonn"}),
    "/admin/stock-locations/<str:id>/fulfillment-sets": Example(
        lambda: f"/admin/stock-locations/{StockLocationFactory().pk}/fulfillment-sets",
        {"create_set": {"name": "Berlin ships", "type": "shipping"}},
    ),
    "/admin/stock-locations/<str:id>/sales-channels": Example(
        lambda: f"/admin/stock-locations/{StockLocationFactory().pk}/sales-channels", {"update_sales_channels": {}}
    ),
    "/admin/stock-locations/<str:id>/fulfillment-providers": Example(
        lambda: f"/admin/stock-locations/{StockLocationFactory().pk}/fulfillment-providers",
        {"update_providers": {"add": ["manual_manual"]}},
    ),
    "/admin/fulfillment-sets/<str:id>": Example(
        lambda: f"/admin/fulfillment-sets/{fulfillment.zone().fulfillment_set_id}"
    ),
    "/admin/fulfillment-sets/<str:id>/service-zones": Example(
        lambda: f"/admin/fulfillment-sets/{fulfillment.zone().fulfillment_set_id}/service-zones",
        {"create": {"name": "Far", "geo_zones": [{"type": "country", "country_code": "de"}]}},
    ),
    "/admin/fulfillment-sets/<str:id>/service-zones/<str:zone_id>": Example(
        _zone_path, {"update": {"geo_zones": [{"type": "country", "country_code": "fr"}]}}
    ),
    "/admin/fulfillment-providers": Example(lambda: "/admin/fulfillment-providers"),
    "/admin/fulfillment-providers/<str:id>/options": Example(
        lambda: "/admin/fulfillment-providers/manual_manual/options"
    ),
    **maintained(
        "/admin/shipping-options",
        fulfillment.option,
        lambda: {
            "name": "Express",
            "service_zone_id": fulfillment.zone().pk,
            "prices": [{"currency_code": "usd", "amount": 5}],
            "rules": [{"attribute": "item_total", "operator": "gt", "value": "5"}],
        },
        {"prices": [{"currency_code": "usd", "amount": 6}], "rules": []},
    ),
    "/admin/shipping-options/<str:id>/rules/batch": Example(
        lambda: f"/admin/shipping-options/{fulfillment.option().pk}/rules/batch",
        {"change_rules": {"create": [{"attribute": "is_return", "operator": "eq", "value": "true"}]}},
    ),
    **maintained(
        "/admin/shipping-option-types",
        lambda: ShippingOptionType.objects.create(label="Fast", code="fast"),
        {"label": "Express", "code": "express"},
        {"label": "Faster"},
    ),
    **maintained("/admin/shipping-profiles", ProfileFactory, {"name": "Boxes", "type": "default"}, {"name": "Crates"}),
}
