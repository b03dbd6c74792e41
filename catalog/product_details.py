"""What every product and its variants keep to, whoever writes them: staff's screens and the shop file alike."""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from decimal import Decimal

from catalog.category_details import handle_of
from catalog.errors import DuplicateVariants, QuantityRangeEmpty
from commerce.kit.core.errors import InvalidData
from commerce.kit.core.money import exact

MEASURES = ("width", "weight", "length", "height")
"""Lengths and weights of a product or variant."""

CUSTOMS = ("origin_country", "hs_code", "mid_code", "material")
"""What customs want to know of it beside them."""

CODES = ("sku", "barcode", "ean", "upc")
"""The fields of a variant that no two living variants share; null where there is none."""


def handle_for(*, title: str, handle: str | None) -> str:
    """The handle given, else one made of the title. Raises HandleRequired where that has no letter or digit."""
    return handle or handle_of(title)


def require_distinct(values: Mapping[str, tuple[str, AbstractSet[str]]]) -> None:
    """Raise DuplicateVariants for two variants of a product that have the same option values.

    values: the title and the ids of the option values, by variant.
    """
    seen: dict[frozenset[str], str] = {}
    for title, has in values.values():
        key = frozenset(has)
        if key in seen:
            raise DuplicateVariants(seen[key], title)
        seen[key] = title


def checked_amount(amount: Decimal, currency_code: str) -> Decimal:
    """The price as its currency can pay it. Raises InvalidData for a negative one, too many decimals or too large."""
    if amount < 0:
        raise InvalidData("Value for field 'amount' too small, expected at least: '0'")
    return exact(amount, currency_code)


def check_quantity_range(*, min_quantity: int | None, max_quantity: int | None) -> None:
    """Raise QuantityRangeEmpty where no quantity can be in the bounds."""
    if min_quantity is not None and max_quantity is not None and min_quantity > max_quantity:
        raise QuantityRangeEmpty


def checked_measure(value: float | None, *, field: str) -> float | None:
    """A length or weight. Raises InvalidData, naming the field, for a negative one."""
    if value is not None and value < 0:
        raise InvalidData(f"Value for field '{field}' too small, expected at least: '0'")
    return value
