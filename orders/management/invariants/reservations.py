"""The invariant of reservations: a line has reserved, of each item, its pieces for the units that are still to pack.

What a unit requires is what the catalogue says, as long as its variant has not changed since the cart was begun. Later
changes of the variant do not reach reservations: units may then have different numbers of pieces, as where one that was
packed before is unpacked and another was added after. Such lines are only checked once nothing is to pack.
Lines of canceled orders, and removed lines, have nothing to pack. The statement reads each table once.
`manage.py verify_ledger` checks it (orders/management/invariants/__init__.py).
Why: docs/decisions/fulfillments.md#fulfillments-take-what-is-reserved-for-their-lines.
"""

from django.db.models.query import RawQuerySet

from carts.models import Cart
from catalog.models import ProductVariant, Reservation, VariantInventoryItem
from kit.database.sql_names import table
from kit.domain.invariants import Invariant
from orders.models import Order, OrderLineItem


def _wrong_reservations() -> RawQuerySet[OrderLineItem]:
    """A row for each line and item. units: to pack. required: by each, null if nobody can tell."""
    lines = f"""
        SELECT line.id, orders.display_id AS number, variant.id AS unchanged_id, variant.manage_inventory,
            CASE WHEN line.deleted_at IS NULL AND orders.canceled_at IS NULL
                THEN line.quantity - line.fulfilled_quantity ELSE 0 END AS units
        FROM {table(OrderLineItem)} line JOIN {table(Order)} orders ON orders.id = line.order_id
        LEFT JOIN {table(Cart)} cart ON cart.id = orders.cart_id
        LEFT JOIN {table(ProductVariant)} variant
            ON variant.id = line.variant_id AND variant.updated_at < cart.created_at
    """  # noqa: S608 - names of our own
    pieces = f"""
        SELECT line_item_id, inventory_item_id, quantity AS held, 0 AS required
        FROM {table(Reservation)} WHERE deleted_at IS NULL
        UNION ALL
        SELECT line.id, link.inventory_item_id, 0, link.required_quantity
        FROM line JOIN {table(VariantInventoryItem)} link ON link.variant_id = line.unchanged_id
        WHERE line.manage_inventory AND line.units > 0 AND link.deleted_at IS NULL
    """  # noqa: S608 - names of our own
    found = f"""
        SELECT line.id, line.number, line.units, piece.inventory_item_id, sum(piece.held) AS held,
            CASE WHEN line.unchanged_id IS NULL AND line.units > 0 THEN NULL ELSE sum(piece.required) END AS required
        FROM line JOIN ({pieces}) piece ON piece.line_item_id = line.id
        GROUP BY line.id, line.number, line.units, line.unchanged_id, piece.inventory_item_id
    """  # noqa: S608 - names of our own
    return OrderLineItem.objects.raw(f"""
        WITH line AS ({lines})
        SELECT found.*, units * required AS expected FROM ({found}) found WHERE held <> units * required
        ORDER BY number, id, inventory_item_id
    """)  # noqa: S608 - names of our own


RESERVATION_INVARIANTS = (
    Invariant(
        _wrong_reservations,
        "Line {id} of order {number} has {held} of item {inventory_item_id} reserved for {units} units to pack, "
        "instead of {expected}",
    ),
)
