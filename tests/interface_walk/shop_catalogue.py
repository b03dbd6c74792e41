"""The catalogue of the walk's shop."""

from catalog.categories import category_tree
from catalog.models import Product, ProductCategory, ProductVariant
from catalog.products.product_editing import details
from catalog.states import PriceListType
from kit.domain import soft_deletion
from kit.domain.actor import SYSTEM
from tests.contract.shelves import stock as stock_shelves
from tests.factories.catalog import CategoryFactory
from tests.factories.fulfillment import ProfileFactory
from tests.factories.inventory import stock
from tests.factories.pricing import PriceListFactory, price
from tests.factories.products import (
    ImageFactory,
    OptionFactory,
    ProductCollectionFactory,
    ProductFactory,
    ProductTagFactory,
    ProductTypeFactory,
    VariantFactory,
)
from tests.interface_walk.shop_words import CUSTOMS, NOTES, SIZES


def build_categories() -> dict[str, ProductCategory]:
    """Those of tests/contract by name, and one that is deleted."""
    made = stock_shelves(metadata=NOTES)
    made["Candy"] = CategoryFactory(name="Candy")
    category_tree.delete(actor=SYSTEM, category_id=made["Candy"].pk)
    return made


def build_variants(categories: dict[str, ProductCategory]) -> list[ProductVariant]:
    """Two of one product. The price of the first is a sale's, that of the second an override's.

    Another product is deleted, with all that belongs to it.
    """
    shelves = [categories["Food"], categories["Apples"]]
    old, new = _product(shelves, handle="old-assam"), _product(shelves)
    _variants(old)
    _delete(old)
    return _variants(new)


def _variants(product: Product) -> list[ProductVariant]:
    grade = OptionFactory(product=product, title="Grade", values=["First", "Second"])
    made = []
    for rank, (value, kind) in enumerate(zip(grade.values.order_by("id"), PriceListType, strict=True)):
        words = {name: f"{product.handle}-{name}-{rank}" for name in ("sku", "barcode", "ean", "upc")}
        variant = VariantFactory(
            product=product, options=[value], variant_rank=rank, metadata=NOTES, **words, **CUSTOMS, **SIZES
        )
        stock(variant, 50)
        for amount, price_list in ((20, None), (15, PriceListFactory(type=kind))):
            price(variant, amount, price_list=price_list, min_quantity=1, max_quantity=100)
        made.append(variant)
    return made


def _delete(product: Product) -> None:
    """With its parts, and with what it alone is marked with, as on the screens of these."""
    for label in (product.type, product.collection, *product.tags.all()):
        soft_deletion.delete(label)
    details.VERBS.delete(actor=SYSTEM, ids=[product.pk])


def _product(categories: list[ProductCategory], **words: str) -> Product:
    product = ProductFactory(
        title="Assam",
        subtitle="Black tea",
        description="From a garden",
        thumbnail="https://images.example/assam.png",
        external_id="erp_1",
        shipping_profile=ProfileFactory(),
        categories=categories,
        tags=[ProductTagFactory(metadata=NOTES)],
        type=ProductTypeFactory(metadata=NOTES),
        collection=ProductCollectionFactory(metadata=NOTES),
        metadata=NOTES,
        **CUSTOMS,
        **SIZES,
        **words,
    )
    ImageFactory(product=product, metadata=NOTES)
    return product
