"""The lines of a cart that need shipping, and the stock that they take.

Why: docs/decisions/carts.md#stock-is-checked-for-all-lines-together.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import NamedTuple

from carts.arithmetic.line_totals import goods_as_stated
from carts.models import LineItem
from kit.reads.sql.keyed_rows import KeyedRows


@dataclass(slots=True)
class ShippableLine:
    """A line that needs shipping. weight: of one unit, in the shop's unit of weight; None if it is unknown.

    is_limited: whether its stock is limited. inventory_items: the required quantity by inventory item, if it is.
    """

    line_id: str
    variant_id: str | None
    title: str
    quantity: int
    profile_id: str | None
    weight: float | None
    is_limited: bool
    inventory_items: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class CartContents:
    """lines: those that need shipping, in their order.

    profiles: of these lines; of all lines if none needs shipping; None for any, of a cart without lines or with none
        but lines without a variant, which any option ships.
    goods_total: what thresholds count; see carts.arithmetic.line_totals.goods_as_stated.
    Why: docs/decisions/shipping.md#gift-cards-alone-have-options-of-their-profile.
    """

    lines: Sequence[ShippableLine]
    profiles: Collection[str | None] | None
    goods_total: int


@dataclass(frozen=True, slots=True)
class Delivery:
    """goods: the lines that need shipping. profiles: those that the cart's methods ship; None stands for all goods."""

    goods: Sequence[ShippableLine]
    profiles: Sequence[str | None]


def shippable_contents(cart_id: str) -> CartContents:
    """What the stored cart has to ship. One statement."""
    found: dict[str, ShippableLine] = {}
    rows = _LINES.read([cart_id])
    for row in sorted(rows, key=attrgetter("id")):
        if row.requires_shipping:
            line = found.setdefault(row.id, _shippable(row))
            if line.is_limited and row.item_id is not None and row.link_deleted_at is row.item_deleted_at is None:
                line.inventory_items[row.item_id] += (
                    row.required_quantity * line.quantity if row.item_requires_shipping else 0
                )
    goods = goods_as_stated({row.id: row for row in rows}.values())
    profiles = {row.shipping_profile_id for row in rows if row.variant_id and (row.requires_shipping or not found)}
    return CartContents(list(found.values()), profiles or None, goods)


class _Row(NamedTuple):
    """A line with one of the inventory items that its variant takes, if there are any."""

    id: str
    requires_shipping: bool
    variant_id: str | None
    title: str
    quantity: int
    total: int
    tax_total: int
    exempt_tax_total: int | None
    is_tax_inclusive: bool
    is_giftcard: bool
    shipping_profile_id: str | None
    variant_weight: float | None
    product_weight: float | None
    manage_inventory: bool | None
    allow_backorder: bool | None
    required_quantity: int
    link_deleted_at: str | None
    item_id: str | None
    item_deleted_at: str | None
    item_requires_shipping: bool | None


def _shippable(row: _Row) -> ShippableLine:
    return ShippableLine(
        row.id,
        row.variant_id,
        row.title,
        row.quantity,
        row.shipping_profile_id,
        row.product_weight if row.variant_weight is None else row.variant_weight,
        bool(row.manage_inventory) and not row.allow_backorder,
    )


_LINK, _ITEM = "variant__inventory_links", "variant__inventory_links__inventory_item"
_LINES = KeyedRows(
    LineItem.objects.not_deleted,
    key="cart_id",
    row=_Row,
    columns=(
        *("id", "requires_shipping", "variant_id", "title", "quantity"),
        *("total", "tax_total", "exempt_tax_total", "is_tax_inclusive", "is_giftcard", "product__shipping_profile_id"),
        *("variant__weight", "product__weight", "variant__manage_inventory", "variant__allow_backorder"),
        *(f"{_LINK}__required_quantity", f"{_LINK}__deleted_at"),
        *(f"{_ITEM}_id", f"{_ITEM}__deleted_at", f"{_ITEM}__requires_shipping"),
    ),
)
