"""What the database itself refuses of stock, from every caller, and how we know that it does."""

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models import Sum

from catalog.models import InventoryLevel, Reservation, StockMovement
from catalog.states import MovementReason
from catalog.stock import stock_triggers
from kit.database.triggers import Trigger
from tests.dropped_triggers import dropped
from tests.factories.inventory import (
    InventoryItemFactory,
    InventoryLevelFactory,
    ReservationFactory,
    StockLocationFactory,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def level() -> InventoryLevel:
    """Ten pieces, three of them reserved."""
    made = InventoryLevelFactory(stocked_quantity=10)
    ReservationFactory(level=made, quantity=3)
    made.refresh_from_db()
    return made


def execute(statement: str, **named: object) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, named)


def rows() -> object:
    return [
        list(model._default_manager.order_by("pk").values()) for model in (InventoryLevel, Reservation, StockMovement)
    ]


_MOVE = (
    "INSERT INTO catalog_stockmovement (id, level_id, reason, reference_id, stocked_before, stocked_after, "
    "backordered, note, created_at) "
    "SELECT 'smov_2', id, {reason}, 'ful_1', {before}, {after}, {backordered}, '', created_at "
    "FROM catalog_inventorylevel"
)


def movement(*, before: int, after: int, backordered: int = 0, reason: str = "'fulfillment'") -> str:
    return _MOVE.format(before=before, after=after, backordered=backordered, reason=reason)


_LEVEL = (
    "INSERT INTO catalog_inventorylevel (id, inventory_item_id, location_id, stocked_quantity, reserved_quantity, "
    "incoming_quantity, created_at, updated_at) SELECT 'more', id, %(location)s, {stocked}, {reserved}, 0, created_at, "
    "updated_at FROM catalog_inventoryitem"
)
REFUSED = {
    "the stock is raised": "UPDATE catalog_inventorylevel SET stocked_quantity = 11",
    "the stock is lowered": "UPDATE catalog_inventorylevel SET stocked_quantity = stocked_quantity - 1",
    "the reserved quantity is changed": "UPDATE catalog_inventorylevel SET reserved_quantity = 2",
    "a level begins with stock": _LEVEL.format(stocked=1, reserved=0),
    "a level begins reserved": _LEVEL.format(stocked=0, reserved=1),
    "a level moves": "UPDATE catalog_inventorylevel SET location_id = %(location)s",
    "a level is of another item": "UPDATE catalog_inventorylevel SET inventory_item_id = %(item)s",
    "a level with reservations goes": "DELETE FROM catalog_inventorylevel",
    "a reservation is of an item that is not there": "UPDATE catalog_reservation SET location_id = %(location)s",
    "a reservation is of nothing": "UPDATE catalog_reservation SET quantity = 0",
    "a movement is changed": "UPDATE catalog_stockmovement SET note = 'else'",
    "a movement goes": "DELETE FROM catalog_stockmovement",
    "a movement begins elsewhere": movement(before=9, after=8),
    "a movement moves nothing": movement(before=10, after=10),
    "a movement is for no known reason": movement(before=10, after=9, reason="'theft'"),
    "stock in hand goes below 0": movement(before=10, after=-1),
    "more goes below 0 than was sold on backorder": movement(before=10, after=-3, backordered=2),
    "only a fulfillment ships backorders": movement(before=10, after=-1, backordered=1, reason="'set'"),
}


@pytest.mark.parametrize("statement", REFUSED.values(), ids=REFUSED)
def test_what_breaks_a_law_is_refused(statement: str, level: InventoryLevel) -> None:
    elsewhere, before = StockLocationFactory(), rows()
    other = level.inventory_item_id
    if "%(item)s" in statement:
        other, before = InventoryItemFactory().pk, rows()
    with pytest.raises(IntegrityError), transaction.atomic():
        execute(statement, location=elsewhere.pk, item=other)
    assert rows() == before


def test_a_fulfilment_is_taken_from_a_level_once(level: InventoryLevel) -> None:
    execute(movement(before=10, after=8))
    with pytest.raises(IntegrityError), transaction.atomic():
        execute(movement(before=8, after=6).replace("smov_2", "smov_3"))
    level.refresh_from_db()
    assert level.stocked_quantity == 8


