"""The rows of a cart that its changes depend on, raw and typed: misspelled columns do not pass mypy."""

from dataclasses import dataclass, field, fields

from carts.arithmetic.line_totals import LineTotals
from carts.models import CreditLine, LineItem, ShippingMethod
from carts.pricing.tracked_rows import TrackedRow, TrackedTable
from kit.values.metadata import Metadata


@dataclass(slots=True)
class CartRow:
    """The cart itself. empty_since, closed_at, completed_at: the database's texts."""

    id: str
    region_id: str
    sales_channel_id: str
    currency_id: str
    customer_id: str | None
    shipping_address_id: str | None
    billing_address_id: str | None
    metadata: Metadata | None
    payment_collection_id: str | None = None
    tax_fallback: str | None = None
    skipped_codes: int = 0
    empty_since: str | None = None
    closed_at: str | None = None
    completed_at: str | None = None
    is_draft: bool = False
    created_by: str | None = None
    draft_number: int | None = None
    no_notification: bool | None = None


CART_COLUMNS = tuple(column.name for column in fields(CartRow))


@dataclass(slots=True, eq=False)
class TotalsRow(TrackedRow):
    """A row with the totals of what it costs; see carts.arithmetic.line_totals.LineTotals.

    exempt_rate: see carts.models.kept_totals.LineTotalColumns.
    """

    total: int
    subtotal: int
    tax_total: int
    discount_total: int
    discount_subtotal: int
    discount_tax_total: int
    original_total: int
    original_tax_total: int
    refundable_total: int
    refundable_total_per_unit: int
    exempt_tax_total: int | None
    exempt_rate: int | None

    def set_totals(self, totals: LineTotals) -> None:
        """Take the totals over, all but those of the taxes, which have rows of their own."""
        (
            self.total,
            self.subtotal,
            self.tax_total,
            self.discount_total,
            self.discount_subtotal,
            self.discount_tax_total,
            self.original_total,
            self.original_tax_total,
            self.refundable_total,
            self.refundable_total_per_unit,
            self.exempt_tax_total,
            _,
        ) = totals


NO_TOTALS = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, None)
"""The totals of a new row, before it is added up."""


@dataclass(slots=True, eq=False)
class LineRow(TotalsRow):
    """A line. The columns of its variant and product are None if these no longer exist.

    has_adjustments: whether any are stored, which an older version may have left on a line without a discount.
    is_shipped: whether goods of the variant are, as the catalogue says now.
    """

    variant_id: str | None
    product_id: str | None
    type_id: str | None = field(metadata={"path": "product__type_id"})
    quantity: int
    metadata: Metadata | None
    is_discountable: bool
    is_giftcard: bool
    requires_shipping: bool
    unit_price: int
    compare_at_unit_price: int | None
    is_tax_inclusive: bool
    is_custom_price: bool
    price_set_id: str | None = field(metadata={"path": "variant__price_set_id"})
    manage_inventory: bool | None = field(metadata={"path": "variant__manage_inventory"})
    allow_backorder: bool | None = field(metadata={"path": "variant__allow_backorder"})
    has_adjustments: bool = field(metadata={"path": "has_adjustments"})
    is_shipped: bool | None = field(metadata={"path": "is_shipped"})

    @property
    def is_one_off(self) -> bool:
        """Whether it is a line of a draft that has only a title, and no variant."""
        return bool(self.is_custom_price) and self.variant_id is None

    def follow_catalogue(self) -> None:
        """Bring `requires_shipping` up to date, unless the variant is gone. Gift cards are never shipped."""
        if self.variant_id is not None:
            self.requires_shipping = bool(self.is_shipped) and not self.is_giftcard


@dataclass(slots=True, eq=False)
class ShippingMethodRow(TotalsRow):
    """A chosen shipping option."""

    shipping_option_id: str
    name: str
    amount: int
    is_tax_inclusive: bool
    is_custom_amount: bool
    data: Metadata | None = field(metadata={"path": "data"})
    has_adjustments: bool = field(default=False, metadata={"path": "has_adjustments"})


@dataclass(slots=True, eq=False)
class CreditLineRow(TrackedRow):
    """An amount that a gift card or store credit pays. most: no more than that is taken; None for all there is."""

    reference: str
    reference_id: str
    amount: int
    most: int | None


LINES = TrackedTable(LineItem, LineRow)
SHIPPING_METHODS = TrackedTable(ShippingMethod, ShippingMethodRow)
CREDIT_LINES = TrackedTable(CreditLine, CreditLineRow)
