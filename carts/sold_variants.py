"""What a cart's channel sells, and what a line remembers of it."""

from collections.abc import Collection
from typing import Any

from carts.errors import VariantsNotSold
from carts.held_rows import Held
from carts.models import LineItem
from carts.models.items import new_detail_id
from carts.models.kept_totals import LINE_TOTALS
from catalog.models import ProductVariant
from commerce.kit.core.actor import Actor
from commerce.kit.core.ids import new_id
from commerce.kit.core.metadata import Metadata
from commerce.kit.core.text import is_storable
from commerce.kit.projection.keyed_rows import KeyedRows

Facts = dict[str, Any]


def find(variant_ids: Collection[str], sales_channel_id: str) -> dict[str, Facts]:
    """The variants by id, as the channel shows them. One statement. Raises VariantsNotSold."""
    found: dict[str, Facts] = {}
    wanted = sorted({variant_id for variant_id in variant_ids if is_storable(variant_id)})
    for row in _VARIANTS.read(wanted, sales_channel_id):
        columns, (value, option, *deletions) = row[: len(_COLUMNS)], row[len(_COLUMNS) :]
        facts = found.setdefault(row[0], {**dict(zip(_COLUMNS, columns, strict=True)), "options": {}})
        if value is not None and deletions == [None, None]:
            facts["options"][option] = value
    missing = set(variant_ids) - found.keys()
    if missing:
        raise VariantsNotSold(missing)
    return found


def new_line(facts: Facts, *, cart_id: str, quantity: int, metadata: Metadata | None) -> Held:
    """A line that remembers what the catalogue says now; prices and totals are left to be found."""
    values = {
        "id": new_id("cali"),
        "cart_id": cart_id,
        "variant_id": facts["id"],
        "product_id": facts["product_id"],
        "title": facts["product__title"],
        "subtitle": facts["title"],
        "thumbnail": facts["product__thumbnail"],
        "product_title": facts["product__title"],
        "product_description": facts["product__description"],
        "product_subtitle": facts["product__subtitle"],
        "product_type": facts["product__type__value"],
        "product_type_id": facts["product__type_id"],
        "product_collection": facts["product__collection__title"],
        "product_handle": facts["product__handle"],
        "variant_sku": facts["sku"],
        "variant_barcode": facts["barcode"],
        "variant_title": facts["title"],
        "variant_option_values": facts["options"],
        "requires_shipping": not facts["product__is_giftcard"],
        "is_discountable": bool(facts["product__discountable"]),
        "is_giftcard": bool(facts["product__is_giftcard"]),
        "is_tax_inclusive": False,
        "compare_at_unit_price": None,
        "unit_price": None,
        "quantity": quantity,
        "metadata": metadata,
        "detail_id": new_detail_id(),
        **dict.fromkeys(_COUNTERS, 0),
        **dict.fromkeys(LINE_TOTALS, 0),
    }
    return Held(values, facts=facts)


_COUNTERS = tuple(column.name for column in LineItem._meta.concrete_fields if column.name.endswith("_quantity"))
_COLUMNS = (
    *("id", "title", "sku", "barcode", "product_id", "price_set_id", "manage_inventory", "allow_backorder"),
    *("product__title", "product__subtitle", "product__description", "product__thumbnail", "product__handle"),
    *("product__is_giftcard", "product__discountable"),
    *("product__type_id", "product__type__value", "product__collection__title"),
)


def _shown(sales_channel_id: str) -> Any:
    return ProductVariant.objects.visible_to(Actor(type="anonymous", sales_channel_ids=(sales_channel_id,)))


_VARIANTS = KeyedRows(
    _shown,
    key="id",
    columns=(
        *_COLUMNS,
        *("options__value", "options__option__title", "options__deleted_at", "options__option__deleted_at"),
    ),
)
