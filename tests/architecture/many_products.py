"""So many products with all that belongs to them, written in bulk."""

from typing import Any

from django.db.models import Model

from catalog.models import (
    InventoryItem,
    InventoryLevel,
    Price,
    PriceList,
    PriceRule,
    PriceSet,
    Product,
    ProductCollection,
    ProductImage,
    ProductOption,
    ProductOptionValue,
    ProductTag,
    ProductType,
    ProductVariant,
    VariantInventoryItem,
)
from catalog.states import PriceListStatus, ProductStatus
from shop.models import Store
from tests.factories.inventory import StockLocationFactory, count_stock


def stock_products(amount: int, *, categories: list[str], region_id: str) -> dict[str, str]:
    """Each with a type, a collection, a tag, a category, an image, an option of two values and a variant of each.

    A variant has a price, one of the region's own, a sale's, and stock. Gives one of each resource, by its list's path.
    """
    kinds = _made(ProductType(value=f"Type {number}") for number in range(amount))
    collections = _made(ProductCollection(title=f"C {number}", handle=f"c-{number}") for number in range(amount))
    tags = _made(ProductTag(value=f"Tag {number}") for number in range(amount))
    products = _made(
        Product(
            title=f"Product {number}",
            handle=f"stocked-{number}",
            status=ProductStatus.PUBLISHED,
            type=kinds[number],
            collection=collections[number],
        )
        for number in range(amount)
    )
    channel = Store.objects.get().default_sales_channel
    _link(Product.sales_channels, product=products, saleschannel=[channel] * amount)
    _link(Product.tags, product=products, producttag=tags)
    _link(Product.categories, product_id=[each.pk for each in products], productcategory_id=categories)
    images = _made(ProductImage(product=product, url="/a.png") for product in products)
    options = _made(ProductOption(product=product, title="Size") for product in products)
    values = _made(ProductOptionValue(option=option, value=value) for option in options for value in ("S", "M"))
    sets = _made(PriceSet() for _ in values)
    variants = _made(
        ProductVariant(product_id=value.option.product_id, title=value.value, price_set=price_set)
        for value, price_set in zip(values, sets, strict=True)
    )
    _link(ProductVariant.options, productvariant=variants, productoptionvalue=values)
    _link(ProductVariant.images, productvariant=variants[::2], productimage=images)
    _price(sets, region_id)
    _keep(variants)
    return {
        "/store/products": products[-1].pk,
        "/store/product-variants": variants[-1].pk,
        "/store/product-options": options[-1].pk,
        "/store/collections": collections[-1].pk,
        "/store/product-types": kinds[-1].pk,
        "/store/product-tags": tags[-1].pk,
    }


def _price(sets: list[Any], region_id: str) -> None:
    sale = PriceList.objects.create(title="Sale", status=PriceListStatus.ACTIVE)
    _made(Price(price_set=each, currency_id="eur", amount=10) for each in sets)
    _made(Price(price_set=each, currency_id="eur", amount=8, price_list=sale) for each in sets)
    own = _made(Price(price_set=each, currency_id="eur", amount=9) for each in sets)
    _made(PriceRule(price=price, attribute="region_id", value=region_id) for price in own)


def _keep(variants: list[Any]) -> None:
    location = StockLocationFactory()
    items = _made(InventoryItem() for _ in variants)
    _made(InventoryLevel(inventory_item=item, location=location) for item in items)
    count_stock(5)
    _made(
        VariantInventoryItem(variant=variant, inventory_item=item)
        for variant, item in zip(variants, items, strict=True)
    )


def _made(rows: Any) -> list[Any]:
    rows = list(rows)
    model: type[Model] = type(rows[0])
    return list(model._default_manager.bulk_create(rows))


def _link(relation: Any, **sides: list[Any]) -> None:
    (one, ones), (other, others) = sides.items()
    through = relation.through
    through.objects.bulk_create(
        through(**{one: first, other: second}) for first, second in zip(ones, others, strict=False)
    )
