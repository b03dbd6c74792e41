"""Inventory items and reservations, as programs maintain them."""

from catalog.api import resources
from catalog.api.serializers.stock import NewLocationLevelInput
from catalog.stock.inventory_item_editing import VERBS as ITEMS
from catalog.stock.reservations import VERBS as RESERVATIONS
from kit.rest.requests.input_fields import CharField, ListSerializer
from kit.rest.requests.row_inputs import row_input
from kit.rest.row_endpoint import RowEndpoint

_LEVELS = ListSerializer(child=NewLocationLevelInput(), required=False, help_text="The initial stock.")
_LINE = CharField(
    required=False, allow_null=True, help_text="Only null: lines reserve stock when their order is placed."
)


class InventoryItems(RowEndpoint):
    """Inventory items, from which variants are sold. One with reservations cannot be deleted."""

    resource = resources.INVENTORY_ITEMS
    verbs = ITEMS
    body_fields = {"location_levels": None}
    inputs = {"create": row_input(ITEMS, "InventoryItemInput", is_new=True, location_levels=_LEVELS)}


class Reservations(RowEndpoint):
    """Stock that is reserved by lines of orders, or by hand. The quantity of a line's reservation cannot be changed."""

    resource = resources.RESERVATIONS
    verbs = RESERVATIONS
    inputs = {
        "create": row_input(RESERVATIONS, "ReservationInput", is_new=True, line_item_id=_LINE),
        "update": row_input(
            RESERVATIONS, "ReservationChangesInput", is_new=False, inventory_item_id=None, line_item_id=None
        ),
    }
