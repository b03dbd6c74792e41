"""What callers ask of a product, and what is reported back: faults, each with its row and column, or the changes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, Literal

from kit.errors import MOST_NAMED, InvalidData

MOST_OPTIONS = 3
MOST_VARIANTS = 500
"""The most variants of one product, without deleted ones."""


class _Unread(Enum):
    UNREAD = "unread"


UNREAD: Final = _Unread.UNREAD
"""In place of a value that the caller has not read."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A value to store.

    read: the stored value as the caller has read it. The edit is refused if another is stored by now, unless that is
    the value to store.
    """

    value: object
    read: object = UNREAD

    def conflicts_with(self, stored: object) -> bool:
        """Whether the stored value is neither the one that was read nor the wanted one."""
        return self.read is not UNREAD and stored not in (self.read, self.value)


@dataclass(frozen=True, slots=True)
class OptionState:
    """An option with all its values, in order. id: None for a new one."""

    title: str
    values: Sequence[str]
    id: str | None = None


@dataclass(frozen=True, slots=True)
class VariantState:
    """The desired state of a variant; what is not given stays as it is.

    id: None for a new one. values: one for each option of the product, in the order of its options.
    attributes: cells by column: title, sku, barcode, weight. prices: cells by currency code with a Decimal, or None for
    no price; they apply to every quantity, region and customer. stock: the differences in pieces, by location id.
    """

    id: str | None = None
    values: Sequence[str] | None = None
    attributes: Mapping[str, Cell] = field(default_factory=dict)
    prices: Mapping[str, Cell] = field(default_factory=dict)
    stock: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ProductState:
    """The desired state of a stored product. Variants that are not given stay as they are.

    options: all of them, or None to keep the stored ones. read_options: the stored options as the caller has read them.
    deleted: the ids of variants to delete.
    """

    id: str
    options: Sequence[OptionState] | None = None
    read_options: Sequence[OptionState] | None = None
    variants: Sequence[VariantState] = ()
    deleted: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a cell is refused.

    row: the index of the variant in the product's state, None for a fault of its options. column: options, values,
    title, sku, barcode, weight, prices.<currency> or stock.<location id>.
    is_conflict: whether the stored value has changed since it was read; then `current` is the stored one.
    """

    product_id: str
    row: int | None
    column: str
    message: str
    is_conflict: bool = False
    current: object = None


class ProductEditRefused(InvalidData):
    """Nothing was changed. faults: all of them. The message names the first ten."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        named = [
            f"{f'Variant {fault.row + 1}, ' if fault.row is not None else ''}'{fault.column}': {fault.message}"
            for fault in faults[:MOST_NAMED]
        ]
        super().__init__(" ".join(named))
        self.faults = tuple(faults)


@dataclass(frozen=True, slots=True)
class PartChange:
    """What became of an option or a variant. fields: what differs, as the history describes it."""

    action: Literal["added", "changed", "deleted"]
    noun: str
    name: str
    fields: Sequence[str] = ()


def change_of(label: str, before: object, after: object) -> str:
    """`Price ($10.00 → $12.00)`."""
    return f"{label} ({'none' if before is None else before} → {'none' if after is None else after})"
