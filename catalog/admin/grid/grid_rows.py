"""What the grid on a product's page shows: its options, and a row of cells for each variant."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from decimal import Decimal
from typing import Any, cast

from django.contrib.admin.utils import quote
from django.http import HttpRequest
from django.urls import reverse

from catalog.models import InventoryLevel, Product, ProductOption, ProductOptionValue, ProductVariant
from catalog.products.product_editing.edits import MOST_OPTIONS, MOST_VARIANTS
from catalog.products.product_editing.prices import plain_prices
from catalog.products.product_editing.stock import item_links
from kit.values import money
from kit.values.currency_symbols import sign
from kit.values.json import JSON, JSONObject
from shop.models import Region, StockLocation, Store

_PARTS = ("productoption", "productvariant")
_WRITING = ("view", "add", "change", "delete")
ATTRIBUTES = {"title": "Title", "sku": "SKU", "barcode": "Barcode"}


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the grid. key: title, sku, barcode, weight, prices.<currency> or stock.<location id>."""

    key: str
    label: str
    is_number: bool
    is_editable: bool


def may_use_grid(request: HttpRequest, product: Product | None) -> bool:
    """Whether the user may change options and variants, and the product has no more of them than the grid holds."""
    if not request.user.has_perms([f"catalog.{verb}_{part}" for part in _PARTS for verb in _WRITING]):
        return False
    if product is None:
        return True
    options = ProductOption.objects.not_deleted().filter(product=product).count()
    variants = ProductVariant.objects.not_deleted().filter(product=product).count()
    return options <= MOST_OPTIONS and variants <= MOST_VARIANTS


def may_edit_prices(request: HttpRequest) -> bool:
    """Whether the user may change prices in the grid."""
    return request.user.has_perms([f"catalog.{verb}_price" for verb in _WRITING])


def may_edit_stock(request: HttpRequest) -> bool:
    """Whether the user may change stock in the grid."""
    return request.user.has_perms([f"catalog.{verb}_inventorylevel" for verb in ("view", "add", "change")])


def columns(request: HttpRequest, *products: Product | None) -> list[Column]:
    """The columns that the user may see for these products; None for a new one."""
    found = [Column(key, label, is_number=False, is_editable=True) for key, label in ATTRIBUTES.items()]
    if request.user.has_perm("catalog.view_price"):
        is_editable = may_edit_prices(request)
        found += [Column(f"prices.{code}", f"Price {sign(code)}", True, is_editable) for code in _currencies(products)]
    if request.user.has_perm("catalog.view_inventorylevel"):
        is_editable = may_edit_stock(request)
        places = StockLocation.objects.not_deleted().order_by("name", "pk").values_list("pk", "name")
        found += [Column(f"stock.{key}", f"Stock {name}", True, is_editable) for key, name in places]
    return [*found, Column("weight", "Weight", is_number=True, is_editable=True)]


def bulk_columns(request: HttpRequest, products: Sequence[Product]) -> list[Column]:
    """The columns of a grid of several products: the title and SKU to read, prices and stock to edit."""
    shown = [column for column in columns(request, *products) if column.key in ("title", "sku") or "." in column.key]
    return [replace(one, is_editable=one.is_editable and "." in one.key) for one in shown]


def variants_of(products: Sequence[Product]) -> list[dict[str, Any]]:
    """The variants of the products, in their order."""
    place = {product.pk: index for index, product in enumerate(products)}
    found = ProductVariant.objects.not_deleted().filter(product__in=place).order_by("variant_rank", "pk")
    read = found.values("pk", "product_id", "product__title", "price_set_id", "title", "sku")
    return sorted(read, key=lambda row: place[row["product_id"]])


def bulk_page(request: HttpRequest, products: Sequence[Product], variants: Sequence[Mapping[str, Any]]) -> JSONObject:
    """The columns, and these variants with the texts of their cells. Ten statements."""
    shown = bulk_columns(request, products)
    prices, (stock, bundles) = (
        prices_of([row["price_set_id"] for row in variants]),
        stock_of([row["pk"] for row in variants]),
    )
    screen = reverse("admin:catalog_product_changelist")
    listed: list[JSON] = []
    for row in variants:
        title = f"{row['product__title']} / {row['title']}"
        texts = {"title": title, "sku": row["sku"] or "", **prices.get(row["price_set_id"], {})}
        texts |= stock.get(row["pk"], {})
        listed.append(
            {
                "id": row["pk"],
                "values": [],
                "cells": [texts.get(column.key, "") for column in shown],
                "url": f"{screen}{quote(row['product_id'])}/change/",
                "is_bundle": row["pk"] in bundles,
            }
        )
    return {"columns": [asdict(column) for column in shown], "variants": listed, "is_fixed": True}


