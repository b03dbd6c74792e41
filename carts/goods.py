"""What a cart has to ship: of each line so much as shipping asks. Source: behaviour.md 6.4, section 9, item 39."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any

from carts.models import LineItem
from commerce.kit.projection.keyed_rows import KeyedRows


@dataclass(slots=True)
class Goods:
    """Pieces of one line that need shipping. weight: of a piece, in the shop's own unit; None where nobody said.

    is_limited: whether there have to be enough of them in stock. items: how many of each inventory item they take then.
    """

    line_id: str
    variant_id: str | None
    title: str
    quantity: int
    profile_id: str | None
    weight: float | None
    is_limited: bool
    items: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class Load:
    """Of a cart. goods: in the order of its lines. is_empty: whether it has no lines at all, shipped or not."""

    goods: list[Goods]
    is_empty: bool


def load_of(cart_id: str) -> Load:
    """What the stored cart has to ship. One statement."""
    found: dict[str, Goods] = {}
    rows = [dict(zip(_COLUMNS, row, strict=True)) for row in _LINES.read([cart_id])]
    for row in sorted(rows, key=itemgetter("id")):
        if row["requires_shipping"]:
            line = found.setdefault(row["id"], _goods(row))
            is_kept = row["variant__inventory_links__deleted_at"] is row[f"{_ITEM}__deleted_at"] is None
            if line.is_limited and is_kept and row[f"{_ITEM}_id"] is not None:
                pieces = row["variant__inventory_links__required_quantity"] * line.quantity
                line.items[row[f"{_ITEM}_id"]] += pieces if row[f"{_ITEM}__requires_shipping"] else 0
    return Load(list(found.values()), not rows)


def _goods(row: Mapping[str, Any]) -> Goods:
    own_weight = row["variant__weight"]
    return Goods(
        row["id"],
        row["variant_id"],
        row["title"],
        row["quantity"],
        row["product__shipping_profile_id"],
        row["product__weight"] if own_weight is None else own_weight,
        bool(row["variant__manage_inventory"]) and not row["variant__allow_backorder"],
    )


_ITEM = "variant__inventory_links__inventory_item"
_COLUMNS = (
    *("id", "requires_shipping"),
    *("variant_id", "title", "quantity", "product__shipping_profile_id"),
    *("variant__weight", "product__weight", "variant__manage_inventory", "variant__allow_backorder"),
    *(f"{_ITEM}_id", "variant__inventory_links__required_quantity"),
    *("variant__inventory_links__deleted_at", f"{_ITEM}__deleted_at", f"{_ITEM}__requires_shipping"),
)
_LINES = KeyedRows(LineItem.objects.not_deleted, key="cart_id", columns=_COLUMNS)
