"""The page and the order of a list."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass

from kit.errors import InvalidData, shown

MAX_LIMIT = 1000
LARGEST_OFFSET = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Page:
    """limit rows after skipping offset."""

    limit: int
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Order:
    """One sort key, as the route's table of sortable fields has it, `id` always behind it. None means by id alone."""

    key: Hashable = None
    descending: bool = False


def parse_order(text: str | None, *, sortable: Mapping[str, Hashable]) -> Order:
    """`name`, `-name`, `parent_category.rank`. Raises InvalidData for a field that the route does not sort by."""
    if text is None:
        return Order()
    name = text.removeprefix("-")
    if name not in sortable:
        raise InvalidData(f"Order field {shown(name)} is not valid")
    return Order(sortable[name], descending=text.startswith("-"))


def parse_page(limit: object, offset: object, *, default_limit: int) -> Page:
    """Whole numbers, or their text. Raises InvalidData naming the field and its bound."""
    return Page(
        limit=default_limit if limit is None else _whole("limit", limit, MAX_LIMIT),
        offset=0 if offset is None else _whole("offset", offset, LARGEST_OFFSET),
    )


def _whole(field: str, value: object, most: int) -> int:
    text = str(value)
    digits = text.removeprefix("-")
    if isinstance(value, (list, dict)) or not (digits.isascii() and digits.isdecimal()) or len(digits) > 30:
        raise InvalidData(f"Invalid request: Expected type: 'number' for field '{field}', got: '{shown(value)}'")
    number = int(text)
    if number < 0:
        raise InvalidData(f"Invalid request: Value for field '{field}' too small, expected at least: '0'")
    if number > most:
        raise InvalidData(f"Invalid request: Value for field '{field}' too big, expected at most: '{most}'")
    return number