def rows(product: Product | None, shown: Sequence[Column]) -> JSONObject:
    """The options, and the variants with the texts of their cells. Eight statements."""
    if product is None:
        return {"options": [], "variants": []}
    options = _options(product)
    variants = list(
        ProductVariant.objects.not_deleted()
        .filter(product=product)
        .order_by("variant_rank", "pk")
        .values("pk", "price_set_id", "title", "sku", "barcode", "weight")
    )
    keys = [row["pk"] for row in variants]
    values = _values_of(keys)
    prices, (stock, bundles) = prices_of([row["price_set_id"] for row in variants]), stock_of(keys)
    screen = reverse("admin:catalog_productvariant_changelist")  # reverse would cost as much as the rest of a row
    listed: list[JSON] = []
    for row in variants:
        texts = {
            **{name: row[name] or "" for name in ATTRIBUTES},
            "weight": number(row["weight"]),
            **prices.get(row["price_set_id"], {}),
            **stock.get(row["pk"], {}),
        }
        listed.append(
            {
                "id": row["pk"],
                "values": [
                    next((text for key, text in of_option.items() if key in values.get(row["pk"], ())), None)
                    for _, of_option in options
                ],
                "cells": [texts.get(column.key, "") for column in shown],
                "url": f"{screen}{quote(row['pk'])}/change/",
                "is_bundle": row["pk"] in bundles,
            }
        )
    return {
        "options": [{**option, "values": [*of_option.values()]} for option, of_option in options],
        "variants": listed,
    }


def number(value: float | None) -> str:
    """`0.25`, and `2` for 2.0."""
    return "" if value is None else f"{value:.12g}"


def _currencies(products: Sequence[Product | None]) -> list[str]:
    """The currencies of the regions, the default region's first, then others in which the products have prices."""
    store = Store.objects.select_related("default_region").get()
    regions = set(Region.objects.not_deleted().values_list("currency_id", flat=True))
    first = [store.default_region.currency_id] if store.default_region else []
    variants = ProductVariant.objects.not_deleted().filter(product__in=[one.pk for one in products if one])
    prices = plain_prices().filter(price_set__variant__in=variants)
    own = set(prices.values_list("currency_id", flat=True)) if any(products) else set()
    return list(dict.fromkeys([*first, *sorted(regions), *sorted(own)]))


def _options(product: Product) -> list[tuple[dict[str, JSON], dict[str, str]]]:
    """The options that have values, each with its values by id."""
    found = ProductOption.objects.not_deleted().filter(product=product).order_by("pk").values_list("pk", "title")
    values: dict[str, dict[str, str]] = {key: {} for key, _ in found}
    rows = ProductOptionValue.objects.not_deleted().filter(option__in=values).order_by("pk")
    for option, key, value in rows.values_list("option_id", "pk", "value"):
        values[option][key] = value
    return [({"id": key, "title": title}, values[key]) for key, title in found if values[key]]


def _values_of(variants: Sequence[str]) -> Mapping[str, set[str]]:
    links = ProductVariant.options.through.objects.filter(productvariant__in=variants)
    return _grouped(links.values_list("productvariant_id", "productoptionvalue_id"))


def prices_of(price_sets: Iterable[Any]) -> dict[str, dict[str, str]]:
    """The texts of plain prices by price set and column."""
    found: dict[str, dict[str, str]] = {}
    rows = plain_prices().filter(price_set__in=[key for key in price_sets if key]).order_by("-pk")
    for price_set, code, amount in rows.values_list("price_set_id", "currency_id", "amount"):
        found.setdefault(price_set, {})[f"prices.{code}"] = str(money.rounded(cast("Decimal", amount), code))
    return found


def stock_of(variants: Sequence[str]) -> tuple[dict[str, dict[str, str]], set[str]]:
    """The stock by variant and column, and the variants with several items."""
    items = _grouped(item_links(variants).values_list("variant_id", "inventory_item_id"))
    single = {variant: next(iter(of_variant)) for variant, of_variant in items.items() if len(of_variant) == 1}
    levels: dict[str, dict[str, str]] = {}
    rows = InventoryLevel.objects.not_deleted().filter(inventory_item__in=set(single.values()))
    for item, location, stocked in rows.values_list("inventory_item_id", "location_id", "stocked_quantity"):
        levels.setdefault(item, {})[f"stock.{location}"] = str(stocked)
    return {variant: levels.get(item, {}) for variant, item in single.items()}, items.keys() - single.keys()


def _grouped(pairs: Iterable[tuple[str, str]]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for key, value in pairs:
        found.setdefault(key, set()).add(value)
    return found
