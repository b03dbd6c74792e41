"""Products and what belongs to them, for tests: shown in the store unless a test says otherwise."""

from collections.abc import Iterable
from typing import Any

import factory

from catalog.models import (
    PriceSet,
    Product,
    ProductCategory,
    ProductCollection,
    ProductImage,
    ProductOption,
    ProductOptionValue,
    ProductTag,
    ProductType,
    ProductVariant,
)
from catalog.states import ProductStatus
from shop.models import SalesChannel, Store


class ProductTypeFactory(factory.django.DjangoModelFactory[ProductType]):
    """A kind of product."""

    value = factory.Sequence(lambda number: f"Type {number}")

    class Meta:
        model = ProductType


class ProductTagFactory(factory.django.DjangoModelFactory[ProductTag]):
    """A word that products share."""

    value = factory.Sequence(lambda number: f"tag-{number}")

    class Meta:
        model = ProductTag


class ProductCollectionFactory(factory.django.DjangoModelFactory[ProductCollection]):
    """An empty collection."""

    title = factory.Sequence(lambda number: f"Collection {number}")
    handle = factory.Sequence(lambda number: f"collection-{number}")

    class Meta:
        model = ProductCollection


class ProductFactory(factory.django.DjangoModelFactory[Product]):
    """A published product in the store's default channel.

    sales_channels=[…] puts it elsewhere, [] nowhere; categories=[…] and tags=[…] are its own.
    """

    title = factory.Sequence(lambda number: f"Product {number}")
    handle = factory.Sequence(lambda number: f"product-{number}")
    status = ProductStatus.PUBLISHED

    class Meta:
        model = Product
        skip_postgeneration_save = True

    @factory.post_generation
    def sales_channels(self: Product, create: bool, channels: Iterable[SalesChannel] | None, **_: Any) -> None:
        self.sales_channels.set([Store.objects.get().default_sales_channel] if channels is None else channels)

    @factory.post_generation
    def categories(self: Product, create: bool, categories: Iterable[ProductCategory] | None, **_: Any) -> None:
        self.categories.set(categories or ())

    @factory.post_generation
    def tags(self: Product, create: bool, tags: Iterable[ProductTag] | None, **_: Any) -> None:
        self.tags.set(tags or ())


class OptionFactory(factory.django.DjangoModelFactory[ProductOption]):
    """An option of a new product; values=["S", "M"] are made with it."""

    title = factory.Sequence(lambda number: f"Option {number}")
    product = factory.SubFactory(ProductFactory)

    class Meta:
        model = ProductOption
        skip_postgeneration_save = True

    @factory.post_generation
    def values(self: ProductOption, create: bool, values: Iterable[str] | None, **_: Any) -> None:
        for value in values or ():
            OptionValueFactory(option=self, value=value)


class OptionValueFactory(factory.django.DjangoModelFactory[ProductOptionValue]):
    """One way that an option can be."""

    value = factory.Sequence(lambda number: f"Value {number}")
    option = factory.SubFactory(OptionFactory)

    class Meta:
        model = ProductOptionValue


class ImageFactory(factory.django.DjangoModelFactory[ProductImage]):
    """A picture of a new product."""

    url = factory.Sequence(lambda number: f"https://images.example/{number}.png")
    product = factory.SubFactory(ProductFactory)

    class Meta:
        model = ProductImage


class PriceSetFactory(factory.django.DjangoModelFactory[PriceSet]):
    """A set without prices; tests.factories.pricing adds them."""

    class Meta:
        model = PriceSet


class VariantFactory(factory.django.DjangoModelFactory[ProductVariant]):
    """A variant of a new product, with a price set but neither prices nor stock.

    options=[…] are its option values, images=[…] the pictures that show just it.
    """

    title = factory.Sequence(lambda number: f"Variant {number}")
    product = factory.SubFactory(ProductFactory)
    price_set = factory.SubFactory(PriceSetFactory)

    class Meta:
        model = ProductVariant
        skip_postgeneration_save = True

    @factory.post_generation
    def options(self: ProductVariant, create: bool, options: Iterable[ProductOptionValue] | None, **_: Any) -> None:
        self.options.set(options or ())

    @factory.post_generation
    def images(self: ProductVariant, create: bool, images: Iterable[ProductImage] | None, **_: Any) -> None:
        self.images.set(images or ())