@pytest.mark.parametrize(("before", "after", "backordered"), [(10, -2, 2), (10, -2, 12), (10, 0, 0), (10, 11, 0)])
def test_what_was_sold_on_backorder_leaves_without_being_there(before: int, after: int, backordered: int) -> None:
    level = InventoryLevelFactory(stocked_quantity=before)
    execute(movement(before=before, after=after, backordered=backordered))
    level.refresh_from_db()
    assert level.stocked_quantity == after


@pytest.mark.parametrize(
    ("after", "backordered", "is_possible"), [(-3, 1, True), (-3, 0, False), (-4, 1, False), (-1, 0, True)]
)
def test_below_zero_only_backorders_leave_and_everything_comes_back(
    after: int, backordered: int, is_possible: bool
) -> None:
    level = InventoryLevelFactory(stocked_quantity=1)
    execute(movement(before=1, after=-2, backordered=2).replace("smov_2", "smov_1").replace("ful_1", "ful_0"))
    statement = movement(before=-2, after=after, backordered=backordered)
    if is_possible:
        execute(statement)
    else:
        with pytest.raises(IntegrityError), transaction.atomic():
            execute(statement)
    level.refresh_from_db()
    assert level.stocked_quantity == (after if is_possible else -2)


def test_reservations_are_added_up_however_they_are_written(level: InventoryLevel) -> None:
    other = InventoryLevelFactory()

    def reserved() -> tuple[int, int]:
        for each in (level, other):
            each.refresh_from_db()
            of_level = Reservation.objects.filter(
                inventory_item=each.inventory_item_id, location=each.location_id, deleted_at=None
            )
            assert each.reserved_quantity == (of_level.aggregate(sum=Sum("quantity"))["sum"] or 0)
        return level.reserved_quantity, other.reserved_quantity

    place = {"inventory_item_id": level.inventory_item_id, "location_id": level.location_id}
    elsewhere = {"inventory_item_id": other.inventory_item_id, "location_id": other.location_id}
    Reservation.objects.bulk_create(
        [Reservation(quantity=2, **place), Reservation(quantity=4, **place), Reservation(quantity=5, **elsewhere)]
    )
    assert reserved() == (9, 5)
    Reservation.objects.filter(quantity=4).update(**elsewhere)
    assert reserved() == (5, 9)
    Reservation.objects.update(quantity=1)
    assert reserved() == (2, 2)
    Reservation.objects.filter(**place).update(deleted_at="2026-01-01T00:00:00Z")
    assert reserved() == (0, 2)
    Reservation.objects.update(deleted_at=None)
    assert reserved() == (2, 2)
    Reservation.objects.all().delete()
    assert reserved() == (0, 0)


def test_a_level_without_reservations_and_movements_can_go() -> None:
    level = InventoryLevelFactory()
    level.delete()
    assert not InventoryLevel.objects.exists()


@pytest.mark.postgresql
@pytest.mark.parametrize("table", ["catalog_reservation", "catalog_stockmovement"])
def test_postgresql_truncates_nothing_of_it(table: str, level: InventoryLevel) -> None:
    connection.check_constraints()  # checks that are put off to the end would be in the way
    before = rows()
    with pytest.raises(IntegrityError), transaction.atomic():
        execute(f"TRUNCATE {table}")
    assert rows() == before


def test_every_reason_is_known_to_the_database(level: InventoryLevel) -> None:
    for number, reason in enumerate(MovementReason):
        StockMovement.objects.create(
            level=level, reason=reason, stocked_before=10 + number, stocked_after=11 + number, reference_id="some"
        )
    level.refresh_from_db()
    assert level.stocked_quantity == 10 + len(MovementReason)


TRIGGERS = stock_triggers.TRIGGERS[connection.vendor]


def test_all_triggers_are_there_once_the_database_is_migrated() -> None:
    assert stock_triggers.missing(connection) == []


@pytest.mark.parametrize("trigger", TRIGGERS, ids=lambda trigger: trigger.name)
def test_a_dropped_trigger_is_named(trigger: Trigger) -> None:
    with dropped(trigger):
        assert stock_triggers.missing(connection) == [trigger.name]
