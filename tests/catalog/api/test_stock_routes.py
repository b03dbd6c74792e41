"""Inventory items, their levels and reservations below /admin, as the official SDK calls them."""

from typing import Any

import pytest

from catalog.models import InventoryItem, InventoryLevel, Reservation, StockMovement
from tests.contract.callers import Caller, refusal
from tests.contract.conftest import admin
from tests.factories.inventory import (
    InventoryItemFactory,
    InventoryLevelFactory,
    ReservationFactory,
    StockLocationFactory,
    count_stock,
)
from tests.kit.graphql.calls import ask, data

pytestmark = pytest.mark.django_db
ITEMS, RESERVATIONS = "/admin/inventory-items", "/admin/reservations"

__all__ = ["admin"]


def answer(caller: Caller, path: str, body: Any) -> dict[str, Any]:
    response = caller.post(path, body)
    assert response.status_code == 200, response.content
    return response.json()  # type: ignore[no-any-return]


def lacking(response: Any) -> tuple[int, str, str]:
    return response.status_code, response.json().get("code", ""), response.json()["message"]


class TestItems:
    def test_one_is_made_with_stock_changed_found_and_deleted(self, admin: Caller) -> None:
        place, empty = StockLocationFactory(), StockLocationFactory()
        levels = [{"location_id": place.pk, "stocked_quantity": 4, "incoming_quantity": 2}, {"location_id": empty.pk}]
        measures = {"weight": 300.5, "origin_country": "jp", "hs_code": "0902", "unit_of_measure": "tin"}
        body = {**measures, "sku": "tea", "title": None, "metadata": {"erp": 7}, "location_levels": levels}
        made = answer(admin, ITEMS, body)["inventory_item"]
        assert (made["sku"], made["title"], made["requires_shipping"], made["metadata"]) == (
            "tea",
            "",
            True,
            {"erp": 7},
        )
        assert {name: made[name] for name in measures} == measures
        assert (made["stocked_quantity"], made["reserved_quantity"]) == (4, 0)
        stock = {one["location_id"]: (one["stocked_quantity"], one["incoming_quantity"])
                 for one in made["location_levels"]}  # fmt: skip
        assert stock == {place.pk: (4, 2), empty.pk: (0, 0)}
        assert StockMovement.objects.get().stocked_after == 4
        one = f"{ITEMS}/{made['id']}"
        changed = answer(admin, one, {"title": "Green tea", "metadata": {"shelf": 3}})["inventory_item"]
        assert (changed["sku"], changed["title"], changed["metadata"]) == ("tea", "Green tea", {"erp": 7, "shelf": 3})
        InventoryItemFactory(sku="coffee", requires_shipping=False)
        for query in (f"location_levels[location_id]={place.pk}", "q=green", "sku=tea", "requires_shipping=true"):
            assert [each["id"] for each in admin.get(f"{ITEMS}?{query}").json()["inventory_items"]] == [made["id"]]
        removed = admin.send("DELETE", one).json()
        assert removed == {"id": made["id"], "object": "inventory_item", "deleted": True}
        assert answer(admin, ITEMS, {})["inventory_item"]["sku"] is None

    def test_nothing_is_half_made(self, admin: Caller) -> None:
        InventoryItemFactory(sku="tea")
        place = StockLocationFactory().pk
        for body, message in (
            ({"location_levels": [{"location_id": "sloc_x"}]}, "location_levels[0].location_id"),
            ({"location_levels": [{"location_id": place}, {"location_id": place}]}, "location_levels[1].location_id"),
            ({"location_levels": [{"location_id": place, "stocked_quantity": -1}]}, "stocked_quantity"),
            ({"weight": "3"}, "weight"),
            ({"barcode": "4006381333931"}, "barcode"),
            ({"sku": "a\0"}, "sku"),
        ):
            status, text = refusal(admin.post(ITEMS, body))
            assert (status, message in text) == (400, True), (body, text)
        assert admin.post(ITEMS, {"sku": "tea"}).status_code == 422
        assert InventoryItem.objects.count() == 1

    def test_one_that_is_reserved_is_not_deleted(self, admin: Caller) -> None:
        level = ReservationFactory(level__location__name="Berlin").inventory_item.levels.get()
        path = f"{ITEMS}/{level.inventory_item_id}"
        status, text = refusal(admin.send("DELETE", path))
        assert (status, text) == (400, f"The inventory item cannot be deleted: 2 reserved of {level}")
        Reservation.objects.update(deleted_at="2026-01-01T00:00:00Z")
        assert admin.send("DELETE", path).status_code == 200


