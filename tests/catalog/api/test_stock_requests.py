"""Stock over REST and GraphQL, as programs with a secret key read and change it."""

import pytest
from django.contrib.auth.models import Permission

from catalog.models import InventoryLevel, StockMovement
from tests.contract.callers import Caller, importer, refusal
from tests.factories.apikeys import secret_key
from tests.factories.inventory import (
    InventoryItemFactory,
    InventoryLevelFactory,
    ReservationFactory,
    StockLocationFactory,
)
from tests.factories.staff import UserFactory
from tests.kit.graphql.calls import ask, data, failures

pytestmark = pytest.mark.django_db
BATCH = "/admin/inventory-items/location-levels/batch"


def path(level: InventoryLevel) -> str:
    return f"/admin/inventory-items/{level.inventory_item_id}/location-levels/{level.location_id}"


def program(*permissions: str) -> Caller:
    user = UserFactory()
    user.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    return importer(secret_key(user))


@pytest.fixture
def level() -> InventoryLevel:
    return ReservationFactory(level__stocked_quantity=5).inventory_item.levels.get()


def test_the_levels_of_an_item_are_listed(level: InventoryLevel) -> None:
    InventoryLevelFactory()
    caller = program("view_inventorylevel")
    listed = caller.get(f"/admin/inventory-items/{level.inventory_item_id}/location-levels").json()
    (shown,) = listed["inventory_levels"]
    assert (listed["count"], listed["offset"], listed["limit"]) == (1, 0, 50)
    assert {name: value for name, value in shown.items() if not name.endswith("_at")} == {
        "id": level.pk,
        "inventory_item_id": level.inventory_item_id,
        "location_id": level.location_id,
        "stocked_quantity": 5,
        "reserved_quantity": 2,
        "available_quantity": 3,
        "incoming_quantity": 0,
        "metadata": None,
    }
    assert caller.get("/admin/inventory-items/iitem_none/location-levels").json()["inventory_levels"] == []
    query = f'{{ inventoryLevels(inventoryItemId: "{level.inventory_item_id}") {{ inventoryLevels {{ id }} count }} }}'
    assert data(ask(caller, query)) == {"inventoryLevels": {"inventoryLevels": [{"id": level.pk}], "count": 1}}


def test_stock_is_set_once_for_an_idempotency_key(level: InventoryLevel) -> None:
    caller = program("change_inventorylevel")
    for _ in range(2):
        response = caller.post(path(level), {"adjust_by": 3, "note": "Found"}, Idempotency_Key="a-key-of-the-test")
        assert response.status_code == 200, response.content
    item = response.json()["inventory_item"]
    assert (item["id"], item["stocked_quantity"], item["reserved_quantity"]) == (level.inventory_item_id, 8, 2)
    assert [each["stocked_quantity"] for each in item["location_levels"]] == [8]
    moved = StockMovement.objects.latest("pk")
    assert (moved.reason, moved.note, moved.stocked_after) == ("adjustment", "Found", 8)
    assert moved.created_by is not None
    assert str(moved.api_key_id).startswith("apk_")


def test_another_stock_is_a_conflict_that_names_it(level: InventoryLevel) -> None:
    caller = program("change_inventorylevel")
    body = {"stocked_quantity": 1, "expected_stocked_quantity": 4}
    response = caller.post(path(level), body)
    message = (
        "The stock differs from the expected quantity. Current stock: "
        f"5 of item {level.inventory_item_id} at location {level.location_id}"
    )
    assert response.status_code == 409
    assert response.json() == {
        "code": "unknown_error",
        "type": "QueryRunnerAlreadyReleasedError",
        "message": message,
    }
    mutation = """mutation ($id: ID!, $input: PlacedInventoryLevelInput!) {
        changeInventoryLevel(id: $id, input: $input) { inventoryItem { stockedQuantity } } }"""
    given = {"locationId": level.location_id, "stockedQuantity": 1, "expectedStockedQuantity": 4}
    refused = ask(caller, mutation, {"id": level.inventory_item_id, "input": given})
    assert [(name, text) for name, text, _ in failures(refused)] == [("changeInventoryLevel", message)]
    done = ask(caller, mutation, {"id": level.inventory_item_id, "input": {**given, "expectedStockedQuantity": 5}})
    assert data(done) == {"changeInventoryLevel": {"inventoryItem": {"stockedQuantity": 1}}}


