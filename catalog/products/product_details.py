"""Rules of products and variants, shared by the admin site and the shop file."""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from decimal import Decimal

from catalog.errors import DuplicateVariants, QuantityRangeEmpty
from catalog.handles import handle_of
from kit.errors import InvalidData
from kit.values.money import exact

MEASURES = ("width", "weight", "length", "height")
"""The dimensions and weight of a product or variant."""

CUSTOMS = ("origin_country", "hs_code", "mid_code", "material")
"""The customs fields of a product or variant."""

MEASURED = (*MEASURES, *CUSTOMS)

CODES = ("sku", "barcode", "ean", "upc")
"""The fields of a variant that are unique among variants that are not deleted; null if unset."""


def handle_for(*, title: str, handle: str | None) -> str:
    """The given handle, else one derived from the title. Raises HandleRequired if that has no letter or digit."""
    return handle or handle_of(title)


def require_distinct(values: Mapping[str, tuple[str, AbstractSet[str]]]) -> None:
    """Raise DuplicateVariants if two variants of a product have the same option values.

    values: the title and the ids of the option values, by variant id.
    """
    seen: dict[frozenset[str], str] = {}
    for title, has in values.values():
        key = frozenset(has)
        if key in seen:
            raise DuplicateVariants(seen[key], title)
        seen[key] = title


def checked_amount(amount: Decimal, currency_code: str) -> Decimal:
    """The amount of a price. Raises InvalidData if it is negative, too large, or has too many decimals."""
    if amount < 0:
        raise InvalidData("Value for field 'amount' too small, expected at least: '0'")
    return exact(amount, currency_code)


def check_quantity_range(*, min_quantity: int | None, max_quantity: int | None) -> None:
    """Raise QuantityRangeEmpty if min_quantity is greater than max_quantity."""
    if min_quantity is not None and max_quantity is not None and min_quantity > max_quantity:
        raise QuantityRangeEmpty


def checked_measure(value: float | None, *, field: str) -> float | None:
    """A dimension or weight. Raises InvalidData, naming the field, if it is negative."""
    if value is not None and value < 0:
        raise InvalidData(f"Value for field '{field}' too small, expected at least: '0'")
    return value