class TestLevels:
    def test_a_batch_of_an_item_creates_changes_and_deletes(self, admin: Caller) -> None:
        kept = InventoryLevelFactory(stocked_quantity=5)
        item, gone, place = kept.inventory_item, InventoryLevelFactory(inventory_item=kept.inventory_item), None
        place = StockLocationFactory().pk
        path = f"{ITEMS}/{item.pk}/location-levels/batch"
        body = {
            "create": [{"location_id": place, "stocked_quantity": 3}],
            "update": [{"id": kept.pk, "location_id": kept.location_id, "stocked_quantity": 4}],
            "delete": [gone.pk],
        }
        done = answer(admin, path, body)
        assert [each["location_id"] for each in done["created"]] == [place]
        assert [(each["id"], each["stocked_quantity"]) for each in done["updated"]] == [(kept.pk, 4)]
        assert done["deleted"] == [gone.pk]
        shown = admin.get(f"{ITEMS}/{item.pk}").json()["inventory_item"]
        assert (shown["stocked_quantity"], len(shown["location_levels"])) == (7, 2)
        elsewhere = InventoryLevelFactory().pk
        for body, message in (
            ({"delete": [elsewhere]}, "delete"),
            ({"delete": ["ilev_x"]}, "delete"),
            ({"delete": [kept.pk]}, "4 stocked"),
            ({"update": [{"id": elsewhere, "location_id": kept.location_id}]}, elsewhere),
            ({"create": [{"location_id": place, "inventory_item_id": item.pk}]}, "inventory_item_id"),
        ):
            status, text = refusal(admin.post(path, body))
            assert (status, message in text) == (400, True), (body, text)
        assert refusal(admin.post(f"{ITEMS}/iitem_x/location-levels/batch", {}))[0] == 404

    def test_a_level_is_deleted_once_it_is_empty_and_comes_back_with_its_history(self, admin: Caller) -> None:
        level = InventoryLevelFactory(stocked_quantity=5)
        path = f"{ITEMS}/{level.inventory_item_id}/location-levels/{level.location_id}"
        assert refusal(admin.send("DELETE", path)) == (400, f"{level} cannot be deleted: 5 stocked")
        answer(admin, path, {"stocked_quantity": 0, "incoming_quantity": 1})
        assert refusal(admin.send("DELETE", path)) == (400, f"{level} cannot be deleted: 1 incoming")
        answer(admin, path, {"incoming_quantity": 0})
        removed = admin.send("DELETE", path).json()
        assert (removed["id"], removed["object"], removed["deleted"]) == (level.pk, "inventory-level", True)
        assert (removed["parent"]["id"], removed["parent"]["location_levels"]) == (level.inventory_item_id, [])
        assert refusal(admin.send("DELETE", path))[0] == 404
        assert refusal(admin.post(path, {"stocked_quantity": 1}))[0] == 404
        new = {"inventory_item_id": level.inventory_item_id, "location_id": level.location_id, "stocked_quantity": 2}
        done = answer(admin, f"{ITEMS}/location-levels/batch", {"create": [{**new, "incoming_quantity": 3}]})
        back = done["created"][0]
        assert (back["id"], back["stocked_quantity"], back["incoming_quantity"]) == (level.pk, 2, 3)
        moves = StockMovement.objects.order_by("pk").values_list("stocked_before", "stocked_after")
        assert [*moves] == [(0, 5), (5, 0), (0, 2)]

    def test_force_writes_the_stock_off_but_nothing_that_is_reserved(self, admin: Caller) -> None:
        level = InventoryLevelFactory(stocked_quantity=5, incoming_quantity=2)
        taken = ReservationFactory().inventory_item.levels.get()
        path = f"{ITEMS}/location-levels/batch"
        status, text = refusal(admin.post(path, {"delete": [level.pk, taken.pk], "force": True}))
        assert (status, "2 reserved" in text) == (400, True)
        assert answer(admin, path, {"delete": [level.pk], "force": True, "note": "Closed"})["deleted"] == [level.pk]
        level.refresh_from_db()
        assert (level.stocked_quantity, level.incoming_quantity) == (0, 0)
        moved = StockMovement.objects.latest("pk")
        assert (moved.stocked_before, moved.stocked_after, moved.note) == (5, 0, "Closed")

    def test_by_graphql(self, admin: Caller) -> None:
        level = InventoryLevelFactory()
        mutation = "mutation ($id: ID!) { deleteInventoryLevel(id: $id) { object deleted parent { id } } }"
        assert data(ask(admin, mutation, {"id": level.pk})) == {
            "deleteInventoryLevel": {
                "object": "inventory-level",
                "deleted": True,
                "parent": {"id": level.inventory_item_id},
            }
        }