@pytest.mark.parametrize(
    ("body", "status", "message"),
    [
        ({"adjust_by": -6}, 400, "Not enough stock of item"),
        ({"stocked_quantity": -1}, 400, "'stocked_quantity' too small"),
        ({"stocked_quantity": 1.5}, 400, "Expected type: 'number'"),
        ({"stocked": 1}, 400, "Unrecognized fields: 'stocked'"),
        ({"stocked_quantity": 1, "adjust_by": 1}, 400, "cannot be given together"),
    ],
)
def test_what_is_wrong_is_named(level: InventoryLevel, body: object, status: int, message: str) -> None:
    response = program("change_inventorylevel").post(path(level), body)
    assert response.status_code == status
    assert message in response.json()["message"]
    level.refresh_from_db()
    assert level.stocked_quantity == 5


def test_a_batch_is_answered_with_its_levels(level: InventoryLevel) -> None:
    item, place = InventoryItemFactory(), StockLocationFactory()
    caller = program("add_inventorylevel", "change_inventorylevel")
    body = {
        "create": [{"inventory_item_id": item.pk, "location_id": place.pk, "stocked_quantity": 4}],
        "update": [
            {"inventory_item_id": level.inventory_item_id, "location_id": level.location_id, "stocked_quantity": 9}
        ],
    }
    done = caller.post(BATCH, body).json()
    stocks = {name: [(each["inventory_item_id"], each["stocked_quantity"]) for each in done[name]]
              for name in ("created", "updated")}  # fmt: skip
    assert stocks == {"created": [(item.pk, 4)], "updated": [(level.inventory_item_id, 9)]}
    assert done["deleted"] == []
    assert caller.post(BATCH, {}).json() == {"created": [], "updated": [], "deleted": []}
    assert caller.post(BATCH, body).status_code == 422
    assert caller.post(BATCH, {"delete": [level.pk]}).status_code == 403
    mutation = """mutation ($input: InventoryLevelBatchInput!) { batchInventoryLevels(input: $input) {
        created { id } updated { id stockedQuantity updatedAt inventoryItem { id } } deleted } }"""
    given = {"inventoryItemId": level.inventory_item_id, "locationId": level.location_id, "adjustBy": -2}
    changed = data(ask(caller, mutation, {"input": {"update": [given]}}))["batchInventoryLevels"]
    assert (changed["created"], changed["deleted"]) == ([], [])
    assert [(each["id"], each["stockedQuantity"]) for each in changed["updated"]] == [(level.pk, 7)]


def test_rows_that_a_batch_names_and_that_do_not_exist_are_a_400(level: InventoryLevel) -> None:
    """Its path names none. The path of one level does, so that is a 404."""
    caller = program("add_inventorylevel", "change_inventorylevel")
    item, elsewhere = level.inventory_item_id, StockLocationFactory().pk
    for field, place, message in (
        ("create", (item, "sloc_x"), "Stock location with id: sloc_x was not found"),
        ("create", ("iitem_x", level.location_id), "Inventory item with id: iitem_x was not found"),
        ("update", (item, elsewhere), f"Item {item} is not stocked at location {elsewhere}"),
    ):
        response = caller.post(BATCH, {field: [dict(zip(("inventory_item_id", "location_id"), place, strict=True))]})
        assert refusal(response) == (400, f"{message}, given by field '{field}'")
    assert caller.post(f"/admin/inventory-items/{item}/location-levels/{elsewhere}", {}).status_code == 404


def test_reservations_are_read(level: InventoryLevel) -> None:
    caller = program("view_reservation")
    (listed,) = caller.get("/admin/reservations", f"inventory_item_id={level.inventory_item_id}").json()["reservations"]
    assert (listed["quantity"], listed["allow_backorder"], listed["line_item_id"]) == (2, False, None)
    assert listed["inventory_item"]["id"] == level.inventory_item_id
    one = caller.get(f"/admin/reservations/{listed['id']}").json()["reservation"]
    assert one == listed


def test_each_route_asks_for_its_permission(level: InventoryLevel) -> None:
    nobody = program()
    place = {"inventory_item_id": level.inventory_item_id, "location_id": level.location_id}
    for response in (
        nobody.get(f"/admin/inventory-items/{level.inventory_item_id}/location-levels"),
        nobody.post(path(level), {"adjust_by": 1}),
        nobody.post(BATCH, {"update": [{**place, "adjust_by": 1}]}),
        nobody.get("/admin/reservations"),
        program("change_inventorylevel").post(BATCH, {"create": [place]}),
    ):
        assert response.status_code == 403, response.content
    level.refresh_from_db()
    assert level.stocked_quantity == 5
