"""Lines of documents while they are computed. No database; amounts are in 1/10,000, rates in 1/10,000 percent."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import NamedTuple

from kit.values.money import major
from kit.values.rounding import half_up
from orders.states import InvoiceLineKind, TaxCategory

Block = tuple[TaxCategory, str]
"""The category and the combination of rates that amounts of documents are summed by."""
Key = tuple[InvoiceLineKind, str | None, TaxCategory, str]
"""What a line is about. Refunds of one block are about the same."""


class Tax(NamedTuple):
    """One tax of a line. amount: this tax on the whole line."""

    code: str
    description: str | None
    rate: int
    amount: int


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a document. quantity and amounts are negative for what is taken back.

    quantity: 0 where the price alone changed. unit_price: as stated, with tax if is_tax_inclusive.
    taxes: by rate, then code. subtotal: without them.
    """

    kind: InvoiceLineKind
    reference_id: str | None
    title: str
    variant_title: str | None
    sku: str | None
    quantity: int
    unit_price: int
    is_tax_inclusive: bool
    category: TaxCategory
    taxes: tuple[Tax, ...]
    subtotal: int

    @property
    def combination(self) -> str:
        """Its rates in percent: `5+9.975`; "" without any."""
        return "+".join(f"{Decimal(major(tax.rate)).normalize():f}" for tax in self.taxes)

    @property
    def block(self) -> Block:
        return self.category, self.combination

    @property
    def key(self) -> Key:
        return self.kind, self.reference_id, self.category, self.combination

    @property
    def tax_total(self) -> int:
        return sum(tax.amount for tax in self.taxes)

    @property
    def total(self) -> int:
        return self.subtotal + self.tax_total

    @property
    def stated(self) -> int:
        """Its amount in the terms of its price."""
        return self.total if self.is_tax_inclusive else self.subtotal

    @property
    def discount_total(self) -> int:
        """What it costs less than its price; 0 if its price was rounded down."""
        return max(self.quantity * self.unit_price - self.stated, 0)

    def __neg__(self) -> "Entry":
        taxes = tuple(tax._replace(amount=-tax.amount) for tax in self.taxes)
        return replace(self, quantity=-self.quantity, subtotal=-self.subtotal, taxes=taxes)

    def __add__(self, later: "Entry") -> "Entry":
        """Both, described as the later one is."""
        pairs = zip(self.taxes, later.taxes, strict=True)
        taxes = tuple(tax._replace(amount=before.amount + tax.amount) for before, tax in pairs)
        return replace(
            later, quantity=self.quantity + later.quantity, subtotal=self.subtotal + later.subtotal, taxes=taxes
        )

    def __sub__(self, other: "Entry") -> "Entry":
        """What is more than the other, described as this one is."""
        return -other + self

    @property
    def is_nothing(self) -> bool:
        """A refund has no units: those that were taken back are a line each."""
        units = 0 if self.kind == InvoiceLineKind.REFUND else self.quantity
        return not (units or self.subtotal or any(tax.amount for tax in self.taxes))

    def priced(self, unit_price: int, step: int) -> "Entry":
        """With a unit price that explains its amount. unit_price: the one to keep if it does."""
        if not self.quantity:
            return replace(self, unit_price=self.stated)
        if self.quantity * unit_price >= self.stated:
            return replace(self, unit_price=unit_price)
        return replace(self, unit_price=half_up(self.stated, self.quantity, step))


def sums(entries: Iterable[Entry]) -> dict[Block, tuple[int, int]]:
    """The amounts of each block: without, and with tax."""
    found: dict[Block, tuple[int, int]] = {}
    for entry in entries:
        subtotal, total = found.get(entry.block, (0, 0))
        found[entry.block] = subtotal + entry.subtotal, total + entry.total
    return found


def is_worthless(entries: Sequence[Entry]) -> bool:
    """Whether the entries come to nothing in every block."""
    return not any(any(amounts) for amounts in sums(entries).values())
