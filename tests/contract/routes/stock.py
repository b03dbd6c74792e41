"""Inventory items, their levels and reservations."""

from typing import Any

from shop.models import StockLocation
from tests.contract.routes.examples import Example, maintained
from tests.factories.inventory import (
    InventoryItemFactory,
    InventoryLevelFactory,
    ReservationFactory,
)


def _levels_path() -> str:
    return f"/admin/inventory-items/{InventoryLevelFactory().inventory_item_id}/location-levels"


def _level_path() -> str:
    level = InventoryLevelFactory()
    return f"/admin/inventory-items/{level.inventory_item_id}/location-levels/{level.location_id}"


def _adjustment() -> dict[str, Any]:
    level = InventoryLevelFactory()
    place = {"inventory_item_id": level.inventory_item_id, "location_id": level.location_id}
    return {"update": [{**place, "adjust_by": 1}]}


def _reservation() -> dict[str, Any]:
    level = InventoryLevelFactory(stocked_quantity=5)
    return {"inventory_item_id": level.inventory_item_id, "location_id": level.location_id, "quantity": 1}


EXAMPLES = {
    "/admin/inventory-items/location-levels/batch": Example(
        lambda: "/admin/inventory-items/location-levels/batch", {"batch": _adjustment}
    ),
    "/admin/inventory-items/<str:id>/location-levels": Example(_levels_path),
    "/admin/inventory-items/<str:id>/location-levels/<str:location_id>": Example(
        _level_path, {"change": {"stocked_quantity": 3}}
    ),
    "/admin/inventory-items/<str:id>/location-levels/batch": Example(
        lambda: f"{_levels_path()}/batch",
        {"batch_of_item": lambda: {"update": [{"location_id": StockLocation.objects.latest("pk").pk}]}},
    ),
    **maintained(
        "/admin/inventory-items", InventoryItemFactory, {"title": "Tea", "requires_shipping": True}, {"title": "Teas"}
    ),
    **maintained(
        "/admin/reservations", ReservationFactory, _reservation, {"description": "For the fair"}, can_restore=False
    ),
}
