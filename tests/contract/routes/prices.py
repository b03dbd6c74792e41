"""Price lists and price preferences."""

from catalog.models import Price
from tests.contract.routes.examples import Example, maintained
from tests.factories.pricing import PriceListFactory, price
from tests.factories.products import (
    ProductFactory,
    VariantFactory,
)
from tests.factories.shop import RegionFactory


def _listed() -> Price:
    return price(VariantFactory(), 5, price_list=PriceListFactory())


EXAMPLES = {
    **maintained("/admin/price-lists", PriceListFactory, {"title": "Sale"}, {"rules": {"region_id": ["reg_x"]}}),
    "/admin/price-lists/<str:id>/prices": Example(lambda: f"/admin/price-lists/{_listed().price_list_id}/prices"),
    "/admin/price-lists/<str:id>/prices/batch": Example(
        lambda: f"/admin/price-lists/{_listed().price_list_id}/prices/batch",
        {"batch": lambda: {"update": [{"id": Price.objects.latest("created_at", "pk").pk, "amount": 4}]}},
    ),
    "/admin/price-lists/<str:id>/products": Example(
        lambda: f"/admin/price-lists/{PriceListFactory().pk}/products",
        {"link_products": lambda: {"remove": [ProductFactory().pk]}},
    ),
    "/admin/price-preferences": Example(
        lambda: "/admin/price-preferences",
        {"create": lambda: {"attribute": "region_id", "value": RegionFactory().pk, "is_tax_inclusive": True}},
    ),
    "/admin/price-preferences/batch": Example(
        lambda: "/admin/price-preferences/batch",
        {"batch": lambda: {"update": [{"id": RegionFactory().pk, "is_tax_inclusive": True}]}},
    ),
    "/admin/price-preferences/<str:id>": Example(
        lambda: f"/admin/price-preferences/{RegionFactory().pk}", {"update": {"is_tax_inclusive": True}}
    ),
}
