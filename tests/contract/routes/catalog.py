"""Products, variants and options, and the categories, collections, types and tags of products."""

from typing import Any

from catalog.models import ProductVariant
from tests.contract.routes.examples import Example, maintained, reading
from tests.factories.catalog import CategoryFactory
from tests.factories.products import (
    ImageFactory,
    OptionFactory,
    ProductCollectionFactory,
    ProductFactory,
    ProductTagFactory,
    ProductTypeFactory,
    VariantFactory,
)
from tests.factories.shop import SalesChannelFactory


def _variant_path() -> str:
    variant = VariantFactory()
    return f"/admin/products/{variant.product_id}/variants/{variant.pk}"


def _new_variant() -> dict[str, Any]:
    return {"product_id": ProductFactory().pk, "title": "Box"}


def _variants_path() -> str:
    option = OptionFactory(title="Size", values=["Large", "Small"])
    VariantFactory(product=option.product, options=[option.values.get(value="Large")])
    return f"/admin/products/{option.product_id}/variants"


def _image_path() -> str:
    image = ImageFactory()
    return f"/admin/products/{image.product_id}/images/{image.pk}/variants/batch"


def _option_value_path() -> str:
    """One that can be deleted."""
    option = OptionFactory(values=["Red", "Blue"])
    return f"/admin/product-options/{option.pk}/values/{option.values.first().pk}"


EXAMPLES = {
    **reading("/store/product-categories", CategoryFactory),
    **reading("/store/products", ProductFactory),
    **reading("/store/product-variants", VariantFactory),
    **reading("/store/product-options", OptionFactory),
    **reading("/store/collections", ProductCollectionFactory),
    **reading("/store/product-types", ProductTypeFactory),
    **reading("/store/product-tags", ProductTagFactory),
    **maintained("/admin/product-types", ProductTypeFactory, {"value": "Tea"}, {"value": "Teas"}),
    **maintained("/admin/product-tags", ProductTagFactory, {"value": "green"}, {"value": "Green"}),
    **maintained("/admin/products", ProductFactory, {"title": "Green tea"}, {"title": "Tea"}),
    "/admin/products/<str:id>/variants/batch": Example(
        lambda: f"/admin/products/{VariantFactory().product_id}/variants/batch",
        {"batch": lambda: {"update": [{"id": ProductVariant.objects.latest("created_at").pk, "title": "Box"}]}},
    ),
    "/admin/products/<str:id>/variants": Example(
        _variants_path, {"create": {"title": "Box", "prices": [], "options": {"Size": "Small"}}}
    ),
    "/admin/products/<str:id>/variants/<str:variant_id>": Example(_variant_path, {"update": {"title": "Box"}}),
    **maintained("/admin/product-variants", VariantFactory, _new_variant, {"title": "Box"}),
    "/admin/collections/<str:id>/products": Example(
        lambda: f"/admin/collections/{ProductCollectionFactory().pk}/products",
        {"update_products": lambda: {"add": [ProductFactory().pk]}},
    ),
    **maintained("/admin/collections", ProductCollectionFactory, {"title": "Summer"}, {"title": "Spring"}),
    "/admin/sales-channels/<str:id>/products": Example(
        lambda: f"/admin/sales-channels/{SalesChannelFactory().pk}/products",
        {"update_products": lambda: {"add": [ProductFactory().pk]}},
    ),
    "/admin/product-options": Example(
        lambda: "/admin/product-options",
        {"create": lambda: {"product_id": ProductFactory().pk, "title": "Size", "values": ["S"]}},
    ),
    "/admin/product-options/batch": Example(
        lambda: "/admin/product-options/batch",
        {"batch": lambda: {"update": [{"id": OptionFactory().pk, "title": "Size", "values": ["S"]}]}},
    ),
    "/admin/product-options/<str:id>": Example(
        lambda: f"/admin/product-options/{OptionFactory().pk}", {"update": {"title": "Size", "values": ["S"]}}
    ),
    "/admin/products/<str:id>/options": Example(lambda: f"/admin/products/{OptionFactory().product_id}/options"),
    "/admin/products/<str:id>/options/batch": Example(
        lambda: f"/admin/products/{ProductFactory().pk}/options/batch", {"link": {}}
    ),
    "/admin/products/<str:id>/variants/<str:variant_id>/images/batch": Example(
        lambda: f"{_variant_path()}/images/batch", {"of_variant": {"add": []}}
    ),
    "/admin/products/<str:id>/images/<str:image_id>/variants/batch": Example(_image_path, {"of_image": {"remove": []}}),
    "/admin/products/<str:id>/variants/inventory-items/batch": Example(
        lambda: f"/admin/products/{ProductFactory().pk}/variants/inventory-items/batch", {"batch": {"create": []}}
    ),
    "/admin/product-options/<str:id>/values": Example(lambda: _option_value_path().rpartition("/")[0]),
    "/admin/product-options/<str:id>/values/<str:value_id>": Example(_option_value_path, {"update": {"value": "S"}}),
    **maintained(
        "/admin/product-categories", CategoryFactory, {"name": "Tea"}, {"name": "Teas", "rank": 0}, in_batches=False
    ),
    "/admin/product-categories/<str:id>/products": Example(
        lambda: f"/admin/product-categories/{CategoryFactory().pk}/products",
        {"update_products": lambda: {"add": [ProductFactory().pk]}},
    ),
}
