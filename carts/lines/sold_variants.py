"""The variants that a sales channel sells, and the lines made of them."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from django.db.models import QuerySet

from carts.errors import LinesNotSold, VariantsNotSold
from carts.models import LineItem
from carts.models.line_columns import new_detail_id
from carts.pricing.cart_rows import NO_TOTALS, LineRow
from carts.pricing.line_titles import line_titles
from catalog.models import ProductVariant
from catalog.products.shipping import with_is_shipped
from kit.domain.actor import Actor
from kit.errors import InvalidData
from kit.reads.sql.keyed_rows import KeyedRows
from kit.values import text
from kit.values.ids import new_id
from kit.values.metadata import Metadata
from kit.values.text import is_storable


class SoldVariant(NamedTuple):
    """A variant with its product, by ORM paths; then the values of its options by their titles."""

    id: str
    title: str
    sku: str | None
    barcode: str | None
    product_id: str
    price_set_id: str | None
    manage_inventory: bool
    allow_backorder: bool
    product__title: str
    product__subtitle: str | None
    product__description: str | None
    product__thumbnail: str | None
    product__handle: str
    product__is_giftcard: bool
    product__discountable: bool
    product__type_id: str | None
    product__type__value: str | None
    product__collection__title: str | None
    is_shipped: bool
    options: dict[str, str]


def find(variant_ids: Collection[str], sales_channel_id: str, lines: Sequence[LineRow]) -> dict[str, SoldVariant]:
    """The variants by id, as the channel shows them. One statement.

    lines: those that the cart already has. Raises LinesNotSold with those of a missing variant, else VariantsNotSold.
    """
    found = find_sold(variant_ids, sales_channel_id)
    missing = set(variant_ids) - found.keys()
    if missing:
        if gone := [line for line in lines if line.variant_id in missing]:
            raise LinesNotSold(line_titles(gone))
        raise VariantsNotSold(missing)
    return found


def find_sold(variant_ids: Collection[str], sales_channel_id: str) -> dict[str, SoldVariant]:
    """Those of the variants that the channel shows, by id. One statement."""
    found: dict[str, SoldVariant] = {}
    wanted = sorted({variant_id for variant_id in variant_ids if is_storable(variant_id)})
    for row in _VARIANTS.read(wanted, sales_channel_id):
        variant_id, (value, option, *deletions) = row[0], row[len(_COLUMNS) :]
        if variant_id not in found:
            found[variant_id] = SoldVariant._make((*row[: len(_COLUMNS)], {}))
        if value is not None and deletions == [None, None]:
            found[variant_id].options[option] = value
    return found


def check_sold(lines: Sequence[LineRow], sales_channel_id: str) -> None:
    """Check that the channel shows the variants of the lines. One statement. Raises LinesNotSold with the others."""
    variant_ids = {variant_id for line in lines if (variant_id := line.variant_id)}
    sold = {variant_id for (variant_id,) in _IDS.read(sorted(variant_ids), sales_channel_id)} if variant_ids else ()
    if gone := [line for line in lines if line.variant_id not in sold]:
        raise LinesNotSold(line_titles(gone))


def new_line(variant: SoldVariant, *, cart_id: str, quantity: int, metadata: Metadata | None) -> LineRow:
    """A line that remembers the catalogue as it is now.

    Its price, its totals, and whether it needs shipping are still to be found.
    """
    constants = {
        "title": variant.product__title,
        "subtitle": variant.title,
        "thumbnail": variant.product__thumbnail,
        "product_title": variant.product__title,
        "product_description": variant.product__description,
        "product_subtitle": variant.product__subtitle,
        "product_type": variant.product__type__value,
        "product_type_id": variant.product__type_id,
        "product_collection": variant.product__collection__title,
        "product_handle": variant.product__handle,
        "variant_sku": variant.sku,
        "variant_barcode": variant.barcode,
        "variant_title": variant.title,
        "variant_option_values": variant.options,
    }
    line = _plain_line(constants, cart_id=cart_id, quantity=quantity, metadata=metadata)
    line.variant_id, line.product_id, line.type_id = variant.id, variant.product_id, variant.product__type_id
    line.is_giftcard = bool(variant.product__is_giftcard)
    line.is_discountable = bool(variant.product__discountable) and not line.is_giftcard
    line.price_set_id, line.is_shipped = variant.price_set_id, variant.is_shipped
    line.manage_inventory, line.allow_backorder = variant.manage_inventory, variant.allow_backorder
    return line


def one_off_line(title: str, *, cart_id: str, quantity: int, metadata: Metadata | None) -> LineRow:
    """A line of a draft with a title alone, whose price staff set. Raises InvalidData (title)."""
    kept = text.checked(title, field="title", longest=text.LONGEST, one_line=True)
    if not kept:
        raise InvalidData("Field 'title' must not be empty")
    unknown = dict.fromkeys(name for name in _CATALOGUE if name != "title")
    line = _plain_line({**unknown, "title": kept}, cart_id=cart_id, quantity=quantity, metadata=metadata)
    line.is_custom_price = True
    return line


def _plain_line(constants: Mapping[str, object], *, cart_id: str, quantity: int, metadata: Metadata | None) -> LineRow:
    """constants: the columns of _CATALOGUE."""
    return LineRow(
        new_id("cali"),
        *NO_TOTALS,
        variant_id=None,
        product_id=None,
        type_id=None,
        quantity=quantity,
        metadata=metadata,
        is_discountable=True,
        is_giftcard=False,
        requires_shipping=True,
        unit_price=0,
        compare_at_unit_price=None,
        is_tax_inclusive=False,
        is_custom_price=False,
        price_set_id=None,
        manage_inventory=None,
        allow_backorder=None,
        has_adjustments=False,
        is_shipped=None,
        constants={"cart_id": cart_id, **constants, "detail_id": new_detail_id(), **dict.fromkeys(_COUNTERS, 0)},
    )


def _sold(sales_channel_id: str) -> QuerySet[ProductVariant]:
    return ProductVariant.objects.visible_to(Actor(type="anonymous", sales_channel_ids=(sales_channel_id,)))


def _described(sales_channel_id: str) -> QuerySet[ProductVariant]:
    return with_is_shipped(_sold(sales_channel_id), variant="pk")


_COUNTERS = tuple(column.name for column in LineItem._meta.concrete_fields if column.name.endswith("_quantity"))
_CATALOGUE = (
    *("title", "subtitle", "thumbnail", "product_title", "product_description", "product_subtitle", "product_type"),
    *("product_type_id", "product_collection", "product_handle", "variant_sku", "variant_barcode", "variant_title"),
    "variant_option_values",
)
"""What a line copies of the catalogue."""
_COLUMNS = SoldVariant._fields[:-1]
_IDS = KeyedRows(_sold, key="id", columns=("id",))
_VARIANTS = KeyedRows(
    _described,
    key="id",
    columns=(
        *_COLUMNS,
        *("options__value", "options__option__title", "options__deleted_at", "options__option__deleted_at"),
    ),
)
