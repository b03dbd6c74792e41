"""A shop with one product to see, surrounded by what nobody may see; whatever is secret says so in every text."""

from dataclasses import dataclass
from typing import Any

from catalog.categories import category_tree
from catalog.models import Product
from catalog.states import ProductStatus
from kit.domain.actor import SYSTEM
from kit.values.timestamps import now
from tests.factories.catalog import CategoryFactory
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
from tests.factories.shop import SalesChannelFactory

SECRET = "Classified"


@dataclass(frozen=True)
class SecretShop:
    """The product that is shown, and the ids of all that is secret, by the model's name."""

    shown: Product
    secret_ids: dict[str, list[str]]


def build() -> SecretShop:
    """Drafts, other channels' products, deleted ones and one that is sold nowhere share all groups with the one shown.

    The one shown is also in a hidden category, has a deleted variant, a deleted option and a deleted image.
    """
    collection, kind, tag = ProductCollectionFactory(), ProductTypeFactory(), ProductTagFactory()
    category, hidden = CategoryFactory(name="Open"), CategoryFactory(name=SECRET, description=SECRET)
    category_tree.update(actor=SYSTEM, category_id=hidden.pk, is_active=False)
    groups = {"collection": collection, "type": kind, "tags": [tag], "categories": [category, hidden]}
    shown = _product("Shown", **groups)
    ids: dict[str, list[str]] = {"ProductCategory": [hidden.pk]}
    secrets = [
        _product(f"{SECRET} draft", status=ProductStatus.DRAFT, **groups),
        _product(f"{SECRET} proposal", status=ProductStatus.PROPOSED, **groups),
        _product(f"{SECRET} elsewhere", sales_channels=[SalesChannelFactory()], **groups),
        _product(f"{SECRET} nowhere", sales_channels=[], **groups),
        _product(f"{SECRET} deleted", deleted_at=now(), **groups),
    ]
    for product in secrets:
        for part in (product, *_parts(product)):
            ids.setdefault(type(part).__name__, []).append(part.pk)
    for part in _parts(_more_parts(shown)):
        if SECRET in f"{part}":
            type(part).objects.filter(pk=part.pk).update(deleted_at=now())
            ids[type(part).__name__].append(part.pk)
    return SecretShop(shown, ids)


def _product(title: str, **given: Any) -> Product:
    product: Product = ProductFactory(title=title, description=title, subtitle=title, metadata={"note": title}, **given)
    _fill(product, title)
    return product


def _fill(product: Product, words: str) -> None:
    option = OptionFactory(product=product, title=f"{words} size", values=[f"{words} small", f"{words} large"])
    image = ImageFactory(product=product, url=f"/{words.replace(' ', '-')}.png")
    for value in option.values.order_by("pk"):
        variant = VariantFactory(
            product=product, title=f"{words} {value.pk}", sku=f"{words}-{value.pk}", options=[value], images=[image]
        )
        price(variant, 10)


def _more_parts(product: Product) -> Product:
    _fill(product, f"{SECRET} part")
    return product


def _parts(product: Product) -> list[Any]:
    options = list(product.options.all())
    values = [value for option in options for value in option.values.all()]
    return [*options, *values, *product.variants.all(), *product.images.all()]
