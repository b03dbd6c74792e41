"""Products as stored, with all that a file has of them: some hundred at a time, with a fixed number of statements."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from django.db.models import Exists, OuterRef

from catalog.models import (
    InventoryLevel,
    Price,
    Product,
    ProductImage,
    ProductOptionValue,
    ProductVariant,
    VariantInventoryItem,
)
from catalog.spreadsheets.product_columns import MANY, ONE, PRODUCT, VARIANT
from catalog.spreadsheets.stored_prices import Terms, regions_of
from kit.values.timestamps import isoformat


@dataclass(slots=True)
class StoredVariant:
    """prices, sale: the id and the amount of each. others: ids of prices that no file has, such as those by quantity.

    levels: what is stocked, by location. item: the id of its only inventory item, "" if it has none, or several, or
    one of which a piece takes more, or which other variants have, too: no row says alone what is stocked of it.
    """

    id: str
    values: dict[str, Any]
    options: dict[str, str] = field(default_factory=dict)
    prices: dict[Terms, tuple[str, Decimal]] = field(default_factory=dict)
    others: list[str] = field(default_factory=list)
    sale: dict[str, tuple[str, Decimal]] = field(default_factory=dict)
    item: str = ""
    levels: dict[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class StoredProduct:
    """values: by attribute, with lists of ids for relations and of addresses for images. options: values by title."""

    id: str
    version: str
    values: dict[str, Any]
    options: dict[str, tuple[str, list[str]]] = field(default_factory=dict)
    variants: list[StoredVariant] = field(default_factory=list)


def stored_products(ids: Collection[str], *, sale: str | None = None) -> dict[str, StoredProduct]:
    """These products that are not deleted, by id. sale: the id of the price list whose prices are read."""
    found: dict[str, StoredProduct] = {}
    columns = (*PRODUCT, *ONE.values())
    for row in Product.objects.not_deleted().filter(pk__in=ids).order_by("pk").values("id", "updated_at", *columns):
        key, moment = row.pop("id"), row.pop("updated_at")
        found[key] = StoredProduct(
            key, isoformat(moment), {**row, "images": [], **{name: [] for name in MANY.values()}}
        )
    if found:
        _read_links(found)
        _read_options(found)
        variants = _read_variants(found)
        if variants:
            _read_prices(variants, sale)
            _read_stock(variants)
    return found


def _read_links(found: dict[str, StoredProduct]) -> None:
    for name in MANY.values():
        rows = Product.objects.filter(pk__in=found, **{f"{name}__deleted_at": None, f"{name}__isnull": False})
        for product, key in rows.order_by(f"{name}__id").values_list("pk", f"{name}__id"):
            found[product].values[name].append(key)
    images = ProductImage.objects.not_deleted().filter(product__in=found).order_by("rank", "pk")
    for product, url in images.values_list("product", "url"):
        found[product].values["images"].append(url)


def _read_options(found: dict[str, StoredProduct]) -> None:
    values = ProductOptionValue.objects.not_deleted().filter(option__product__in=found, option__deleted_at=None)
    for product, option, title, value in values.order_by("option", "pk").values_list(
        "option__product", "option", "option__title", "value"
    ):
        found[product].options.setdefault(title, (option, []))[1].append(value)


def _read_variants(found: dict[str, StoredProduct]) -> dict[str, StoredVariant]:
    variants: dict[str, StoredVariant] = {}
    rows = ProductVariant.objects.not_deleted().filter(product__in=found).order_by("variant_rank", "pk")
    for row in rows.values("id", "product", "price_set", *dict.fromkeys(VARIANT.values())):
        variant = StoredVariant(row.pop("id"), row)
        variants[variant.id] = variant
        found[row.pop("product")].variants.append(variant)
    links = ProductVariant.options.through.objects.filter(
        productvariant__in=variants,
        productoptionvalue__deleted_at=None,
        productoptionvalue__option__deleted_at=None,
    )
    named = links.order_by("productoptionvalue__option").values_list(
        "productvariant", "productoptionvalue__option__title", "productoptionvalue__value"
    )
    for variant_id, title, value in named if variants else ():
        variants[variant_id].options[title] = value
    return variants


def _read_prices(variants: dict[str, StoredVariant], sale: str | None) -> None:
    by_set = {one.values["price_set"]: one for one in variants.values() if one.values["price_set"]}
    rows = Price.objects.not_deleted().filter(price_set__in=by_set)
    own = rows.filter(price_list=None)
    regions = regions_of(rows)
    columns = ("pk", "price_set", "currency", "amount", "min_quantity", "max_quantity")
    for key, price_set, currency, amount, least, most in own.order_by("pk").values_list(*columns):
        terms = (currency, regions.get(key))
        variant = by_set[price_set]
        if least is not None or most is not None or terms[1] == "" or terms in variant.prices:
            variant.others.append(key)
        else:
            variant.prices[terms] = (key, amount)
    listed = rows.filter(price_list=sale, min_quantity=None, max_quantity=None).order_by("pk") if sale else ()
    for price in listed:
        if price.pk not in regions:
            by_set[price.price_set_id].sale[price.currency_id] = (price.pk, price.amount)


def _read_stock(variants: dict[str, StoredVariant]) -> None:
    links: dict[str, list[tuple[str, bool]]] = defaultdict(list)
    current = VariantInventoryItem.objects.not_deleted()
    others = current.filter(inventory_item=OuterRef("inventory_item"), variant__deleted_at=None).exclude(
        variant=OuterRef("variant")
    )
    rows = current.filter(variant__in=variants, inventory_item__deleted_at=None).annotate(is_shared=Exists(others))
    for variant, item, required, is_shared in rows.values_list(
        "variant", "inventory_item", "required_quantity", "is_shared"
    ):
        links[variant].append((item, required == 1 and not is_shared))
    by_item: dict[str, StoredVariant] = {}
    for key, items in links.items():
        if len(items) == 1 and items[0][1]:
            variants[key].item = items[0][0]
            by_item[items[0][0]] = variants[key]
    levels = InventoryLevel.objects.not_deleted().filter(inventory_item__in=by_item, location__deleted_at=None)
    for item, location, stocked in levels.order_by("location").values_list(
        "inventory_item", "location", "stocked_quantity"
    ):
        by_item[item].levels[location] = stocked
