"""A shop as a visitor browses it: one product with all that a storefront reads of it."""

from dataclasses import dataclass
from urllib.parse import quote

from shop.models import Country, Currency, Region, Store
from tests.factories.catalog import CategoryFactory
from tests.factories.inventory import StockLocationFactory, stock
from tests.factories.pricing import price
from tests.factories.products import (
    ImageFactory,
    OptionFactory,
    ProductCollectionFactory,
    ProductFactory,
    ProductTagFactory,
    ProductTypeFactory,
    VariantFactory,
)

FRESH = [7, 0]
"""What the variants have in stock, in their order."""


@dataclass(frozen=True)
class Browsing:
    """Ids and handles by what they are of, as they stand in query strings."""

    names: dict[str, str]


def build() -> Browsing:
    """A mug of two sizes in Europe's region, in a collection and a category below another, with stock and prices."""
    region = Region.objects.create(name="Europe", currency=Currency.objects.get(pk="eur"))
    Country.objects.filter(pk__in=("de", "dk")).update(region=region)
    Store.objects.update(default_region=region)
    above = CategoryFactory(name="Kitchen")
    category = CategoryFactory(name="Mugs", handle="küche-हिन्दी", description="To drink from", parent=above)
    CategoryFactory(name="Large mugs", parent=category)
    collection, tag = ProductCollectionFactory(), ProductTagFactory()
    product = ProductFactory(
        title="Mug",
        thumbnail="/mug.png",
        description="Holds tea",
        metadata={"care": "dishwasher"},
        weight=300.0,
        type=ProductTypeFactory(),
        collection=collection,
        tags=[tag],
        categories=[category],
    )
    image = ImageFactory(product=product, url="/mug.png")
    size = OptionFactory(product=product, title="Size", values=["Small", "Large"])
    location = StockLocationFactory()
    small, large = size.values.order_by("pk")
    for rank, (value, quantity) in enumerate(zip((small, large), FRESH, strict=True)):
        variant = VariantFactory(
            product=product,
            title=value.value,
            sku=f"mug-{rank}",
            variant_rank=rank,
            options=[value],
            images=[image],
        )
        price(variant, 12 + rank, "eur")
        stock(variant, quantity, location=location)
    return Browsing(
        {
            "region": region.pk,
            "category": category.pk,
            "category_handle": quote("küche-हिन्दी"),
            "collection": collection.pk,
            "collection_handle": collection.handle,
            "tag": tag.pk,
            "option_value": small.pk,
            "product": product.pk,
            "handle": product.handle,
            "variant": variant.pk,
        }
    )