class TestReservations:
    def test_one_is_made_changed_and_deleted(self, admin: Caller) -> None:
        level = InventoryLevelFactory(stocked_quantity=5)
        body = {"location_id": level.location_id, "inventory_item_id": level.inventory_item_id, "quantity": 3}
        made = answer(admin, RESERVATIONS, {**body, "line_item_id": None, "description": None})["reservation"]
        assert made == {**made, **body, "line_item_id": None, "description": "", "external_id": None, "metadata": None}
        assert made["inventory_item"]["id"] == level.inventory_item_id
        one = f"{RESERVATIONS}/{made['id']}"
        changed = answer(admin, one, {"quantity": 5, "description": "For the fair", "metadata": {"a": 1}})[
            "reservation"
        ]
        assert (changed["quantity"], changed["description"], changed["metadata"]) == (5, "For the fair", {"a": 1})
        for query in ("q=fair", "description=For the fair", "quantity[$gt]=4", "line_item_id=null"):
            assert [each["id"] for each in admin.get(f"{RESERVATIONS}?{query}").json()["reservations"]] == [made["id"]]
        shown = admin.get(f"{ITEMS}/{level.inventory_item_id}").json()["inventory_item"]
        assert (shown["stocked_quantity"], shown["reserved_quantity"]) == (5, 5)
        assert admin.send("DELETE", one).json() == {"id": made["id"], "object": "reservation", "deleted": True}
        assert InventoryLevel.objects.get().reserved_quantity == 0
        assert refusal(admin.send("DELETE", one))[0] == 404

    def test_it_is_reserved_once_for_an_idempotency_key(self, admin: Caller) -> None:
        level = InventoryLevelFactory(stocked_quantity=5)
        body = {"location_id": level.location_id, "inventory_item_id": level.inventory_item_id, "quantity": 3}
        for _ in range(2):
            assert admin.post(RESERVATIONS, body, Idempotency_Key="a-key-of-the-test").status_code == 200
        assert InventoryLevel.objects.get().reserved_quantity == 3

    def test_what_cannot_be_is_named(self, admin: Caller) -> None:
        level = InventoryLevelFactory(stocked_quantity=5)
        place = {"location_id": level.location_id, "inventory_item_id": level.inventory_item_id}
        for body, message in (
            ({"quantity": 0}, "quantity"),
            ({"quantity": 2.5}, "quantity"),
            ({}, "quantity"),
            ({"quantity": 1, "location_id": "sloc_x"}, "location_id"),
            ({"quantity": 1, "location_id": "sloc\0"}, "location_id"),
            ({"quantity": 1, "inventory_item_id": "iitem_x"}, "inventory_item_id"),
            ({"quantity": 1, "location_id": StockLocationFactory().pk}, "location_id"),
            ({"quantity": 1, "line_item_id": "ordli_1"}, "line item ordli_1"),
        ):
            status, text = refusal(admin.post(RESERVATIONS, {**place, **body}))
            assert (status, message in text) == (400, True), (body, text)
        for quantity in (6, 2**31, 10**18):
            status, _, text = lacking(admin.post(RESERVATIONS, {**place, "quantity": quantity}))
            assert (status, "quantity" in text or "Not enough stock" in text) == (400, True), text
        assert not Reservation.objects.exists()
        of_line = ReservationFactory(level=level, line_item_id="ordli_1").pk
        for method, body in (("POST", {"quantity": 1}), ("DELETE", b"")):
            status, text = refusal(admin.send(method, f"{RESERVATIONS}/{of_line}", body))
            assert (status, "line item ordli_1" in text) == (400, True)
        count_stock(1)
        assert admin.post(f"{RESERVATIONS}/{of_line}", {"description": "Fragile"}).status_code == 200
