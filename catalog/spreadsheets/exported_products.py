"""The rows of a file for a product: its own values in the first one, a row for each variant."""

from collections.abc import Collection, Iterator
from typing import Any

from catalog.spreadsheets.price_columns import price_field, sale_field
from catalog.spreadsheets.product_columns import MANY, ONE, PRODUCT, VARIANT
from catalog.spreadsheets.references import References
from catalog.spreadsheets.stored_products import StoredProduct, StoredVariant
from kit.spreadsheets.columns import with_stems
from kit.spreadsheets.declarations import Values

_SAME = {
    "published": ("status",),
    "tags": ("tag",),
    "image": ("image", "thumbnail"),
    "row_image": ("image", "thumbnail"),
    "policy": ("allow_backorder",),
    "tracker": ("manage_inventory",),
    "ships": ("requires_shipping",),
    "plain_price": ("price", "sale_price"),
    "compare_at": ("price", "sale_price"),
    "stock": ("stock", "stock_exported"),
    "quantity": ("stock", "stock_exported"),
    "option_value": ("option_name", "option_value"),
}
"""The stems of fields that exports have in the place of others, which say the same or change them, too."""


def fields_of(fields: Collection[str]) -> frozenset[str]:
    """The stems that an undo file needs for a file with these fields."""
    stems = {field.partition(":")[0] for field in fields}
    return frozenset(name for stem in stems for name in _SAME.get(stem, (stem,)))


def exported_rows(product: StoredProduct, references: References, sale: str, stems: Collection[str]) -> list[Values]:
    """sale: the title of the list of sale prices.

    stems: of the fields to write, besides those that identify the product and its variants.
    """
    keys: Values = {"id": product.id, "handle": product.values["handle"]}
    rows = [
        {**keys, "variant_id": one.id, **with_stems(_of_variant(one, product, references, sale), stems)}
        for one in product.variants
    ] or [keys]
    rows[0] |= with_stems(_of_product(product, references), stems)
    return rows


def _of_product(product: StoredProduct, references: References) -> Iterator[tuple[str, Any]]:
    values = product.values
    for name in PRODUCT:
        yield name, values[name]
    if values["images"] and not values["thumbnail"]:
        yield "thumbnail", ""  # in the place of None, which would follow the first image
    for name, column in ONE.items():
        yield name, values[column] and references.name(name, values[column])
    for stem, column in MANY.items():
        names = sorted(references.name(stem, key) for key in values[column])
        yield from ((f"{stem}:{place}", name) for place, name in enumerate(names or [None], 1))
    yield from ((f"image:{place}", url) for place, url in enumerate(values["images"] or [None], 1))


def _of_variant(
    one: StoredVariant, product: StoredProduct, references: References, sale: str
) -> Iterator[tuple[str, Any]]:
    for name, column in VARIANT.items():
        yield name, one.values[column]
    for place, title in enumerate(product.options, 1):
        yield f"option_name:{place}", title
        yield f"option_value:{place}", one.options.get(title)
    for terms, (_, amount) in one.prices.items():
        yield price_field(terms, references), amount
    for currency, (_, amount) in one.sale.items():
        yield sale_field(currency, sale), amount
    for location, stocked in one.levels.items():
        yield from stock_fields(location, stocked, stocked, references).items()


def stock_fields(location: str, stocked: int, exported: int, references: References) -> Values:
    """The fields of stock at a location: importing them books the difference."""
    name = references.name("location", location)
    return {f"stock:{name}": stocked, f"stock_exported:{name}": exported}
